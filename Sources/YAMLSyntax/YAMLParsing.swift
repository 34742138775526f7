import CLibYAML
import Diagnostics

/// Reads all documents of a file. Documents with a syntax error are left out and reported.
///
/// The index is the file's place in a `SourceMap`; ranges name the file by it. Diagnostics are in
/// the order of their places.
package func parseYAML(_ file: SourceFile, index: Int32) -> Diagnosed<[YAMLDocument]> {
  guard file.bytes.count <= YAMLLimit.fileSize else {
    return Diagnosed([], [.fileTooLarge(file.bytes.count, file: index)])
  }
  let check = SourceCheck(file.bytes, file: index)
  var parsed = check.bytes.withUnsafeBufferPointer {
    parseDocuments($0, file: index, isASCII: check.isASCII)
  }
  parsed.diagnostics += check.diagnostics
  if parsed.value.isEmpty, parsed.diagnostics.isEmpty {
    parsed.diagnostics.append(.emptyFile(index))
  }
  sortByPlace(&parsed.diagnostics)
  if parsed.diagnostics.count > YAMLLimit.diagnostics {
    // Errors are kept before warnings, because they decide whether the file can be used.
    let errors = parsed.diagnostics.filter { $0.severity == .error }
    parsed.diagnostics = Array(
      (errors.isEmpty ? parsed.diagnostics : errors).prefix(YAMLLimit.diagnostics))
  }
  return parsed
}

package enum YAMLLimit {
  /// The nesting depth of lists and maps; an alias counts as its target.
  package static let depth = 128
  /// The number of nodes in a document; an alias counts as its target.
  package static let nodes = 1_000_000
  /// The number of nodes that are written in a file.
  package static let nodesInFile = 2_000_000
  /// The number of bytes at the beginning of a file that show its encoding.
  static let bytesOfEncoding = 512
  /// The number of bytes in a file.
  package static let fileSize = 64 << 20
  /// The number of forbidden bytes that are reported one by one.
  package static let namedBytes = 20
  /// The number of diagnostics about one file that are kept.
  package static let diagnostics = 1000
  /// The number of documents with a syntax error that are reported.
  package static let brokenDocuments = 100
}

/// Reads chunk after chunk, because libyaml stops at its first problem. The next chunk begins at
/// the next line that begins a document. No text within a document can look like such a line.
private func parseDocuments(
  _ bytes: UnsafeBufferPointer<UInt8>, file: Int32, isASCII: Bool
) -> Diagnosed<[YAMLDocument]> {
  var builder = TreeBuilder(source: bytes, file: file)
  var start: Int? = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
  var brokenCount = 0
  while let begin = start, brokenCount < YAMLLimit.brokenDocuments {
    let chunk = UnsafeBufferPointer(rebasing: bytes[begin...])
    builder.offsets = CharacterOffsets(chunk, base: begin, isASCII: isASCII)
    start = read(chunk, into: &builder).map { nextDocument(bytes, after: $0, began: begin) } ?? nil
    brokenCount += 1
  }
  return Diagnosed(builder.documents, builder.diagnostics)
}

/// Reads until the end or the first problem, and returns the offset of that place.
private func read(_ chunk: UnsafeBufferPointer<UInt8>, into builder: inout TreeBuilder) -> Int? {
  let reader = EventReader(chunk)
  var event = yaml_event_t()
  defer { yaml_event_delete(&event) }
  while reader.advance(&event) {
    switch builder.take(event) {
    case .goOn: break
    case .finished: return nil
    case .abandon:
      return builder.offsets.byteOffset(ofCharacter: event.start_mark.index)
    }
  }
  var problem = reader.problem
  problem.offset = builder.offsets.byteOffset(ofCharacter: problem.offset)
  problem.contextOffset = problem.contextOffset.map { builder.offsets.byteOffset(ofCharacter: $0) }
  let complaint = SyntaxComplaint(
    source: builder.source, file: builder.file, problem: problem,
    openFlow: builder.openFlow)
  builder.breakDocument(complaint.diagnostic, at: problem.offset)
  return problem.offset
}

/// Returns the next line `---` at or after an offset, but not the one that began the broken
/// document.
private func nextDocument(
  _ bytes: UnsafeBufferPointer<UInt8>, after offset: Int, began: Int
) -> Int? {
  var at = min(max(offset, began), bytes.count)
  while at > began, !isBreak(bytes[at - 1]) { at -= 1 }
  if at == began { at += 1 }
  while at + 3 <= bytes.count {
    let isMarker = bytes[at] == 0x2D && bytes[at + 1] == 0x2D && bytes[at + 2] == 0x2D
    if isMarker, isBreak(bytes[at - 1]), at + 3 == bytes.count || isBlankOrBreak(bytes[at + 3]) {
      return at
    }
    at += 1
  }
  return nil
}

private func sortByPlace(_ diagnostics: inout [Diagnostic]) {
  guard diagnostics.count > 1 else { return }
  let placed = diagnostics.enumerated().map {
    (start: $0.element.labels.first?.range.start ?? 0, order: $0.offset, diagnostic: $0.element)
  }
  let sorted = placed.sorted { ($0.start, $0.order) < ($1.start, $1.order) }.map(\.diagnostic)
  diagnostics = []
  for diagnostic in sorted where !isRepetition(diagnostic, of: diagnostics.last) {
    diagnostics.append(diagnostic)
  }
}

/// Returns whether this repeats the last diagnostic: one mistake in one place is reported once.
private func isRepetition(_ diagnostic: Diagnostic, of last: Diagnostic?) -> Bool {
  diagnostic.id == last?.id
    && diagnostic.labels.first?.range.start == last?.labels.first?.range.start
}
