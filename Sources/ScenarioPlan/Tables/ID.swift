/// The place of a row in a table. Ids of different tables do not mix.
///
/// It is one word, as the bare number would be. Ids are ordered as the rows are, so that a range of
/// ids is a range of rows.
package struct ID<Of>: Hashable, Strideable, Sendable, CustomStringConvertible {
  package let index: Int

  @inlinable package init(_ index: Int) { self.index = index }

  package var description: String { "\(index)" }

  @inlinable package static func == (one: ID, other: ID) -> Bool { one.index == other.index }

  @inlinable package static func < (one: ID, other: ID) -> Bool { one.index < other.index }

  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(index) }

  @inlinable package func advanced(by distance: Int) -> ID { ID(index + distance) }

  @inlinable package func distance(to other: ID) -> Int { other.index - index }
}
