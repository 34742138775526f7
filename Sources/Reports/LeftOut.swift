/// The numbers of scenarios and rows that a choice has left out of a run.
///
/// A run that is green says nothing about them, so each report with a sum has them.
package struct LeftOut: Sendable, Equatable {
  /// The reason why a scenario was left out; the first one counts.
  package enum Reason: String, Sendable, CaseIterable {
    case tags
    /// The key `tags` of a configuration.
    case configuration
    case grep
    case failed
    case shard

    fileprivate var text: String {
      switch self {
      case .tags: "tags"
      case .configuration: "rehearse.yaml"
      case .grep: "--grep"
      case .failed: "--failed"
      case .shard: "--shard"
      }
    }
  }

  private var counts: [Reason: Int] = [:]

  package init() {}

  package subscript(reason: Reason) -> Int {
    get { counts[reason] ?? 0 }
    set { counts[reason] = newValue }
  }

  /// The reasons that have left something out, each with its number, in a fixed order.
  package var entries: [(reason: Reason, count: Int)] {
    Reason.allCases.map { ($0, self[$0]) }.filter { $0.1 > 0 }
  }

  /// The numbers in words: `3 left out by tags`, one part for each reason.
  package var texts: [String] { entries.map { "\($0.count) left out by \($0.reason.text)" } }
}
