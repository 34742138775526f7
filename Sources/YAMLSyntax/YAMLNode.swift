import Diagnostics
import Values

/// One document of a file: what stands before, between or after `---` lines.
package struct YAMLDocument: Sendable {
  package var root: YAMLNode
  package var file: Int32
}

/// A piece of YAML and where it stands.
///
/// An alias stands for the node it names, so its range is where that node was written. Keys merged
/// with `<<` are entries like all others.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence(YAMLElements)
    case mapping(YAMLEntries)
  }

  let tree: YAMLTree
  let index: Int32

  /// The bytes of the content itself, without anchor and tag.
  package var range: SourceRange { tree.range(index) }
  /// Written with brackets or braces.
  package var isFlow: Bool { tree[index].isFlow }

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
package struct YAMLEntry: Sendable {
  let tree: YAMLTree
  /// Where the key lies; the value lies behind it.
  let place: Int32

  private var keyIndex: Int32 { tree.target(place) }

  package var keyScalar: YAMLScalar { tree.scalar(keyIndex) }
  package var value: YAMLNode { YAMLNode(tree: tree, index: tree.target(tree[place].next)) }

  /// The key as text, also where it is typed as something else (`1:`, `true:`).
  package var key: String { tree.text(keyIndex) }
  package var keyRange: SourceRange { tree.range(keyIndex) }
  /// The key as the core schema types it.
  package var keyValue: Value { keyScalar.value }
}

/// A piece of text in YAML, typed by the core schema where it is plain.
package struct YAMLScalar: Sendable {
  package enum Style: UInt8, Sendable {
    case plain, singleQuoted, doubleQuoted, literal, folded
  }

  /// What a tag such as `!!str` asks for instead of the core schema's reading.
  package enum TypeTag: UInt8, Sendable {
    case none, text, int, float, bool, null
  }

  package var text: String
  package var style: Style
  package var typeTag: TypeTag = .none
  package var range: SourceRange

  /// Whether nothing is written, as after `key:`.
  package var isAbsent: Bool { style == .plain && text.isEmpty }

  /// The scalar as plain data.
  package var value: Value {
    switch typeTag {
    case .none: style == .plain ? coreValue(of: text) : .string(text)
    case .text: .string(text)
    case .int, .float, .bool, .null: taggedValue(of: text, as: typeTag) ?? .string(text)
    }
  }

  /// Whether the scalar is text and not a number, a truth value or null.
  package var isText: Bool { if case .string = value { true } else { false } }
}

extension YAMLNode {
  /// The value under a key of a mapping.
  package subscript(key: String) -> YAMLNode? { entry(key)?.value }

  /// The element of a sequence.
  package subscript(index: Int) -> YAMLNode? {
    guard case .sequence(let elements) = content, index >= 0 else { return nil }
    return elements.dropFirst(index).first
  }

  /// The entry of a mapping that has this key.
  package func entry(_ key: String) -> YAMLEntry? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }
  }

  package var entries: [YAMLEntry]? {
    if case .mapping(let entries) = content { Array(entries) } else { nil }
  }
  package var elements: [YAMLNode]? {
    if case .sequence(let nodes) = content { Array(nodes) } else { nil }
  }
  package var scalar: YAMLScalar? { tree[index].kind == .scalar ? tree.scalar(index) : nil }

  /// The text of a scalar as written, whatever its type.
  package var text: String? { tree[index].kind == .scalar ? tree.text(index) : nil }

  package var isNull: Bool { if case .null? = scalar?.value { true } else { false } }

  /// What kind of node this is, in the words a scenario's author would use.
  package var kindName: String {
    switch content {
    case .scalar(let scalar): scalar.value.kindName
    case .sequence: "a list"
    case .mapping: "a map"
    }
  }

  /// The node as plain data; depth is bounded, as parsing bounds it.
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
