/// Rows of one kind, each found by its id.
package typealias Table<Row> = PerID<Row, Row>

/// A value for each row of a table, found by the row's id.
///
/// It is an array whose index is an id, with the array's cost and the array's check of bounds.
package struct PerID<Of, Value> {
  @usableFromInline package var values: [Value]

  @inlinable package init(_ values: [Value]) { self.values = values }

  /// The same value for each row of a table.
  @inlinable @inline(__always) package init(repeating value: Value, for table: Table<Of>) {
    let count = table.values.count
    values = count == 0 ? [] : Array(repeating: value, count: count)
  }

  /// Adds a row and returns its id.
  @discardableResult
  @inlinable @inline(__always) package mutating func append(_ value: Value) -> ID<Of> {
    values.append(value)
    return ID(values.count - 1)
  }

  @inlinable package mutating func append(contentsOf more: some Sequence<Value>) {
    values.append(contentsOf: more)
  }

  @inlinable package mutating func reserveCapacity(_ count: Int) {
    values.reserveCapacity(count)
  }

  /// Something made of each row, under the same ids.
  @inlinable package func mapValues<New>(_ transform: (Value) -> New) -> PerID<Of, New> {
    PerID<Of, New>(values.map(transform))
  }

  /// The row with this id, or nil where the table is shorter than that.
  @inlinable @inline(__always) package subscript(ifPresent id: ID<Of>) -> Value? {
    values.indices.contains(id.index) ? values[id.index] : nil
  }
}

extension PerID: Sendable where Value: Sendable {}

extension PerID: Equatable where Value: Equatable {
  @inlinable package static func == (one: PerID, other: PerID) -> Bool {
    one.values == other.values
  }
}

extension PerID: RandomAccessCollection, MutableCollection {
  // What a collection would work out from its indices is asked of the array, which is far cheaper.

  @inlinable @inline(__always) package var startIndex: ID<Of> { ID(0) }

  @inlinable @inline(__always) package var endIndex: ID<Of> { ID(values.count) }

  @inlinable @inline(__always) package var count: Int { values.count }

  @inlinable @inline(__always) package var isEmpty: Bool { values.isEmpty }

  @inlinable @inline(__always) package func index(after id: ID<Of>) -> ID<Of> { ID(id.index + 1) }

  @inlinable @inline(__always) package func index(before id: ID<Of>) -> ID<Of> { ID(id.index - 1) }

  @inlinable @inline(__always)
  package func index(_ id: ID<Of>, offsetBy distance: Int) -> ID<Of> { ID(id.index + distance) }

  @inlinable @inline(__always)
  package func distance(from start: ID<Of>, to end: ID<Of>) -> Int { end.index - start.index }

  /// The rows with their ids.
  @inlinable @inline(__always) package var withIDs: Zip2Sequence<Range<ID<Of>>, [Value]> {
    zip(indices, values)
  }

  /// The ids, in the order of the rows.
  @inlinable @inline(__always) package var indices: Range<ID<Of>> { startIndex..<endIndex }

  @inlinable @inline(__always) package subscript(id: ID<Of>) -> Value {
    _read { yield values[id.index] }
    _modify { yield &values[id.index] }
  }

  @inlinable @inline(__always) package func makeIterator() -> IndexingIterator<[Value]> {
    values.makeIterator()
  }
}

extension PerID: ExpressibleByArrayLiteral {
  @inlinable package init(arrayLiteral values: Value...) { self.init(values) }
}
