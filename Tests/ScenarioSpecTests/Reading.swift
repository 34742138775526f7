import Diagnostics
import ScenarioSpec
import Values
import YAMLSyntax

/// A text with its documents and diagnostics.
struct Reading {
  var sources: SourceMap
  var documents: [ScenarioDocument]
  var diagnostics: [Diagnostic]

  /// The files that examples read their tables and values from.
  static let exampleFiles = [
    "rows.csv": "start,limit\n1,2\n", "order.json": #"{ "count": "${count}" }"#,
  ]

  init(_ text: String, files: [String: String] = exampleFiles) {
    self.init(text, bytes: files.mapValues { Array($0.utf8) })
  }

  init(_ text: String, bytes: [String: [UInt8]]) {
    var sources = SourceMap()
    let file = SourceFile(path: "a.yaml", text: text)
    let index = sources.add(file)
    let yaml = parseYAML(file, index: index)
    let tables = TableFiles { path, _ in
      guard let bytes = bytes[path.value] else { return Diagnosed(nil) }
      let file = SourceFile(path: path.value, bytes: bytes)
      return Diagnosed(OpenedFile(file, index: sources.add(file)))
    }
    let decoded = decodeScenarios(yaml.value, in: sources, tables: tables)
    self.sources = sources
    documents = decoded.value.whole
    diagnostics = yaml.diagnostics + decoded.diagnostics
  }

  var first: ScenarioDocument? { documents.first }

  var ids: [String] { diagnostics.map(\.id.rawValue) }

  /// The diagnostics with their places: `3:5 unknown-key …`.
  var complaints: [String] {
    diagnostics.map { "\(place(of: $0)) \($0.id) \($0.message)" }
  }

  func place(of diagnostic: Diagnostic) -> String {
    guard let range = diagnostic.labels.first?.range, let file = sources.file(of: range) else {
      return "nowhere"
    }
    let place = file.place(of: Int(range.start))
    return "\(place.line):\(place.column)"
  }

  /// Returns the text that a range covers.
  func excerpt(_ range: SourceRange) -> String {
    guard let file = sources.file(of: range), range.start >= 0, range.end <= file.bytes.count,
      range.start <= range.end
    else { return "" }
    return String(decoding: file.bytes[Int(range.start)..<Int(range.end)], as: UTF8.self)
  }
}

extension SequenceSpec {
  /// The events, if they are written as a list.
  var events: [MatcherSpec] {
    if case .events(let events) = self { events } else { [] }
  }
}

extension DurationSpec {
  /// The length, if it is written out.
  var literal: Microseconds? {
    if case .literal(let length) = self { length.value } else { nil }
  }
}
