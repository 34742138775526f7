/// Rows of one kind, each found by its id.
package typealias Table<Row> = PerID<Row, Row>

/// A value for each row of a table, found by the row's id.
///
/// It is an array whose index is an id, with the array's cost and the array's check of bounds.
package struct PerID<Of, Value> {
  @usableFromInline package var values: [Value]

  @inlinable package init(_ values: [Value]) { self.values = values }

  /// The same value for each row of a table.
  @inlinable package init(repeating value: Value, for table: Table<Of>) {
    values = Array(repeating: value, count: table.count)
  }

  /// Adds a row and returns its id.
  @discardableResult
  @inlinable package mutating func append(_ value: Value) -> ID<Of> {
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
  @inlinable package subscript(ifPresent id: ID<Of>) -> Value? {
    indices.contains(id) ? values[id.index] : nil
  }
}

extension PerID: Sendable where Value: Sendable {}

extension PerID: Equatable where Value: Equatable {
  @inlinable package static func == (one: PerID, other: PerID) -> Bool {
    one.values == other.values
  }
}

extension PerID: RandomAccessCollection, MutableCollection {
  @inlinable package var startIndex: ID<Of> { ID(0) }

  @inlinable package var endIndex: ID<Of> { ID(values.count) }

  /// The rows with their ids.
  @inlinable package var withIDs: Zip2Sequence<Range<ID<Of>>, [Value]> { zip(indices, values) }

  /// The ids, in the order of the rows.
  @inlinable package var indices: Range<ID<Of>> { startIndex..<endIndex }

  @inlinable package subscript(id: ID<Of>) -> Value {
    _read { yield values[id.index] }
    _modify { yield &values[id.index] }
  }

  @inlinable package func makeIterator() -> IndexingIterator<[Value]> { values.makeIterator() }
}

extension PerID: ExpressibleByArrayLiteral {
  @inlinable package init(arrayLiteral values: Value...) { self.init(values) }
}
