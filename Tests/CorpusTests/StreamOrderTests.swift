import Diagnostics
import Events
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Values

/// Streams that are made from each other, at random: who else watches one changes neither what the
/// others emit nor the order.
@Suite struct StreamOrderTests {
  private static let graphs =
    getenv("STREAM_GRAPHS").flatMap { UInt64(String(cString: $0)) } ?? 200

  @Test func `a stream emits the same in the same order, with more watchers or without`() {
    for seed in 0..<Self.graphs {
      let graph = StreamGraph(seed: seed)
      let alone = events(graph.scenario(watched: false))
      let watched = events(graph.scenario(watched: true))
      guard alone != watched else { continue }
      let place = zip(alone, watched).prefix { $0 == $1 }.count
      Issue.record(
        """
        seed \(seed), event \(place): \(alone[ifPresent: place] ?? "none") alone, and \
        \(watched[ifPresent: place] ?? "none") watched
        \(graph.scenario(watched: true))
        """)
    }
  }

  /// Returns the events of the streams of the graph; those of watchers begin with `w`.
  private func events(_ text: String) -> [String] {
    let loading = Loading(text)
    guard let plan = loading.plan, let run = loading.run() else {
      Issue.record("\(loading.complaints) \(text)")
      return []
    }
    return run.log.events.compactMap { event in
      guard case .source(let kind) = event.kind else { return nil }
      switch kind {
      case .emitted(let source, let value):
        return line(plan.sources[source].name, event.time, value.json())
      case .finished(let source, let error):
        return line(plan.sources[source].name, event.time, error?.json() ?? "end")
      case .subscribed, .unsubscribed: return nil
      }
    }
  }

  private func line(_ name: String, _ time: Int64, _ text: String) -> String? {
    name.hasPrefix("s") ? "\(name) at \(time): \(text)" : nil
  }
}

/// A few streams, subjects and diagrams among them, and watchers of some of them.
private struct StreamGraph {
  private var streams: [(name: String, text: String)] = []
  private var watchers: [(place: Int, name: String, text: String)] = []
  private var subjects: [String] = []
  private var random: UInt64

  init(seed: UInt64) {
    random = seed &* 7919 &+ 1
    let names = (0..<4 + below(5)).map { "s\($0)" }
    let roots = 2 + below(2)
    for (place, name) in names.enumerated() {
      let text = place < roots ? root(name) : derived(from: Array(names[..<place]))
      streams.append((name, text))
    }
    if below(10) < 6 { shuffle() }
    for number in 0..<1 + below(3) {
      let text = "{ from: \(names[below(names.count)]) }"
      watchers.append((below(streams.count + 1), "w\(number)", text))
    }
  }

  /// A linear congruential generator: the same graphs in every run.
  private mutating func below(_ bound: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(random >> 33) % bound
  }

  private mutating func shuffle() {
    for place in streams.indices.dropFirst() { streams.swapAt(place, below(place + 1)) }
  }

  private mutating func root(_ name: String) -> String {
    let diagram = (0..<1 + below(4)).map { _ in ["a", "b", "-"][below(3)] }.joined()
    switch below(6) {
    case 0: return "{ marble: \"\(diagram)\", hot: true }"
    case 1:
      subjects.append(name)
      return "subject"
    default: return "{ marble: \"\(diagram)\" }"
    }
  }

  private mutating func derived(from names: [String]) -> String {
    let operators = (0..<below(3)).map { _ in transformation(of: names[below(names.count)]) }
    let first = names[below(names.count)]
    let from = below(4) == 0 ? "[\(first), \(names[below(names.count)])]" : first
    return operators.isEmpty
      ? "{ from: \(from) }"
      : "{ from: \(from), through: [\(operators.joined(separator: ", "))] }"
  }

  private mutating func transformation(of other: String) -> String {
    let all = [
      "{ map: value }", "{ prepend: 0 }", "removeDuplicates", "{ merge: [\(other)] }",
      "{ zip: [\(other)] }", "{ combineLatest: [\(other)] }", "{ withLatest: \(other) }",
      "{ dropUntil: \(other) }", "{ prefixUntil: \(other) }", "share",
    ]
    return all[below(all.count)]
  }

  func scenario(watched: Bool) -> String {
    var all = streams
    for watcher in watchers where watched {
      all.insert((watcher.name, watcher.text), at: min(watcher.place, all.count))
    }
    var lines = ["scenario: Streams made from each other", "streams:"]
    lines += all.map { "  \($0.name): \($0.text)" }
    lines += ["steps:", "  - ignore: [\(all.map(\.name).joined(separator: ", "))]"]
    lines += subjects.map { "  - send: { \($0): 1 }" } + ["  - wait: 1s"]
    lines += subjects.map { "  - send: { \($0): 2 }" }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Array {
  fileprivate subscript(ifPresent place: Int) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}
