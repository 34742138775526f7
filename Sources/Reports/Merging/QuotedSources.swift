import Diagnostics

/// The texts of files as far as the parts of a report quote them. All other lines are empty.
struct QuotedSources {
  private(set) var map = SourceMap()
  private var numbers: [String: Int32] = [:]

  /// The largest number of a line. A line with a larger one is not quoted.
  static let mostLines = 1_000_000

  /// - Parameter lines: By path and number: the text.
  init(_ lines: [String: [Int: String]]) {
    for path in lines.keys.sorted() {
      let known = lines[path] ?? [:]
      let texts = (1...max(1, known.keys.max() ?? 1)).map { known[$0] ?? "" }
      numbers[path] = map.add(SourceFile(path: path, text: texts.joined(separator: "\n")))
    }
  }

  /// Makes it of texts that are known as a whole.
  init(_ map: SourceMap) {
    self.map = map
    for (number, file) in map.files.enumerated() { numbers[file.path] = Int32(number) }
  }

  /// Returns the range between two places; `.none` if the file is not quoted.
  func range(_ path: String, from start: (Int, Int), to end: (Int, Int)) -> SourceRange {
    guard let number = numbers[path] else { return .none }
    let file = map.files[Int(number)]
    let first = file.offset(ofLine: start.0, column: start.1)
    let last = file.offset(ofLine: end.0, column: end.1)
    guard let first, let last, let start = Int32(exactly: first),
      let end = Int32(exactly: max(first, last))
    else { return .none }
    return SourceRange(file: number, start: start, end: end)
  }
}

extension SourceFile {
  /// Returns the byte at a line and a column, both from 1; nil if the line does not exist.
  fileprivate func offset(ofLine number: Int, column: Int) -> Int? {
    guard let start = start(ofLine: number) else { return nil }
    return start + line(number).prefix(max(1, column) - 1).utf8.count
  }
}
