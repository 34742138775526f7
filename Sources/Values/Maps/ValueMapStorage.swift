import TextSearch

/// The entries of a map, behind the object that its copies share.
///
/// One object holds all: most maps of a run are made, read a few times and dropped, and a second
/// object for their entries would be a third of that work.
final class ValueMapStorage: ManagedBuffer<ValueMapHeader, ValueMap.Entry> {
  /// The largest map that is searched in order. To make an index of 32 keys takes as long as all
  /// the searches that filling such a map needs.
  private static let largestWithoutIndex = 32

  static func make(capacity: Int) -> ValueMapStorage {
    let made = create(minimumCapacity: capacity) { _ in ValueMapHeader(capacity: capacity) }
    return unsafeDowncast(made, to: ValueMapStorage.self)
  }

  deinit {
    _ = withUnsafeMutablePointers { header, entries in
      entries.deinitialize(count: header.pointee.count)
    }
  }

  @inline(__always) var entries: UnsafeBufferPointer<ValueMap.Entry> {
    withUnsafeMutablePointers { header, entries in
      UnsafeBufferPointer(start: entries, count: header.pointee.count)
    }
  }

  @inline(__always) var isFull: Bool { header.count == header.capacity }

  func hasRoom(for count: Int) -> Bool { count <= header.capacity }

  /// Returns the same entries in an object with room for more.
  func copy(capacity: Int = 0) -> ValueMapStorage {
    let copy = ValueMapStorage.make(capacity: max(capacity, header.count))
    copy.withUnsafeMutablePointerToElements {
      _ = UnsafeMutableBufferPointer(start: $0, count: header.count)
        .initialize(fromContentsOf: entries)
    }
    copy.header.count = header.count
    copy.header.index = header.index
    return copy
  }

  /// Moves the entries to an object with room for more, and keeps none.
  func moved(to capacity: Int) -> ValueMapStorage {
    let other = ValueMapStorage.make(capacity: max(capacity, header.count))
    withUnsafeMutablePointerToElements { from in
      other.withUnsafeMutablePointerToElements {
        $0.moveInitialize(from: from, count: header.count)
      }
    }
    swap(&other.header.index, &header.index)
    other.header.count = header.count
    other.header.textAsSent = header.textAsSent
    header.count = 0
    return other
  }

  /// Adds an entry, for which there is room. The index does not have it yet.
  @inline(__always) func add(_ entry: __owned ValueMap.Entry) {
    withUnsafeMutablePointers { header, entries in
      (entries + header.pointee.count).initialize(to: entry)
      header.pointee.count += 1
    }
  }

  /// Adds the last entry to the index, or makes one for a map that has become large.
  @inline(__always) func indexLast() {
    if header.count <= ValueMapStorage.largestWithoutIndex { return }
    if header.index.isEmpty { return reindex() }
    header.index[entries[header.count - 1].key] = header.count - 1
  }

  func reindex() {
    guard header.count > ValueMapStorage.largestWithoutIndex else {
      header.index = [:]
      return
    }
    header.index.removeAll(keepingCapacity: true)
    for (place, entry) in entries.enumerated() { header.index[entry.key] = place }
  }

  /// Sets a value and returns the previous one.
  @discardableResult
  func setValue(_ value: __owned Value, at place: Int) -> Value {
    withUnsafeMutablePointerToElements { entries in
      let old = entries[place].value
      entries[place].value = value
      return old
    }
  }

  func remove(at place: Int) {
    withUnsafeMutablePointers { header, entries in
      let after = header.pointee.count - place - 1
      (entries + place).deinitialize(count: 1)
      (entries + place).moveInitialize(from: entries + place + 1, count: after)
      header.pointee.count -= 1
    }
    reindex()
  }
}

/// The properties of a map beside its entries.
struct ValueMapHeader {
  var count = 0
  let capacity: Int
  /// The places of the keys; empty in a map that is searched in order.
  var index: [Value: Int] = [:]
  /// The text it was read from, until something is changed.
  var textAsSent: String?
}
