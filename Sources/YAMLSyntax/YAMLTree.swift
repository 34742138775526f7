import Diagnostics

/// All nodes of one document in one piece of memory, in the order in which they were read.
///
/// Nodes, entries and scalars are places in it. So reading a part copies nothing, and a whole
/// document is freed at once. Reading is inlined into other rooms, which do little else.
@usableFromInline
final class YAMLTree: Sendable {
  @usableFromInline let file: Int32
  @usableFromInline let records: [YAMLRecord]
  @usableFromInline let texts: [String]

  init(file: Int32, records: [YAMLRecord], texts: [String]) {
    self.file = file
    self.records = records
    self.texts = texts
  }

  @inlinable
  subscript(index: Int32) -> YAMLRecord { records[Int(index)] }

  /// Returns the node at a place; for an alias, its target.
  @inlinable
  func target(_ index: Int32) -> Int32 {
    records[Int(index)].kind == .alias ? records[Int(index)].first : index
  }

  @inlinable
  func range(_ index: Int32) -> SourceRange {
    SourceRange(file: file, start: records[Int(index)].start, end: records[Int(index)].end)
  }

  @inlinable
  func text(_ index: Int32) -> String { texts[Int(records[Int(index)].first)] }

  @inlinable
  func scalar(_ index: Int32) -> YAMLScalar {
    let record = records[Int(index)]
    return YAMLScalar(
      text: texts[Int(record.first)], style: record.style, typeTag: record.typeTag,
      range: SourceRange(file: file, start: record.start, end: record.end))
  }
}

extension YAMLDocument {
  /// Returns whether another document is read as the same values, wherever its parts stand and
  /// whichever quotes, brackets and indentation they have.
  package func hasSameContent(as other: YAMLDocument) -> Bool {
    root.index == other.root.index && root.tree.hasSameContent(as: other.root.tree)
  }
}

extension YAMLTree {
  fileprivate func hasSameContent(as other: YAMLTree) -> Bool {
    records.count == other.records.count && texts == other.texts
      && zip(records, other.records).allSatisfy { $0.hasSameContent(as: $1) }
  }
}

/// One node in a tree.
@usableFromInline
struct YAMLRecord: Sendable {
  @usableFromInline
  enum Kind: UInt8, Sendable {
    case scalar, sequence, mapping, alias
  }

  @usableFromInline let kind: Kind
  /// True if it is written with brackets or braces.
  @usableFromInline var isFlow = false
  /// True if the node is the key of an entry that broke a rule and is skipped.
  @usableFromInline var isDropped = false
  @usableFromInline var style = YAMLScalar.Style.plain
  @usableFromInline var typeTag = YAMLScalar.TypeTag.none
  @usableFromInline var start: Int32
  @usableFromInline var end: Int32
  /// The number of a scalar's text, the target of an alias, or else the first part.
  @usableFromInline var first: Int32 = 0
  /// The number of elements or entries.
  @usableFromInline var count: Int32 = 0
  /// The place after the node and all its parts.
  @usableFromInline var next: Int32

  init(_ kind: Kind, at place: Int, start: Int32, end: Int32) {
    self.kind = kind
    self.start = start
    self.end = end
    next = Int32(place) + 1
  }

  init(_ scalar: YAMLScalar, at place: Int32, text: Int32) {
    kind = .scalar
    style = scalar.style
    typeTag = scalar.typeTag
    start = scalar.range.start
    end = scalar.range.end
    first = text
    next = place + 1
  }

  fileprivate func hasSameContent(as other: YAMLRecord) -> Bool {
    kind == other.kind && isDropped == other.isDropped && typeTag == other.typeTag
      && (style == .plain) == (other.style == .plain) && first == other.first
      && count == other.count && next == other.next
  }
}

/// The elements of a sequence.
@usableFromInline
package struct YAMLElements: Collection, Sendable {
  @usableFromInline let tree: YAMLTree
  @usableFromInline let first: Int32
  @usableFromInline package let count: Int

  /// The place of an element, and the number of elements before it.
  @usableFromInline
  package struct Index: Comparable, Sendable {
    @usableFromInline let place: Int32
    @usableFromInline let number: Int32

    @inlinable
    init(place: Int32, number: Int32) {
      self.place = place
      self.number = number
    }

    @inlinable
    package static func == (left: Index, right: Index) -> Bool { left.number == right.number }
    @inlinable
    package static func < (left: Index, right: Index) -> Bool { left.number < right.number }
  }

  @inlinable
  init(tree: YAMLTree, first: Int32, count: Int) {
    self.tree = tree
    self.first = first
    self.count = count
  }

  @inlinable
  package var isEmpty: Bool { count == 0 }
  @inlinable
  package var startIndex: Index { Index(place: first, number: 0) }
  @inlinable
  package var endIndex: Index { Index(place: 0, number: Int32(count)) }

  @inlinable
  package func index(after index: Index) -> Index {
    Index(place: tree[index.place].next, number: index.number + 1)
  }

  @inlinable
  package subscript(index: Index) -> YAMLNode {
    YAMLNode(tree: tree, index: tree.target(index.place))
  }
}

/// The entries of a mapping.
@usableFromInline
package struct YAMLEntries: Collection, Sendable {
  @usableFromInline let tree: YAMLTree
  @usableFromInline let first: Int32
  @usableFromInline package let count: Int

  @usableFromInline package typealias Index = YAMLElements.Index

  @inlinable
  init(tree: YAMLTree, first: Int32, count: Int) {
    self.tree = tree
    self.first = first
    self.count = count
  }

  @inlinable
  package var isEmpty: Bool { count == 0 }
  @inlinable
  package var startIndex: Index { Index(place: count == 0 ? 0 : kept(first), number: 0) }
  @inlinable
  package var endIndex: Index { Index(place: 0, number: Int32(count)) }

  @inlinable
  package func index(after index: Index) -> Index {
    let number = index.number + 1
    let place = number < count ? kept(tree[tree[index.place].next].next) : 0
    return Index(place: place, number: number)
  }

  @inlinable
  package subscript(index: Index) -> YAMLEntry { YAMLEntry(tree: tree, place: index.place) }

  /// Returns the first key from a place on that is not skipped.
  @inlinable
  func kept(_ place: Int32) -> Int32 {
    var place = place
    while tree[place].isDropped { place = tree[tree[place].next].next }
    return place
  }
}

extension YAMLTree {
  fileprivate static let empty = YAMLTree(file: -1, records: [], texts: [])
}

extension YAMLElements {
  package static var none: YAMLElements { YAMLElements(tree: .empty, first: 0, count: 0) }
}

extension YAMLEntries {
  package static var none: YAMLEntries { YAMLEntries(tree: .empty, first: 0, count: 0) }
}
