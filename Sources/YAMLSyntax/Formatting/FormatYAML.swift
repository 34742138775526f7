import Diagnostics

/// The number of characters that lists and maps in brackets may fill in a line.
package let usualYAMLWidth = 120

/// The result of formatting a file.
package enum FormattedYAML: Sendable, Equatable {
  /// The bytes of the one form, which may be those that the file has.
  case formatted([UInt8])
  /// The file stays as it is; the complaint says why.
  case refused([Diagnostic])
}

/// Returns a file in the one form of this project. It reads as the same values as before: that is
/// checked for each file, and one that would not is left alone.
package func formatYAML(_ file: SourceFile, width: Int = usualYAMLWidth) -> FormattedYAML {
  let before = parseYAML(file, index: 0)
  guard !before.diagnostics.hasErrors else {
    return .refused(before.diagnostics.filter { $0.severity == .error })
  }
  let source = withPlainBreaks(file.bytes)
  switch write(source, width: width) {
  case .refused(let place): return .refused([.notFormatted(place)])
  case .written(let bytes):
    let after = parseYAML(SourceFile(path: file.path, bytes: bytes), index: 0)
    let isSame = zip(before.value, after.value).allSatisfy { $0.hasSameContent(as: $1) }
    guard before.value.count == after.value.count, isSame, !after.diagnostics.hasErrors else {
      return .refused([.notFormatted(0)])
    }
    return .formatted(bytes)
  }
}

private enum Writing {
  case written([UInt8])
  /// The offset of what has no form.
  case refused(Int)
}

private func write(_ source: [UInt8], width: Int) -> Writing {
  source.withUnsafeBufferPointer { source in
    var reader = SyntaxReader(source)
    guard reader.read(), !reader.hasDirectives else { return .refused(0) }
    let comments = findComments(source, between: reader.leaves)
    var writer = BlockWriter(source, comments, width: width)
    for document in reader.documents { writer.write(document) }
    let bytes = writer.finish()
    return writer.unsupported.map { .refused($0) } ?? .written(bytes)
  }
}

/// Returns the bytes with one kind of line break, and without the mark that some editors put first.
private func withPlainBreaks(_ bytes: [UInt8]) -> [UInt8] {
  let content =
    bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
  guard content.contains(UInt8(ascii: "\r")) else { return Array(content) }
  var plain: [UInt8] = []
  plain.reserveCapacity(content.count)
  for (place, byte) in zip(content.indices, content) {
    let next = place + 1 < content.endIndex ? content[place + 1] : 0
    if byte != UInt8(ascii: "\r") { plain.append(byte) }
    if byte == UInt8(ascii: "\r"), next != UInt8(ascii: "\n") { plain.append(UInt8(ascii: "\n")) }
  }
  return plain
}

extension Diagnostic {
  static func notFormatted(_ offset: Int) -> Diagnostic {
    Diagnostic(
      "not-formatted", severity: .warning,
      "this file has something that `fmt` cannot write again, and stays as it is",
      labels: [Diagnostic.Label(SourceRange(file: 0, start: Int32(offset), end: Int32(offset)))],
      help: "keys of several lines, lists as keys and `%` directives have no form here")
  }
}
