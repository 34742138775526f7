import TextSearch

/// A map that keeps the order in which its keys were first written.
///
/// Small maps, which are nearly all, are searched in order; larger ones have an index. Order is
/// visible when a map is shown or iterated, never when maps are compared.
public struct ValueMap: Sendable {
  /// A key and its value.
  public typealias Entry = (key: Value, value: Value)

  private nonisolated(unsafe) static let empty = ValueMapStorage.make(capacity: 0)
  // It is changed only while nothing else holds it, so that threads may share it.
  private nonisolated(unsafe) var storage: ValueMapStorage

  public init() { storage = ValueMap.empty }

  /// Makes an empty map with room for this many entries.
  public init(minimumCapacity: Int) { storage = ValueMapStorage.make(capacity: minimumCapacity) }

  /// Makes a map of these entries. Of two entries with one key, the later value takes the place of
  /// the earlier.
  public init(_ entries: some Sequence<(Value, Value)>) {
    self.init(minimumCapacity: entries.underestimatedCount)
    for (key, value) in entries { self[key] = value }
  }

  /// Makes a map of entries whose keys all differ, which is not checked.
  public init(distinct entries: [Entry]) {
    self.init(minimumCapacity: entries.count)
    for entry in entries { storage.add(entry) }
    storage.reindex()
  }

  /// Calls a function with the entries, where they are.
  @inline(__always)
  func withEntries<Result>(_ body: (UnsafeBufferPointer<Entry>) -> Result) -> Result {
    withExtendedLifetime(storage) { body(storage.entries) }
  }

  /// The text of this map, if its reader kept it and nothing was changed since.
  public var textAsSent: String? { storage.header.textAsSent }

  /// Returns the same map with the text it was read from.
  public func sent(as text: String) -> ValueMap {
    var map = self
    map.storage = storage.copy()
    map.storage.header.textAsSent = text
    return map
  }

  public var count: Int { storage.header.count }
  public var isEmpty: Bool { count == 0 }
  public var keys: [Value] { withEntries { $0.map(\.key) } }
  public var values: [Value] { withEntries { $0.map(\.value) } }
  /// The entry that was written first.
  public var first: Entry? { withEntries { $0.first } }

  public subscript(key: Value) -> Value? {
    get { withEntries { entries in position(of: key).map { entries[$0].value } } }
    set {
      prepareForChange()
      switch (position(of: key), newValue) {
      case (let at?, let value?): storage.setValue(value, at: at)
      case (let at?, nil): storage.remove(at: at)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  public subscript(key: String) -> Value? {
    get { self[.string(key)] }
    set { self[.string(key)] = newValue }
  }

  /// Reserves room for this many entries, so that none is moved while they are added.
  public mutating func reserveCapacity(_ count: Int) {
    if count > self.count { grow(to: count) }
  }

  /// Sets the value under a key and returns the previous one, in one search.
  @discardableResult
  public mutating func updateValue(_ value: __owned Value, forKey key: __owned Value) -> Value? {
    prepareForChange()
    if let at = position(of: key) { return storage.setValue(value, at: at) }
    append(key, value)
    return nil
  }

  @inline(__always) private mutating func prepareForChange() {
    if isKnownUniquelyReferenced(&storage) {
      if storage.header.textAsSent != nil { storage.header.textAsSent = nil }
    } else {
      storage = storage.copy(capacity: Swift.max(4, count + 1))
    }
  }

  @inline(__always) private func position(of key: Value) -> Int? {
    storage.header.index.isEmpty
      ? withEntries { $0.firstIndex { $0.key == key } } : storage.header.index[key]
  }

  private mutating func append(_ key: __owned Value, _ value: __owned Value) {
    if storage.isFull { grow(to: Swift.max(4, 2 * count)) }
    storage.add((key, value))
    storage.indexLast()
  }

  private mutating func grow(to capacity: Int) {
    guard !storage.hasRoom(for: capacity) || !isKnownUniquelyReferenced(&storage) else { return }
    storage =
      isKnownUniquelyReferenced(&storage)
      ? storage.moved(to: capacity) : storage.copy(capacity: capacity)
  }
}

extension ValueMap: Sequence {
  public func makeIterator() -> Iterator { Iterator(storage) }
  public var underestimatedCount: Int { count }

  /// The entries in their order.
  public struct Iterator: IteratorProtocol {
    private nonisolated(unsafe) let storage: ValueMapStorage
    private var place = 0

    fileprivate init(_ storage: ValueMapStorage) { self.storage = storage }

    public mutating func next() -> Entry? {
      guard place < storage.header.count else { return nil }
      defer { place += 1 }
      return storage.entries[place]
    }
  }
}

extension ValueMap: Equatable {
  public static func == (left: ValueMap, right: ValueMap) -> Bool {
    if left.storage === right.storage { return true }
    guard left.count == right.count else { return false }
    return left.withEntries { left in right.withEntries { left.hasSameEntries(as: $0) } }
      ?? left.allSatisfy { right[$0.key] == $0.value }
  }
}

extension UnsafeBufferPointer<ValueMap.Entry> {
  /// Whether the entries are those of another map; nil where its keys have another order.
  fileprivate func hasSameEntries(as other: Self) -> Bool? {
    for place in indices {
      guard self[place].key == other[place].key else { return nil }
      // A key is there once, so that no later entry can make the maps equal.
      guard self[place].value == other[place].value else { return false }
    }
    return true
  }
}
