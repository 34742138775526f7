/// A map that keeps the order in which its keys were first written.
///
/// Small maps, which is nearly all of them, are searched from front to back; larger ones carry an
/// index. Order is visible when a map is shown or walked, never when maps are compared.
public struct ValueMap: Sendable {
  private final class Storage: @unchecked Sendable {
    var keys: [Value]
    var values: [Value]
    var index: [Value: Int]

    init(keys: [Value], values: [Value], index: [Value: Int]) {
      self.keys = keys
      self.values = values
      self.index = index
    }

    func copy() -> Storage { Storage(keys: keys, values: values, index: index) }
  }

  private static let largestWithoutIndex = 8
  private static let empty = Storage(keys: [], values: [], index: [:])
  private var storage: Storage

  public init() { storage = ValueMap.empty }

  /// A map of these entries; of two entries with one key, the later value stands at the earlier's
  /// place.
  public init(_ entries: some Sequence<(Value, Value)>) {
    self.init()
    for (key, value) in entries { self[key] = value }
  }

  public var count: Int { storage.keys.count }
  public var isEmpty: Bool { storage.keys.isEmpty }
  public var keys: [Value] { storage.keys }
  public var values: [Value] { storage.values }

  public subscript(key: Value) -> Value? {
    get { position(of: key).map { storage.values[$0] } }
    set {
      if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
      switch (position(of: key), newValue) {
      case (let at?, let value?): storage.values[at] = value
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

  /// Makes room for so many entries, so that none is moved while they are added.
  public mutating func reserveCapacity(_ count: Int) {
    if count <= self.count { return }
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    storage.keys.reserveCapacity(count)
    storage.values.reserveCapacity(count)
  }

  /// Sets the value under a key and returns the one that stood there before, in one search.
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: Value) -> Value? {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    guard let at = position(of: key) else {
      append(key, value)
      return nil
    }
    let old = storage.values[at]
    storage.values[at] = value
    return old
  }

  private func position(of key: Value) -> Int? {
    guard storage.index.isEmpty else { return storage.index[key] }
    guard case .string(let text) = key else { return storage.keys.firstIndex(of: key) }
    // Nearly all keys are text, and comparing text alone is half the work of comparing values.
    return storage.keys.firstIndex {
      if case .string(let other) = $0 { other == text } else { false }
    }
  }

  private func append(_ key: Value, _ value: Value) {
    storage.keys.append(key)
    storage.values.append(value)
    if !storage.index.isEmpty {
      storage.index[key] = storage.keys.count - 1
    } else if storage.keys.count > ValueMap.largestWithoutIndex {
      reindex()
    }
  }

  private func remove(at position: Int) {
    storage.keys.remove(at: position)
    storage.values.remove(at: position)
    reindex()
  }

  private func reindex() {
    storage.index.removeAll(keepingCapacity: true)
    guard storage.keys.count > ValueMap.largestWithoutIndex else { return }
    for (position, key) in storage.keys.enumerated() { storage.index[key] = position }
  }
}

extension ValueMap: Sequence {
  public struct Iterator: IteratorProtocol {
    fileprivate let keys: [Value]
    fileprivate let values: [Value]
    fileprivate var position = 0

    public mutating func next() -> (key: Value, value: Value)? {
      guard position < keys.count else { return nil }
      defer { position += 1 }
      return (keys[position], values[position])
    }
  }

  public func makeIterator() -> Iterator { Iterator(keys: storage.keys, values: storage.values) }
  public var underestimatedCount: Int { count }
}

extension ValueMap: Equatable {
  public static func == (left: ValueMap, right: ValueMap) -> Bool {
    if left.storage === right.storage { return true }
    guard left.count == right.count else { return false }
    if left.storage.keys == right.storage.keys {
      return left.storage.values == right.storage.values
    }
    return left.allSatisfy { right[$0.key] == $0.value }
  }
}
