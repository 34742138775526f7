import CLibYAML
import Diagnostics

/// Reads all documents of a file; documents with a syntax error are left out, and named.
///
/// The index is the file's place in a `SourceMap`, by which ranges name it. Diagnostics stand in
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
    // Errors are kept before warnings, as they decide whether the file can be used.
    let errors = parsed.diagnostics.filter { $0.severity == .error }
    parsed.diagnostics = Array(
      (errors.isEmpty ? parsed.diagnostics : errors).prefix(YAMLLimit.diagnostics))
  }
  return parsed
}

package enum YAMLLimit {
  /// How deep lists and maps may be nested, aliases counted as what they stand for.
  package static let depth = 128
  /// How many nodes a document may have, aliases counted as what they stand for.
  package static let nodes = 1_000_000
  /// How many bytes a file may have.
  package static let fileSize = 64 << 20
  /// How many bytes that YAML does not allow are named one by one.
  package static let namedBytes = 20
  /// How many complaints about one file are kept.
  package static let diagnostics = 1000
  /// How many documents with a syntax error are looked for.
  package static let brokenDocuments = 100
}

/// Reads chunk after chunk: libyaml gives up at its first problem, so what follows is read anew
/// from the next line that begins a document, which no text within a document can look like.
private func parseDocuments(
  _ bytes: UnsafeBufferPointer<UInt8>, file: Int32, isASCII: Bool
) -> Diagnosed<[YAMLDocument]> {
  var start: Int? = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
  var builder = TreeBuilder(
    source: bytes, file: file,
    offsets: CharacterOffsets(UnsafeBufferPointer(rebasing: bytes[0..<0]), base: 0, isASCII: true))
  var brokenCount = 0
  while let begin = start, brokenCount < YAMLLimit.brokenDocuments {
    let chunk = UnsafeBufferPointer(rebasing: bytes[begin...])
    builder.offsets = CharacterOffsets(chunk, base: begin, isASCII: isASCII)
    start = read(chunk, into: &builder).map { nextDocument(bytes, after: $0, began: begin) } ?? nil
    brokenCount += 1
  }
  return Diagnosed(builder.documents, builder.diagnostics)
}

/// Reads until the end or the first problem, and returns where that was.
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
    openFlow: builder.frames.last { $0.isFlow }?.start)
  builder.breakDocument(complaint.diagnostic, at: problem.offset)
  return problem.offset
}

/// The next line `---` at or behind an offset, but not the one the broken document began with.
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

/// One mistake in one place is named once.
private func isRepetition(_ diagnostic: Diagnostic, of last: Diagnostic?) -> Bool {
  diagnostic.id == last?.id
    && diagnostic.labels.first?.range.start == last?.labels.first?.range.start
}
