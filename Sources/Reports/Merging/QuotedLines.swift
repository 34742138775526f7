import Diagnostics
import Secrets

/// A line of a file that a diagnostic quotes, as a part of a report has it: without the file, the
/// diagnostic can be shown again as it was.
struct LineOfFile: Equatable {
  var path: String
  var number: Int
  var text: String

  /// The character in place of each character of a secret. Columns stay the same.
  static let hidden: Character = "\u{2592}"
  /// The characters of a line that are kept.
  static let longest = 10_000
}

extension FileReport {
  /// Returns the lines that diagnostics quote, in order, without secrets.
  func quotedLines(of diagnostics: [Diagnostic], _ mask: SecretMask) -> [LineOfFile] {
    var numbers: [Int32: Set<Int>] = [:]
    for diagnostic in diagnostics {
      var starts: [Int32: [Int]] = [:]
      for label in diagnostic.labels {
        guard let file = sources.file(of: label.range) else { continue }
        let lines = file.linesOfLabel(label.range)
        numbers[label.range.file, default: []].formUnion(lines)
        starts[label.range.file, default: []] += lines.prefix(1)
      }
      // A single line between two labels is quoted as well.
      for (file, starts) in starts {
        numbers[file]?.formUnion(starts.filter { starts.contains($0 + 2) }.map { $0 + 1 })
      }
    }
    let hiding = hiding(mask)
    return numbers.keys.sorted().flatMap { index in
      let file = sources.files[Int(index)]
      return (numbers[index] ?? []).sorted().map { number in
        let text = String(file.line(number).prefix(LineOfFile.longest))
        return LineOfFile(path: file.path, number: number, text: hidden(hiding(text), in: text))
      }
    }
  }

  private func hidden(_ secrets: [Range<Int>], in text: String) -> String {
    if secrets.isEmpty { return text }
    var offset = 0
    return String(
      text.map { character in
        defer { offset += character.utf8.count }
        let place = offset..<offset + character.utf8.count
        return secrets.contains { $0.overlaps(place) } ? LineOfFile.hidden : character
      })
  }
}

extension SourceFile {
  /// Returns the lines by which a label is drawn: that of its start, the last with visible text,
  /// and that of its end.
  fileprivate func linesOfLabel(_ range: SourceRange) -> [Int] {
    let end = Int(max(range.start, range.end))
    let inside = bytes[min(Int(range.start), bytes.count)..<min(end, bytes.count)]
    let visible = inside.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? Int(range.start)
    let lines = [Int(range.start), visible, end].map { place(of: $0).line }
    return lines.enumerated().filter { lines.firstIndex(of: $0.element) == $0.offset }
      .map(\.element)
  }
}

extension JSONWriter {
  mutating func addLines(_ lines: [LineOfFile]) {
    if lines.isEmpty { return }
    member("lines", listOf: lines) { writer, line in
      writer.object {
        $0.member("path", line.path)
        $0.member("line", line.number)
        $0.member("text", line.text)
      }
    }
  }
}
