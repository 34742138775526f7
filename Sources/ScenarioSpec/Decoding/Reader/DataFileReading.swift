import Diagnostics
import Values
import YAMLSyntax

/// Values in files of their own: `{ $file: order.json }`.
extension DocumentReader {
  /// Returns the path of the file that holds a value; nil if the value is written in place.
  func pathNode(_ entries: YAMLEntries) -> YAMLNode? {
    guard entries.count == 1, let entry = entries.first, entry.key == Key.fileOperator.rawValue
    else { return nil }
    return entry.value
  }

  /// Reads the value of a file. Its parts keep their places in that file.
  func readFile<Part>(_ node: YAMLNode, _ read: (ReadingContext, YAMLNode) -> Part?) -> Part? {
    guard let path = readText(node, .key(.fileOperator)), let file = open(path) else { return nil }
    let parsed = reading.labelling("this file is used here", path.range, most: .max) {
      parse(file, path)
    }
    guard let (root, text) = parsed else { return nil }
    // A file names no other file, so that none can name itself.
    let inner = ReadingContext(file: text)
    let part = read(inner, root)
    reading.labelling("this file is used here", path.range, most: .max) {
      for diagnostic in inner.diagnostics { report(diagnostic) }
    }
    return part
  }

  private func open(_ path: Located<String>) -> OpenedFile? {
    let opened = reading.tables.open(path, .data)
    for complaint in opened.diagnostics { report(complaint) }
    if opened.value == nil, opened.diagnostics.isEmpty { report(.misplacedDataFile(path)) }
    return opened.value
  }

  /// Returns the value of a file, and the text it was read from.
  private func parse(
    _ file: OpenedFile, _ path: Located<String>
  ) -> (root: YAMLNode, text: SourceFile)? {
    guard file.file.bytes.count <= TableLimit.fileSize else {
      report(.dataFileTooLarge(at: path.range))
      return nil
    }
    var text = file.file
    if path.value.hasSuffix(".json") {
      guard let bytes = yamlText(ofJSON: file) else { return nil }
      text = SourceFile(path: text.path, bytes: bytes)
    }
    let documents = parseYAML(text, index: file.index)
    for complaint in documents.diagnostics { report(complaint) }
    guard documents.value.count <= 1 else {
      report(.severalValues(in: path, documents.value[1].root.range))
      return nil
    }
    if documents.diagnostics.hasErrors { return nil }
    return documents.value.first.map { ($0.root, text) }
  }

  /// Returns JSON as YAML of the same length, in which each byte keeps its place.
  private func yamlText(ofJSON file: OpenedFile) -> [UInt8]? {
    let bytes = file.file.bytes
    let start = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    let parsed = bytes.withUnsafeBufferPointer {
      parseJSON(UnsafeBufferPointer(rebasing: $0[start...]), refusingDuplicateKeys: true)
    }
    guard case .failure(let problem) = parsed else { return spelledAsYAML(bytes) }
    let offset = Int32(min(start + problem.offset, bytes.count))
    let place = SourceRange(
      file: file.index, start: offset, end: min(offset + 1, Int32(bytes.count)))
    report(.wrongDataFile(problem.message, isExpression: bytes.isExpression(at: offset), at: place))
    return nil
  }
}

/// Replaces what JSON has and YAML has not: tabs, and characters that are written as two halves.
private func spelledAsYAML(_ json: [UInt8]) -> [UInt8] {
  var bytes = json
  var position = 0
  while position < bytes.count {
    switch bytes[position] {
    case UInt8(ascii: "\t"): bytes[position] = UInt8(ascii: " ")
    case UInt8(ascii: "\\"):
      if let escape = escape(ofHalvesAt: position, in: bytes) {
        // A line break after `\\` stands for nothing: it keeps the length.
        bytes.replaceSubrange(position..<position + 12, with: "\\\n\(escape)".utf8)
        position += 10
      }
      position += 1
    default: break
    }
    position += 1
  }
  return bytes
}

extension [UInt8] {
  fileprivate func isExpression(at offset: Int32) -> Bool {
    dropFirst(Int(offset)).starts(with: "${".utf8)
  }
}
