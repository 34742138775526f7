import Diagnostics

/// A reader of the usual form of YAML. It takes a fifth of libyaml's instructions.
///
/// The usual form has blocks, brackets and braces, and scalars that end in the line in which they
/// begin. A text with anything else, and any broken text, is unusual: libyaml reads it from the
/// beginning. What this reader takes, it takes as libyaml does, with the same places.
/// `UsualFormTests` compares both.
struct UsualFormReader {
  /// An open list or mapping that is written without brackets or braces.
  struct Level {
    enum Kind {
      case mapping, sequence
      /// A list whose dashes stand under the key that it belongs to.
      case sequenceOfKey
    }

    var kind: Kind
    var column: Int
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var builder: TreeBuilder
  var position: Int
  var lineStart: Int
  var levels: [Level] = []
  /// True if a document has begun, and if its root has.
  private var isInDocument = false
  private var hasRoot = false

  private init(_ builder: TreeBuilder, from start: Int) {
    bytes = builder.source
    self.builder = builder
    position = start
    lineStart = start
  }

  /// Reads all documents into a new builder. Returns nil if the text is not of the usual form.
  static func read(
    into builder: TreeBuilder, from start: Int, isASCII: Bool
  ) -> TreeBuilder? {
    let bytes = builder.source
    guard bytes.count <= UsualForm.fileSize, isASCII || !hasRareLineBreak(bytes) else {
      return nil
    }
    var reader = UsualFormReader(builder, from: start)
    guard (try? reader.readDocuments()) != nil else { return nil }
    return reader.builder
  }

  private mutating func readDocuments() throws(UnusualForm) {
    try skipToContent()
    while !isAtEnd {
      if column == 0, isSeparator { try separate() } else { try readLine() }
    }
    try endDocument()
  }

  /// Reads the content of this line, and of the lines up to the next that begins with a key or an
  /// entry of an open mapping or list.
  private mutating func readLine() throws(UnusualForm) {
    while let level = levels.last, column < level.column { try closeLevel() }
    guard let level = levels.last else { return try readRoot() }
    guard column == level.column else { throw UnusualForm() }
    switch level.kind {
    case .mapping: try readEntry()
    case .sequence: try readElement()
    case .sequenceOfKey:
      if isDash { return try readElement() }
      try closeLevel()
      try readEntry()
    }
  }

  private mutating func readRoot() throws(UnusualForm) {
    guard !hasRoot else { throw UnusualForm() }
    if !isInDocument { beginDocument() }
    hasRoot = true
    try readBlock()
    if levels.isEmpty { throw UnusualForm() }
  }

  private mutating func beginDocument() {
    builder.beginDocument()
    isInDocument = true
    hasRoot = false
  }

  private mutating func endDocument() throws(UnusualForm) {
    guard hasRoot else { throw UnusualForm() }
    while !levels.isEmpty { try closeLevel() }
    builder.endDocument()
  }

  /// Goes past a line `---`.
  private mutating func separate() throws(UnusualForm) {
    if isInDocument { try endDocument() }
    beginDocument()
    position += 3
    try endLine()
  }

  private var isSeparator: Bool {
    let isMark = current == UInt8(ascii: "-") && byte(at: position + 1) == UInt8(ascii: "-")
    return isMark && byte(at: position + 2) == UInt8(ascii: "-")
  }
}

enum UsualForm {
  /// The most bytes of a file. A file of this size has fewer nodes than the least limit of nodes.
  static let fileSize = 1_000_000
  /// The most bytes of a key; libyaml takes 1024 characters.
  static let keySize = 1000
}

/// The text is not of the usual form.
struct UnusualForm: Error {}

/// Returns whether there is a line break that only few programs know: U+0085, U+2028 or U+2029.
private func hasRareLineBreak(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  bytes.indices.contains { position in
    switch bytes[position] {
    case 0xC2: position + 1 < bytes.count && bytes[position + 1] == 0x85
    case 0xE2:
      position + 2 < bytes.count && bytes[position + 1] == 0x80 && bytes[position + 2] | 1 == 0xA9
    default: false
    }
  }
}
