import Diagnostics
import ScenarioEngine
import TextSearch
import Values

/// A change of a recorded answer, for a replay that asks what would have happened then.
package struct AnswerChange: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case status(Int)
    /// The connection ends in place of the answer.
    case drop
    case delay(Microseconds)
    /// The contents of a file come in place of the recorded ones.
    case body(file: String)
  }

  /// The number of an event of the trace: the request, its answer, or a part of that.
  package var event: Int
  package var kind: Kind

  package init(event: Int, kind: Kind) { (self.event, self.kind) = (event, kind) }
}

extension AnswerChange.Kind {
  /// The reason why a text is no change.
  package struct Unreadable: Error {
    package var message: String
    package var help: String
  }

  private static let names = ["status", "drop", "delay", "body"]

  /// Reads a change such as `status=503`.
  package static func read(_ text: String) -> Result<Self, Unreadable> {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, value) = (String(parts.first ?? ""), parts.count == 2 ? String(parts[1]) : nil)
    switch (name, value) {
    case ("drop", nil): return .success(.drop)
    case ("status", let value?):
      guard let status = Int(value), (200...599).contains(status) else {
        return .failure(.init(message: "`\(value)` is no status", help: "write 200 to 599"))
      }
      return .success(.status(status))
    case ("delay", let value?):
      guard case .success(let time) = parseDuration(value), time > 0 else {
        return .failure(.init(message: "`\(value)` is no delay", help: "write `delay=2s`"))
      }
      return .success(.delay(time))
    case ("body", let file?) where !file.isEmpty: return .success(.body(file: file))
    default:
      let nearest = names.contains(name) ? nil : nearestName(to: name, among: names)
      return .failure(
        .init(
          message: "`\(text)` is no change of an answer",
          help: nearest.map { "did you mean `\($0)`?" }
            ?? "write `status=503`, `drop`, `delay=2s` or `body=FILE`"))
    }
  }

  package var text: String {
    switch self {
    case .status(let status): "status=\(status)"
    case .drop: "drop"
    case .delay(let time): "delay=\(durationText(time))"
    case .body(let file): "body=\(file)"
    }
  }
}
