import CEL
import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import Secrets
import TraceRecording
import Traces
import Verdicts

/// The runs whose timelines a report keeps.
package enum KeptTimelines: String, Sendable, CaseIterable {
  case none
  /// Those of runs that failed, also if a later try passed.
  case failed
  case all
}

/// The recording of one run for the timeline of a report.
final class TimelineRecording {
  private let plan: ScenarioPlan
  private let row: RowPlan?
  private let header: TraceHeader
  private let sources: SourceMap
  private let fileMask: SecretMask
  private let lines: StepLines
  private let kept = KeptPieces()
  let recorder: RunRecorder

  convenience init(
    _ plan: ScenarioPlan, _ inputs: RunInputs, _ suite: Suite, _ file: LoadedSuiteFile
  ) {
    var mask = TraceMask(
      plan, from: OutsideParties(of: plan, inputs.row, in: suite.world, file.head.sources))
    let header = TraceHeader(
      plan, RunFacts(of: plan, inputs, suite), file.tracedFiles, from: "", &mask,
      isWritten: false)
    self.init(
      plan, inputs.row, header, mask, in: file.head.sources, hiding: file.head.mask)
  }

  /// - Parameter fileMask: The mask of the whole file, for the lines of steps.
  init(
    _ plan: ScenarioPlan, _ row: RowPlan?, _ header: TraceHeader, _ mask: TraceMask,
    in sources: SourceMap, hiding fileMask: SecretMask
  ) {
    self.plan = plan
    self.row = row
    self.header = header
    self.sources = sources
    self.fileMask = fileMask
    lines = StepLines(sources)
    recorder = RunRecorder(
      plan, header, mask, settles: false, namesEvents: true,
      places: lines,
      write: { [kept] in kept.pieces.append($0) })
  }

  /// Ends the recording of a run of a sweep with what is wrong with it, and returns its timeline.
  func finish(_ log: EventLog, _ failures: [Diagnostic]) -> RunTimeline {
    let verdict = Verdict(
      failures.isEmpty ? .passed : .failed, failures: failures,
      duration: log.events.last?.time ?? 0)
    recorder.finish(verdict, failures, in: sources)
    return timeline(verdict)
  }

  /// Returns the timeline of a run whose recorder has finished.
  func timeline(_ verdict: Verdict) -> RunTimeline {
    let mask = plan.secretMask(of: row).adding(verdict.secrets)
    return RunTimeline(
      isVirtual: header.isVirtual == true, clock: header.clock, sources: plan.timelineSources,
      lines: lines.texts(hiding: { [fileMask] in mask.masked(fileMask.masked($0)) }), &kept.pieces)
  }
}

private final class KeptPieces {
  var pieces = TimelinePieces()
}

/// The places of steps that a run has reached, and the lines that they stand on.
private final class StepLines: TracedPlaces {
  private let sources: SourceMap
  private var places: [SourceRange: String] = [:]
  /// By file and line: the first column at which a step begins there.
  private var reached: [Int32: [Int: Int]] = [:]

  init(_ sources: SourceMap) { self.sources = sources }

  /// Returns `path:line:column`; nil if the range is in no file.
  func text(of range: SourceRange) -> String? {
    if let known = places[range] { return known }
    guard let file = sources.file(of: range) else { return nil }
    let place = file.place(of: Int(range.start))
    let text = "\(file.path):\(place.line):\(place.column)"
    places[range] = text
    let column = min(place.column, reached[range.file]?[place.line] ?? .max)
    reached[range.file, default: [:]][place.line] = column
    return text
  }

  func path(of path: String) -> String { path }

  func step(at range: SourceRange, includedBy includes: [SourceRange]) -> String? { nil }

  /// Returns the steps with all their lines, in the order of the files.
  func texts(hiding mask: (String) -> String) -> [RunTimeline.StepLine] {
    sources.files.enumerated().flatMap { index, file in
      (reached[Int32(index)] ?? [:]).sorted { $0.key < $1.key }.map { line, column in
        let text = file.lines(ofStepAt: line, column: column).joined(separator: "\n")
        return RunTimeline.StepLine(place: "\(file.path):\(line)", text: mask(text))
      }
    }
  }
}

extension SourceFile {
  /// The most lines of a step that are shown, and the most characters of a line.
  private static let mostLines = 60
  private static let longestLine = 300

  /// Returns the line at which a step begins, and the lines of its value: those are indented as far
  /// as its key.
  fileprivate func lines(ofStepAt first: Int, column: Int) -> [String] {
    var found: [String] = []
    for number in first..<first + SourceFile.mostLines {
      let text = line(number).prefix(SourceFile.longestLine)
      let isBlank = text.allSatisfy { $0 == " " }
      if number > first, isBlank || text.prefix(while: { $0 == " " }).count < column - 1 { break }
      found.append(String(text))
    }
    return found
  }
}

extension ScenarioPlan {
  /// The sources with their kinds. Nodes and streams also have what they read.
  fileprivate var timelineSources: [RunTimeline.Source] {
    sources.map { source in
      RunTimeline.Source(
        name: source.name, kind: word(for: source.kind), inputs: inputs(of: source.kind))
    }
  }

  private func word(for kind: SourcePlan.Kind) -> String {
    switch kind {
    case .node(let node):
      switch nodes[node].rule {
      case .stored: "stored"
      case .computed: "computed"
      case .latest: "latest"
      case .model: "model"
      }
    case .endpoint: "endpoint"
    case .reactorEvents, .componentEvents, .allEvents: "events"
    case .stream: "stream"
    case .connection: "connection"
    case .connectivity: "network"
    case .program: "program"
    case .declared: "source"
    }
  }

  private func inputs(of kind: SourcePlan.Kind) -> [String] {
    switch kind {
    case .node(let node):
      switch nodes[node].rule {
      case .stored, .model: []
      case .computed(let expression): names(readBy: expression)
      case .latest(let source, _, _): [sources[source].name]
      }
    case .stream(let stream):
      switch streams[stream].origin {
      case .merge(let inputs), .combineLatest(let inputs, _), .zip(let inputs, _):
        inputs.map { sources[$0.source].name }
      case .subject, .interval, .marble, .items: []
      }
    case .endpoint, .reactorEvents, .componentEvents, .allEvents, .connection, .connectivity,
      .program, .declared:
      []
    }
  }

  private func names(readBy expression: ExpressionPlan) -> [String] {
    var names: [String] = []
    for slot in expression.program.readSlots {
      let name: String? =
        switch slots[SlotID(slot)] {
        case .node(let node), .recomputes(let node): nodes[node].name
        case .eventCount(let source), .events(let source), .lastEvent(let source):
          sources[source].name
        case .variable, .column, .capture, .local, .matched, .now, .drawn, .address, .port, .temp:
          nil
        }
      if let name, !names.contains(name) { names.append(name) }
    }
    return names
  }
}
