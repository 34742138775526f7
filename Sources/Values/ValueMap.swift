/// A map that keeps the order in which its keys were first written.
///
/// Small maps, which are nearly all, are searched in order; larger ones have an index. Order is
/// visible when a map is shown or iterated, never when maps are compared.
public struct ValueMap: Sendable {
  /// A key and its value.
  public typealias Entry = (key: Value, value: Value)

  private final class Storage: @unchecked Sendable {
    // No access of a map overlaps another of its own: all are inside this file, and short.
    @exclusivity(unchecked) var entries: [Entry]
    @exclusivity(unchecked) var index: [Value: Int]
    /// The text it was read from, until something is changed.
    @exclusivity(unchecked) var textAsSent: String?

    init(entries: [Entry], index: [Value: Int]) {
      self.entries = entries
      self.index = index
    }

    func copy() -> Storage { Storage(entries: entries, index: index) }
  }

  /// The largest map that is searched in order. An index of 32 keys takes as long to make as all the
  /// searches that filling such a map needs.
  private static let largestWithoutIndex = 32
  private static let empty = Storage(entries: [], index: [:])
  private var storage: Storage

  public init() { storage = ValueMap.empty }

  /// Makes an empty map with room for this many entries.
  public init(minimumCapacity: Int) {
    storage = Storage(entries: [], index: [:])
    storage.entries.reserveCapacity(minimumCapacity)
  }

  /// Makes a map of these entries. Of two entries with one key, the later value takes the place of
  /// the earlier.
  public init(_ entries: some Sequence<(Value, Value)>) {
    self.init()
    for (key, value) in entries { self[key] = value }
  }

  /// Makes a map of entries whose keys all differ, which is not checked.
  public init(distinct entries: [Entry]) {
    storage = Storage(entries: entries, index: [:])
    if entries.count > ValueMap.largestWithoutIndex { reindex() }
  }

  /// Calls a function with the entries, where they are.
  func withEntries<Result>(_ body: (UnsafeBufferPointer<Entry>) -> Result) -> Result {
    storage.entries.withUnsafeBufferPointer(body)
  }

  /// The place of the entries in memory. A copy shares it until one of the two is changed.
  var memory: ObjectIdentifier { ObjectIdentifier(storage) }

  /// The text of this map, if its reader kept it and nothing was changed since.
  public var textAsSent: String? { storage.textAsSent }

  /// Returns the same map with the text it was read from.
  public func sent(as text: String) -> ValueMap {
    var map = self
    map.storage = storage.copy()
    map.storage.textAsSent = text
    return map
  }

  public var count: Int { storage.entries.count }
  public var isEmpty: Bool { storage.entries.isEmpty }
  public var keys: [Value] { storage.entries.map(\.key) }
  public var values: [Value] { storage.entries.map(\.value) }
  /// The entry that was written first.
  public var first: Entry? { storage.entries.first }

  public subscript(key: Value) -> Value? {
    get { position(of: key).map { storage.entries[$0].value } }
    set {
      if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
      storage.textAsSent = nil
      switch (position(of: key), newValue) {
      case (let at?, let value?): storage.entries[at].value = value
      case (let at?, nil): remove(at: at)
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
    if count <= self.count { return }
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    storage.entries.reserveCapacity(count)
  }

  /// Sets the value under a key and returns the previous one, in one search.
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: Value) -> Value? {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    storage.textAsSent = nil
    guard let at = position(of: key) else {
      append(key, value)
      return nil
    }
    let old = storage.entries[at].value
    storage.entries[at].value = value
    return old
  }

  private func position(of key: Value) -> Int? {
    guard storage.index.isEmpty else { return storage.index[key] }
    return withEntries { $0.place(of: key) }
  }

  private func append(_ key: Value, _ value: Value) {
    storage.entries.append((key, value))
    if !storage.index.isEmpty {
      storage.index[key] = storage.entries.count - 1
    } else if storage.entries.count > ValueMap.largestWithoutIndex {
      reindex()
    }
  }

  private func remove(at position: Int) {
    storage.entries.remove(at: position)
    reindex()
  }

  private func reindex() {
    storage.index.removeAll(keepingCapacity: true)
    guard storage.entries.count > ValueMap.largestWithoutIndex else { return }
    for (position, entry) in storage.entries.enumerated() { storage.index[entry.key] = position }
  }
}

extension ValueMap: Sequence {
  public func makeIterator() -> IndexingIterator<[Entry]> { storage.entries.makeIterator() }
  public var underestimatedCount: Int { count }
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
      guard hasSameKey(at: place, as: other) else { return nil }
      // A key is there once, so that no later entry can make the maps equal.
      guard hasSameValue(at: place, as: other) else { return false }
    }
    return true
  }
}
