import Diagnostics
import Glibc
import ScenarioPlan
import Traces
import Values
import YAMLSyntax

/// The noise of a trace: a small file beside it, which people review.
struct NoiseFile {
  var places: [NoisePlace] = []
  /// By place: where it stands in the file.
  var ranges: [NoisePlace: SourceRange] = [:]

  /// Reads the noise beside a trace; a trace without such a file has none.
  static func read(beside trace: String, _ sources: inout SourceMap) -> Diagnosed<NoiseFile> {
    let path = noisePath(of: trace)
    guard access(path, F_OK) == 0 else { return Diagnosed(NoiseFile()) }
    switch readFile(path) {
    case .failure(let problem):
      return Diagnosed(NoiseFile(), [.unreadableTrace(path, problem.message)])
    case .success(let bytes):
      let file = SourceFile(path: path, bytes: bytes)
      var reader = NoiseReader(file: sources.add(file))
      reader.read(file)
      return Diagnosed(reader.noise, reader.diagnostics)
    }
  }
}

extension ReplayNoise {
  /// Reads the noise beside a trace.
  package static func read(
    beside trace: String, _ sources: inout SourceMap
  ) -> Diagnosed<ReplayNoise> {
    let file = NoiseFile.read(beside: trace, &sources)
    return Diagnosed(ReplayNoise(file.value.places), file.diagnostics)
  }
}

/// Returns the file of a trace's noise: `NAME.noise.json` beside `NAME.trace.jsonl`.
package func noisePath(of trace: String) -> String {
  String(bodiesFolder(of: trace).dropLast(".bodies".count)) + ".noise.json"
}

/// A reader of noise: the text of a file in, places and what is wrong out.
private struct NoiseReader {
  let file: Int32
  var noise = NoiseFile()
  var diagnostics: [Diagnostic] = []

  mutating func read(_ source: SourceFile) {
    if case .failure(let problem) = parseJSON(source.bytes, refusingDuplicateKeys: true) {
      let start = Int32(clamping: problem.offset)
      return complain(problem.message, SourceRange(file: file, start: start, end: start + 1))
    }
    // JSON is YAML as well, whose tree knows the places.
    let tree = parseYAML(source, index: file)
    guard let root = tree.value.first?.root, tree.diagnostics.isEmpty else {
      let range = tree.diagnostics.first?.labels.first?.range
      return complain(
        tree.diagnostics.first?.message ?? "it is empty",
        range ?? SourceRange(file: file, start: 0, end: 1))
    }
    guard root["noise"]?.value == .int(1), let places = root["places"]?.elements else {
      return complain("it has `\"noise\": 1` and a list `places`", root.range)
    }
    for node in places { take(node) }
  }

  private mutating func take(_ node: YAMLNode) {
    guard let entries = node.entries else { return complain("a place is an object", node.range) }
    var texts: [NoisePlace.Member: String] = [:]
    for entry in entries {
      guard let member = NoisePlace.Member(rawValue: entry.key) else {
        return complain("a place has no member `\(visibleText(entry.key))`", entry.keyRange)
      }
      guard case .string(let text) = entry.value.value else {
        return complain("`\(member.rawValue)` is a text", entry.value.range)
      }
      texts[member] = text
    }
    take(texts, node)
  }

  private mutating func take(_ texts: [NoisePlace.Member: String], _ node: YAMLNode) {
    guard let source = texts[.source], let name = texts[.kind], let pointer = texts[.pointer],
      let typeName = texts[.type]
    else {
      return complain("a place has `source`, `kind`, `pointer` and `type`", node.range)
    }
    guard let kind = TraceKind(rawValue: name) else {
      return complain("`\(visibleText(name))` is no kind of line", range(of: "kind", in: node))
    }
    guard pointer.isEmpty || pointer.hasPrefix("/") else {
      return complain("a JSON pointer is empty or begins with `/`", range(of: "pointer", in: node))
    }
    guard let type = NoiseType(rawValue: typeName) else {
      let names = NoiseType.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      return complain("`type` is one of \(names)", range(of: "type", in: node))
    }
    let scope = NoiseScope(source, kind, method: texts[.method], path: texts[.path])
    let place = NoisePlace(scope, pointer, type)
    noise.places.append(place)
    noise.ranges[place] = node.range
  }

  private func range(of key: String, in node: YAMLNode) -> SourceRange {
    node[key]?.range ?? node.range
  }

  private mutating func complain(_ rule: String, _ range: SourceRange) {
    diagnostics.append(.unreadableNoise(rule, range))
  }
}

extension Diagnostic {
  static func unreadableNoise(_ rule: String, _ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "unreadable-noise", "the noise of a trace cannot be read: \(rule)", labels: [.init(range)],
      help: "learn it again: `rehearse replay TRACE --learn OTHER`")
  }

  static func noiseNotInTrace(_ place: NoisePlace, _ range: SourceRange?) -> Diagnostic {
    let pointer = place.pointer.isEmpty ? "the whole value" : "`\(visibleText(place.pointer))`"
    let line = "\(place.scope.kind.rawValue) of `\(visibleText(place.scope.source))`"
    return Diagnostic(
      "noise-not-in-trace", "the trace has no \(line) with a \(place.type.rawValue) at \(pointer)",
      labels: range.map { [.init($0)] } ?? [], help: "remove this place")
  }

  static func passedNoise(_ count: Int, _ path: String) -> Diagnostic {
    Diagnostic(
      "noise-passed", severity: .warning,
      "`\(visibleText(path))` let \(count == 1 ? "1 value" : "\(count) values") pass")
  }

  package static func learnsFromOneRun(_ reason: String) -> Diagnostic {
    Diagnostic(
      "learn-from-one-run", "noise is learned from two complete recordings: \(reason)",
      help: "name a trace of one run, and another one: `rehearse replay TRACE --learn OTHER`")
  }
}

extension NoiseFile {
  /// Returns the noise that is allowed in a replay of a scenario.
  func rules(_ plan: ScenarioPlan) -> ReplayNoise {
    ReplayNoise(places, match: plan.traces.match, ignore: plan.traces.ignore)
  }
}
