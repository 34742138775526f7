import Diagnostics
import ScenarioPlan
import ScenarioRuns
import TextSearch
import Traces

extension MatchedLines {
  /// The warnings about lines that a scenario cannot be judged by as they are.
  func warnings(
    _ plan: ScenarioPlan, besides others: Set<String>, in file: Int32
  ) -> [Diagnostic] {
    stray.warnings(in: file) + late.map { Diagnostic.earlyLine($0, in: file) }
      + problems.diagnostics(in: file)
      + undeclaredSources(plan, besides: others, in: file)
  }

  /// The warnings about sources that no scenario of the file declares.
  private func undeclaredSources(
    _ plan: ScenarioPlan, besides others: Set<String>, in file: Int32
  ) -> [Diagnostic] {
    let known = Array(plan.namesInTraces.keys).sorted()
    var rest: [UndeclaredSource] = []
    var near: [(source: UndeclaredSource, nearest: String)] = []
    for source in undeclared {
      if let nearest = nearestName(to: source.name, among: known) {
        near.append((source, nearest))
      } else if !others.contains(source.name) {
        rest.append(source)
      }
    }
    var warnings = near.prefix(mostSourcesNamed).map {
      Diagnostic.nearlyDeclared($0.source, $0.nearest, in: file)
    }
    let more = near.dropFirst(mostSourcesNamed).map(\.source)
    if !more.isEmpty { warnings.append(.moreNearlyDeclared(more, in: file)) }
    return warnings + (rest.isEmpty ? [] : [.undeclared(rest, in: file)])
  }
}

extension Diagnostic {
  fileprivate static func earlyLine(_ place: TracePlace, in file: Int32) -> Diagnostic {
    Diagnostic(
      "trace-out-of-order", severity: .warning,
      "the time of this line is before that of the line above it",
      labels: [.init(place.range(in: file))],
      help: "it is judged as if it came at the time of the line above")
  }

  static func untilWithoutDate(_ place: TracePlace?, in file: Int32) -> Diagnostic {
    Diagnostic(
      "until-without-date", "`--until` names a time of day, and the trace has none",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      help: "write a time since its start such as `90s`, or one before its end such as `-1m`")
  }

  static func cutTrace(_ place: TracePlace, in file: Int32) -> Diagnostic {
    Diagnostic(
      "trace-cut", severity: .warning, "the trace was cut in the middle of its last line",
      labels: [.init(place.range(in: file))], help: "the lines above it are judged")
  }

  fileprivate static func nearlyDeclared(
    _ source: UndeclaredSource, _ nearest: String, in file: Int32
  ) -> Diagnostic {
    Diagnostic(
      "undeclared-source", severity: .warning,
      "\(eventCount(source.count)) of `\(visibleText(source.name))`"
        + " \(source.count == 1 ? "is" : "are") judged by nothing",
      labels: [.init(source.first.range(in: file))],
      notes: [.init("nearest", "the scenario declares `\(nearest)`")],
      help: "write `\(nearest): { from: \(visibleText(source.name)) }` if this source is meant")
  }

  /// Makes the warning of all further sources whose names are near to declared ones. A program that
  /// numbers its sources has thousands of them.
  fileprivate static func moreNearlyDeclared(
    _ sources: [UndeclaredSource], in file: Int32
  ) -> Diagnostic {
    let count = sources.map(\.count).reduce(0, +)
    let names = sources.count == 1 ? "1 more source" : "\(sources.count) more sources"
    let first = sources.min { $0.first.offset < $1.first.offset }
    return Diagnostic(
      "undeclared-source", severity: .warning,
      "\(eventCount(count)) of \(names) \(count == 1 ? "is" : "are") judged by nothing",
      labels: first.map { [.init($0.first.range(in: file))] } ?? [],
      notes: [.init("nearest", "their names are near to declared ones as well")],
      help: "declare those under `sources` whose events are to be judged")
  }

  fileprivate static func undeclared(_ sources: [UndeclaredSource], in file: Int32) -> Diagnostic {
    let count = sources.map(\.count).reduce(0, +)
    let names = sources.prefix(mostSourcesNamed).map {
      "`\(visibleText($0.name))` (\($0.count))"
    }
    let more = sources.count > mostSourcesNamed ? ", …" : ""
    let first = sources.min { $0.first.offset < $1.first.offset }
    return Diagnostic(
      "undeclared-source", severity: .warning,
      "\(eventCount(count)) of sources that are not declared \(count == 1 ? "is" : "are")"
        + " judged by nothing: \(names.joined(separator: ", "))\(more)",
      labels: first.map { [.init($0.first.range(in: file))] } ?? [],
      help: "declare those under `sources` whose events are to be judged")
  }
}

/// The most sources that a warning names.
private let mostSourcesNamed = 10

private func eventCount(_ count: Int) -> String { count == 1 ? "1 event" : "\(count) events" }
