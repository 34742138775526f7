import Diagnostics
import Values

/// All nodes of one document in one piece of memory, in the order in which they were read.
///
/// Nodes, entries and scalars are places in it. So reading a part copies nothing, and a whole
/// document is freed at once.
final class YAMLTree: Sendable {
  let file: Int32
  private let records: [YAMLRecord]
  private let texts: [String]

  init(file: Int32, records: [YAMLRecord], texts: [String]) {
    self.file = file
    self.records = records
    self.texts = texts
  }

  subscript(index: Int32) -> YAMLRecord { records[Int(index)] }

  /// Returns the node at a place; for an alias, its target.
  func target(_ index: Int32) -> Int32 {
    let record = records[Int(index)]
    return record.kind == .alias ? record.first : index
  }

  func range(_ index: Int32) -> SourceRange {
    let record = records[Int(index)]
    return SourceRange(file: file, start: record.start, end: record.end)
  }

  func text(_ index: Int32) -> String { texts[Int(records[Int(index)].first)] }

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
struct YAMLRecord: Sendable {
  enum Kind: UInt8, Sendable {
    case scalar, sequence, mapping, alias
  }

  let kind: Kind
  /// True if it is written with brackets or braces.
  var isFlow = false
  /// True if the node is the key of an entry that broke a rule and is skipped.
  var isDropped = false
  var style = YAMLScalar.Style.plain
  var typeTag = YAMLScalar.TypeTag.none
  var start: Int32
  var end: Int32
  /// The number of a scalar's text, the target of an alias, or else the first part.
  var first: Int32 = 0
  /// The number of elements or entries.
  var count: Int32 = 0
  /// The place after the node and all its parts.
  var next: Int32

  init(_ kind: Kind, at place: Int, start: Int32, end: Int32) {
    self.kind = kind
    self.start = start
    self.end = end
    next = Int32(place) + 1
  }

  fileprivate func hasSameContent(as other: YAMLRecord) -> Bool {
    kind == other.kind && isDropped == other.isDropped && typeTag == other.typeTag
      && (style == .plain) == (other.style == .plain) && first == other.first
      && count == other.count && next == other.next
  }
}

/// The elements of a sequence.
package struct YAMLElements: Collection, Sendable {
  let tree: YAMLTree
  let first: Int32
  package let count: Int

  /// The place of an element, and the number of elements before it.
  package struct Index: Comparable, Sendable {
    let place: Int32
    let number: Int32

    package static func == (left: Index, right: Index) -> Bool { left.number == right.number }
    package static func < (left: Index, right: Index) -> Bool { left.number < right.number }
  }

  package var isEmpty: Bool { count == 0 }
  package var startIndex: Index { Index(place: first, number: 0) }
  package var endIndex: Index { Index(place: 0, number: Int32(count)) }

  package func index(after index: Index) -> Index {
    Index(place: tree[index.place].next, number: index.number + 1)
  }

  package subscript(index: Index) -> YAMLNode {
    YAMLNode(tree: tree, index: tree.target(index.place))
  }
}

/// The entries of a mapping.
package struct YAMLEntries: Collection, Sendable {
  let tree: YAMLTree
  let first: Int32
  package let count: Int

  package typealias Index = YAMLElements.Index

  package var isEmpty: Bool { count == 0 }
  package var startIndex: Index { Index(place: count == 0 ? 0 : kept(first), number: 0) }
  package var endIndex: Index { Index(place: 0, number: Int32(count)) }

  package func index(after index: Index) -> Index {
    let number = index.number + 1
    let place = number < count ? kept(tree[tree[index.place].next].next) : 0
    return Index(place: place, number: number)
  }

  package subscript(index: Index) -> YAMLEntry { YAMLEntry(tree: tree, place: index.place) }

  /// Returns the first key from a place on that is not skipped.
  private func kept(_ place: Int32) -> Int32 {
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
