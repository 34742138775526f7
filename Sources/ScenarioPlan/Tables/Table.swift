import TextSearch

/// Rows of one kind, each found by its id.
package typealias Table<Row> = PerID<Row, Row>

/// A value for each row of a table, found by the row's id.
///
/// It is an array whose index is an id, with the array's cost and the array's check of bounds. It
/// is public, because the compiler specialises generic code of another module only then.
public struct PerID<Of, Value> {
  @usableFromInline var values: [Value]

  @inlinable public init(_ values: [Value]) { self.values = values }

  /// The same value for each row of a table.
  @inlinable @inline(__always) public init(repeating value: Value, for table: PerID<Of, Of>) {
    values = Array(filledWith: value, count: table.values.count)
  }

  /// Adds a row and returns its id.
  @discardableResult
  @inlinable @inline(__always) public mutating func append(_ value: Value) -> ID<Of> {
    values.append(value)
    return ID(values.count - 1)
  }

  @inlinable public mutating func append(contentsOf more: some Sequence<Value>) {
    values.append(contentsOf: more)
  }

  @inlinable public mutating func reserveCapacity(_ count: Int) {
    values.reserveCapacity(count)
  }

  /// Something made of each row, under the same ids.
  @inlinable public func mapValues<New>(_ transform: (Value) -> New) -> PerID<Of, New> {
    PerID<Of, New>(values.map(transform))
  }

  /// The row with this id, or nil where the table is shorter than that.
  @inlinable @inline(__always) public subscript(ifPresent id: ID<Of>) -> Value? {
    values.indices.contains(id.index) ? values[id.index] : nil
  }
}

extension PerID: Sendable where Value: Sendable {}

extension PerID: Equatable where Value: Equatable {
  @inlinable public static func == (one: PerID, other: PerID) -> Bool {
    one.values == other.values
  }
}

extension PerID: RandomAccessCollection, MutableCollection {
  // What a collection would work out from its indices is asked of the array, which is far cheaper.

  @inlinable @inline(__always) public var startIndex: ID<Of> { ID(0) }

  @inlinable @inline(__always) public var endIndex: ID<Of> { ID(values.count) }

  @inlinable @inline(__always) public var count: Int { values.count }

  @inlinable @inline(__always) public var isEmpty: Bool { values.isEmpty }

  @inlinable @inline(__always) public func index(after id: ID<Of>) -> ID<Of> { ID(id.index + 1) }

  @inlinable @inline(__always) public func index(before id: ID<Of>) -> ID<Of> { ID(id.index - 1) }

  @inlinable @inline(__always)
  public func index(_ id: ID<Of>, offsetBy distance: Int) -> ID<Of> { ID(id.index + distance) }

  @inlinable @inline(__always)
  public func distance(from start: ID<Of>, to end: ID<Of>) -> Int { end.index - start.index }

  /// The rows with their ids.
  @inlinable @inline(__always) public var withIDs: Zip2Sequence<Range<ID<Of>>, [Value]> {
    zip(indices, values)
  }

  /// The ids, in the order of the rows.
  @inlinable @inline(__always) public var indices: Range<ID<Of>> { startIndex..<endIndex }

  @inlinable @inline(__always) public subscript(id: ID<Of>) -> Value {
    // A span lends a row where it is; an array's subscript would copy the whole of it first.
    _read { yield values.span[id.index] }
    _modify { yield &values[id.index] }
  }

  @inlinable @inline(__always) public func makeIterator() -> IndexingIterator<[Value]> {
    values.makeIterator()
  }
}

extension PerID: ExpressibleByArrayLiteral {
  @inlinable public init(arrayLiteral values: Value...) { self.init(values) }
}

extension Array {
  /// Makes an array of equal elements. The standard library makes one by code that is not
  /// specialised, and takes longer than all of its elements.
  @inlinable @inline(__always) package init(filledWith element: Element, count: Int) {
    self = []
    reserveCapacity(count)
    for _ in 0..<count { append(element) }
  }
}
