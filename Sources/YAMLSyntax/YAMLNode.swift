import Diagnostics
import Values

/// One document of a file: the text before, between or after `---` lines.
package struct YAMLDocument: Sendable {
  package var root: YAMLNode
  package var file: Int32
}

/// A node of YAML and its place.
///
/// An alias is equal to the node it names, so its range is the place of that node. Keys merged with
/// `<<` are entries like all others.
@usableFromInline
package struct YAMLNode: Sendable {
  @usableFromInline
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence(YAMLElements)
    case mapping(YAMLEntries)
  }

  @usableFromInline let tree: YAMLTree
  @usableFromInline let index: Int32

  @inlinable
  init(tree: YAMLTree, index: Int32) {
    self.tree = tree
    self.index = index
  }

  /// The bytes of the content itself, without anchor and tag.
  @inlinable
  package var range: SourceRange { tree.range(index) }

  @inlinable
  package var content: Content {
    let record = tree[index]
    switch record.kind {
    case .scalar, .alias: return .scalar(tree.scalar(index))
    case .sequence:
      return .sequence(YAMLElements(tree: tree, first: record.first, count: Int(record.count)))
    case .mapping:
      return .mapping(YAMLEntries(tree: tree, first: record.first, count: Int(record.count)))
    }
  }
}

/// A key and its value; a mapping has each key once.
@usableFromInline
package struct YAMLEntry: Sendable {
  @usableFromInline let tree: YAMLTree
  /// The place of the key; the value follows it.
  @usableFromInline let place: Int32

  @inlinable
  init(tree: YAMLTree, place: Int32) {
    self.tree = tree
    self.place = place
  }

  @inlinable
  var keyIndex: Int32 { tree.target(place) }

  @inlinable
  package var keyScalar: YAMLScalar { tree.scalar(keyIndex) }
  @inlinable
  package var value: YAMLNode { YAMLNode(tree: tree, index: tree.target(tree[place].next)) }

  /// The key as text, even if it has another type (`1:`, `true:`).
  @inlinable
  package var key: String { tree.text(keyIndex) }
  @inlinable
  package var keyRange: SourceRange { tree.range(keyIndex) }
  /// The key with its type by the core schema.
  package var keyValue: Value { keyScalar.value }
}

/// A scalar of YAML; a plain one has its type by the core schema.
@usableFromInline
package struct YAMLScalar: Sendable {
  @usableFromInline
  package enum Style: UInt8, Sendable {
    case plain, singleQuoted, doubleQuoted, literal, folded
  }

  /// The type that a tag such as `!!str` requires instead of the core schema's.
  @usableFromInline
  package enum TypeTag: UInt8, Sendable {
    case none, text, int, float, bool, null
  }

  @usableFromInline package var text: String
  @usableFromInline package var style: Style
  @usableFromInline package var typeTag: TypeTag = .none
  @usableFromInline package var range: SourceRange

  @inlinable
  init(text: String, style: Style, typeTag: TypeTag = .none, range: SourceRange) {
    self.text = text
    self.style = style
    self.typeTag = typeTag
    self.range = range
  }

  /// True if nothing is written, as after `key:`.
  @inlinable
  package var isAbsent: Bool { style == .plain && text.isEmpty }

  /// The scalar as plain data.
  package var value: Value {
    switch typeTag {
    case .none: style == .plain ? coreValue(of: text) : .string(text)
    case .text: .string(text)
    case .int, .float, .bool, .null: taggedValue(of: text, as: typeTag) ?? .string(text)
    }
  }

  /// True if the scalar is written as a number that is too large for one. Its value is its text.
  package var isUnreadableNumber: Bool {
    guard style == .plain, typeTag == .none, let first = text.utf8.first, first < 0x3A, isText
    else { return false }
    return hasFormOfNumber(text)
  }

  /// The text as written, if the value of the scalar would be written in another way: `1.10`.
  package func spelling(besides value: Value) -> String? {
    style == .plain && typeTag == .none ? value.spelling(in: text) : nil
  }

  /// True if the scalar is text and not a number, a boolean or null.
  package var isText: Bool {
    if typeTag == .none {
      if style != .plain { return true }
      if let first = text.utf8.first, isSurelyText(first) { return true }
    }
    return if case .string = value { true } else { false }
  }
}

extension YAMLNode {
  /// Returns the value under a key of a mapping.
  package subscript(key: String) -> YAMLNode? { entry(key)?.value }

  /// Returns the element of a sequence.
  package subscript(index: Int) -> YAMLNode? {
    guard case .sequence(let elements) = content, index >= 0 else { return nil }
    return elements.dropFirst(index).first
  }

  /// Returns the entry of a mapping with this key.
  package func entry(_ key: String) -> YAMLEntry? {
    guard tree[index].kind == .mapping else { return nil }
    let entries = YAMLEntries(tree: tree, first: tree[index].first, count: Int(tree[index].count))
    return entries.first { $0.key == key }
  }

  package var entries: [YAMLEntry]? {
    if case .mapping(let entries) = content { Array(entries) } else { nil }
  }
  package var elements: [YAMLNode]? {
    if case .sequence(let nodes) = content { Array(nodes) } else { nil }
  }
  @inlinable
  package var scalar: YAMLScalar? { tree[index].kind == .scalar ? tree.scalar(index) : nil }

  /// The text of a scalar as written, for any type.
  @inlinable
  package var text: String? { tree[index].kind == .scalar ? tree.text(index) : nil }

  package var isNull: Bool { if case .null? = scalar?.value { true } else { false } }

  /// The kind of this node, in words for a scenario's author.
  package var kindName: String {
    switch content {
    case .scalar(let scalar): scalar.value.kindName
    case .sequence: "a list"
    case .mapping: "a map"
    }
  }

  /// The node as plain data. Parsing has already limited its depth.
  package var value: Value {
    switch content {
    case .scalar(let scalar): return scalar.value
    case .sequence(let elements): return .list(elements.map(\.value))
    case .mapping(let entries):
      var map = ValueMap()
      for entry in entries { map.updateValue(entry.value.value, forKey: entry.keyValue) }
      return .map(map)
    }
  }
}
