import Diagnostics
import ScenarioSpec

/// So many operators and streams may lie one behind the other: each passes a value on to the next
/// while it is still being passed on itself.
private let deepestStream = 500

/// The order of streams: which of them stand behind others.
extension PlanCompiler {
  /// Streams that wait for each other would never begin.
  func refuseStreamCycles() {
    guard !plan.streams.isEmpty else { return }
    var walk = StreamWalk(plan)
    for stream in plan.streams.indices { _ = walk.depth(of: stream) }
    for circle in walk.circles { report(.streamCycle(circle.map { plan.streams[$0] })) }
    if let deep = walk.tooDeep { report(.streamTooDeep(plan.streams[deep])) }
  }
}

/// Goes through the streams behind each stream, at most as deep as these may be.
private struct StreamWalk {
  private enum Visit {
    case new, open
    case done(depth: Int)
  }

  private let plan: PlanContents
  private var state: PerID<StreamPlan, Visit>
  private var path: [StreamID] = []
  private(set) var circles: [[StreamID]] = []
  private(set) var tooDeep: StreamID?

  init(_ plan: PlanContents) {
    self.plan = plan
    state = PerID(repeating: .new, for: plan.streams)
  }

  /// Returns the largest number of streams and operators that a value passes before it leaves this
  /// stream.
  mutating func depth(of stream: StreamID) -> Int {
    switch state[stream] {
    case .done(let depth): return depth
    case .open:
      circles.append(Array(path[(path.firstIndex(of: stream) ?? 0)...]))
      return 0
    case .new: break
    }
    state[stream] = .open
    path.append(stream)
    var deepest = 0
    if path.count > deepestStream { tooDeep = tooDeep ?? path[0] }
    for next in streams(behind: stream) where tooDeep == nil {
      deepest = max(deepest, depth(of: next))
    }
    path.removeLast()
    let depth = deepest + 1 + plan.streams[stream].operatorDepth
    if depth > deepestStream { tooDeep = tooDeep ?? stream }
    state[stream] = .done(depth: depth)
    return depth
  }

  private func streams(behind stream: StreamID) -> [StreamID] {
    plan.streams[stream].sources.compactMap {
      if case .stream(let read) = plan.sources[$0].kind { read } else { nil }
    }
  }
}

extension Diagnostic {
  static func streamCycle(_ streams: [StreamPlan]) -> Diagnostic {
    let path = (streams + streams.prefix(1)).map { "`\($0.name)`" }.joined(separator: " ← ")
    return Diagnostic(
      "stream-cycle", "a stream cannot be fed by itself",
      labels: streams.enumerated().map { .init($1.range, $0 == 0 ? path : "") },
      help: "let a step or an action send into a subject instead")
  }

  static func streamTooDeep(_ stream: StreamPlan) -> Diagnostic {
    Diagnostic(
      "out-of-range",
      "at most \(deepestStream) streams and operators may stand one behind the other",
      labels: [.init(stream.range, "more than that up to here")],
      help: "do more in one operator, or let a step or an action send into a subject")
  }

  /// A stream with parameters that is named where no values can be given.
  static func streamTakesParameters(
    _ name: Located<String>, _ parameters: [String]
  ) -> Diagnostic {
    Diagnostic(
      "missing-parameters", "`\(name.value)` has parameters, so it starts only for a call",
      labels: [.init(name.range)],
      help: "write `switch: { stream: \(name.value), with: { \(entries(for: parameters)) } }` in "
        + "another stream")
  }

  /// A subject or a hot diagram with parameters.
  static func parametersOfHotStream(_ parameter: Located<String>) -> Diagnostic {
    Diagnostic(
      "parameters-of-hot-stream", "a stream with parameters starts for each call",
      labels: [.init(parameter.range, "a subject or a `hot` diagram exists once")],
      help: "give `params` to another stream, and write `from` with this one there")
  }

  static func intervalOfNothing(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "out-of-range", "an interval is longer than nothing", labels: [.init(range)],
      help: "write how long it is, such as `1s`")
  }
}
