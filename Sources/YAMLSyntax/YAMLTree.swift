import Diagnostics
import Values

/// All nodes of one document in one piece of memory, in the order in which they were read.
///
/// Nodes, entries and scalars are places in it: reading on copies nothing, and a whole document is
/// given back at once.
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

  /// What stands at a place; an alias is what it stands for.
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

/// One node as it lies in a tree.
struct YAMLRecord: Sendable {
  enum Kind: UInt8, Sendable {
    case scalar, sequence, mapping, alias
  }

  let kind: Kind
  /// Written with brackets or braces.
  var isFlow = false
  /// For a key: the entry broke a rule and is passed over.
  var isDropped = false
  var style = YAMLScalar.Style.plain
  var typeTag = YAMLScalar.TypeTag.none
  var start: Int32
  var end: Int32
  /// Of a scalar the number of its text, of an alias what it stands for, else the first part.
  var first: Int32 = 0
  /// How many elements or entries there are.
  var count: Int32 = 0
  /// The place behind the node and all its parts.
  var next: Int32

  init(_ kind: Kind, at place: Int, start: Int32, end: Int32) {
    self.kind = kind
    self.start = start
    self.end = end
    next = Int32(place) + 1
  }
}

/// The elements of a sequence.
package struct YAMLElements: Collection, Sendable {
  let tree: YAMLTree
  let first: Int32
  package let count: Int

  /// Where an element lies, and how many stand before it.
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

  /// The first key from a place on that is not passed over.
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
