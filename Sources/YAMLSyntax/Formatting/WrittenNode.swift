/// A part of a file as it is written: what stands where, in bytes of the file.
///
/// Unlike the tree that is loaded, it keeps anchors, aliases and the style of each text.
struct WrittenNode {
  enum Content {
    /// Nothing, as after `key:`.
    case absent
    /// An alias, or a text without quotes or in them.
    case inline
    /// A text in lines of its own. Its lines begin after this many blanks.
    case block(indentation: Int, BlockText)
    case list(isFlow: Bool, [WrittenNode])
    case map(isFlow: Bool, [WrittenEntry])
  }

  /// The anchor and the tag, as they are written.
  var properties: [Range<Int>] = []
  /// The first byte, of the properties if there are any.
  var start: Int
  /// The bytes of the content. A block ends where its last part ends.
  var content: Range<Int>
  var kind: Content

  var end: Int { content.upperBound }
}

/// A key and its value.
struct WrittenEntry {
  var key: WrittenNode
  var value: WrittenNode
}

/// The properties of the text of a block that decide how it must be written.
struct BlockText {
  /// True if the first line of the text begins with a blank, so that the indentation must be named.
  var beginsWithBlank: Bool
  /// True if the text ends with a line break.
  var endsWithBreak: Bool
}

/// A document of a file.
struct WrittenDocument {
  /// The place of `---`, if it is written.
  var marker: Int?
  var root: WrittenNode
  /// The first byte after the content: the next `---` or `...`, or the end of the file.
  var end: Int
  /// True if the document ends with `...`.
  var hasEndMarker: Bool
}
