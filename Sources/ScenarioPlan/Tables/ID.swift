import TextSearch

/// The place of a row in a table. Ids of different tables do not mix.
///
/// It is one word, as the bare number would be. Ids are ordered as the rows are, so that a range of
/// ids is a range of rows.
public struct ID<Of>: Hashable, Strideable, Sendable, CustomStringConvertible {
  public let index: Int

  @inlinable @inline(__always) public init(_ index: Int) { self.index = index }

  public var description: String { "\(index)" }

  @inlinable @inline(__always) public static func == (one: ID, other: ID) -> Bool {
    one.index == other.index
  }

  @inlinable @inline(__always) public static func < (one: ID, other: ID) -> Bool {
    one.index < other.index
  }

  @inlinable @inline(__always) public func hash(into hasher: inout Hasher) {
    hasher.combine(index)
  }

  @inlinable @inline(__always) public func advanced(by distance: Int) -> ID {
    ID(index + distance)
  }

  @inlinable @inline(__always) public func distance(to other: ID) -> Int { other.index - index }
}
