import Diagnostics
import ScenarioSpec

/// The longest row of streams that is searched. Longer ones are an error.
private let longestSearch = 500

/// The search for streams that are followed late, and have emitted their values by then.
///
/// A stream that follows others begins with the scenario. What subscribes to it again, or later,
/// misses what it has emitted before, although diagrams and items behind it would start again.
extension PlanCompiler {
  func warnOfLiveStreams() {
    if plan.streams.isEmpty { return }
    var search = LiveStreamSearch(streams: plan.streams, sources: plan.sources)
    for stream in plan.streams {
      for (step, source) in stream.operators.flatMap({ $0.sourcesFollowedLate(in: stream) }) {
        guard case .stream(let id) = plan.sources[source].kind, !plan.streams[id].isCold,
          search.couldStartAgain(id)
        else { continue }
        report(.liveStreamAgain(step, plan.streams[id]))
      }
    }
  }
}

extension StreamOperatorPlan {
  /// The sources that the operator, or one of a group, subscribes to after the start of its stream.
  fileprivate func sourcesFollowedLate(
    in stream: StreamPlan
  ) -> [(step: StreamOperatorPlan, source: SourceID)] {
    // All that the operators of a group follow is followed with its first value.
    guard case .groupBy(_, let operators) = kind else {
      switch follows {
      case .later: return sources.map { (self, $0) }
      case .again: return stream.origins.map { (self, $0) }
      case .before, .after, .instead: return []
      }
    }
    return operators.flatMap { step in
      step.kind.operatorsOfGroup.isEmpty
        ? step.sources.map { (step, $0) } : step.sourcesFollowedLate(in: stream)
    }
  }
}

/// Finds the streams that are made only of what is written down.
private struct LiveStreamSearch {
  private let streams: Table<StreamPlan>
  private let sources: Table<SourcePlan>
  private var known: PerID<StreamPlan, Bool?>
  private var depth = 0

  init(streams: Table<StreamPlan>, sources: Table<SourcePlan>) {
    self.streams = streams
    self.sources = sources
    known = PerID(repeating: nil, for: streams)
  }

  /// Returns whether a stream would start again for each subscriber with `cold`, and nothing in it
  /// says that it shall not.
  mutating func couldStartAgain(_ id: StreamID) -> Bool {
    if let found = known[id] { return found }
    // Streams in a cycle are an error.
    known[id] = false
    depth += 1
    let found = depth <= longestSearch && judge(streams[id])
    depth -= 1
    known[id] = found
    return found
  }

  private mutating func judge(_ stream: StreamPlan) -> Bool {
    if stream.isCold { return true }
    if stream.startsAgain == false || stream.replay != nil { return false }
    if stream.operators.contains(where: \.isShare) || stream.origins.isEmpty { return false }
    for source in stream.origins {
      guard case .stream(let next) = sources[source].kind, couldStartAgain(next) else {
        return false
      }
    }
    return true
  }
}

extension Diagnostic {
  /// A stream that gives nothing to an operator that follows it late.
  fileprivate static func liveStreamAgain(
    _ step: StreamOperatorPlan, _ followed: StreamPlan
  ) -> Diagnostic {
    Diagnostic(
      "live-stream-again", severity: .warning,
      "`\(step.name.value)` follows `\(followed.name)`, which does not start again for it",
      labels: [
        .init(step.name.range, "subscribes after the start"),
        .init(followed.range, "is shared, and begins with the scenario"),
      ],
      help: "write `cold: true` in `\(followed.name)`, or `cold: false` if that is what you want")
  }
}
