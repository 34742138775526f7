import Diagnostics
import Values

/// One difference between the end of a disturbed run and that of the good run.
package struct SweepFinding: Sendable {
  package var cause: SweepCause
  package var diagnostic: Diagnostic
  /// How bad it is among others.
  package var harm: Harm

  package init(_ diagnostic: Diagnostic) { self.init(diagnostic, .other) }

  init(_ diagnostic: Diagnostic, _ amount: Amount) {
    cause = SweepCause(of: diagnostic)
    harm = Harm(diagnostic.id, amount)
    self.diagnostic = diagnostic
  }

  /// The values of a condition beside those of the good run.
  enum Amount {
    /// Something happened more often than it should, such as a second order.
    case more
    case other
    /// Something is missing.
    case less

    init(_ values: [Value], insteadOf good: [Value]) {
      var amount = Amount.other
      for (value, expected) in zip(values, good) where value != expected {
        guard let number = value.size, let wanted = expected.size else { continue }
        if number > wanted {
          self = .more
          return
        }
        amount = .less
      }
      self = amount
    }
  }

  /// The harm that findings do: what happened twice cannot be taken back, and what is missing can
  /// be done again. The worst comes first.
  package enum Harm: Int, Sendable, Comparable {
    case invariantBroken, doneTwice, crashed, wrong, missing, leftRunning, leftPending, ruleBroken

    init(_ id: DiagnosticID, _ amount: Amount) {
      if id.rawValue.hasPrefix("invariant") {
        self = .invariantBroken
      } else if id.rawValue.hasPrefix("program") {
        self = .crashed
      } else if id == Diagnostic.leftRunningID {
        self = .leftRunning
      } else if id == Diagnostic.leftPendingID {
        self = .leftPending
      } else {
        switch amount {
        case .more: self = .doneTwice
        case .less: self = .missing
        case .other: self = .wrong
        }
      }
    }

    package static func < (one: Harm, other: Harm) -> Bool { one.rawValue < other.rawValue }
  }
}

extension Value {
  /// The number, or the number of elements.
  fileprivate var size: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    case .list(let elements): Double(elements.count)
    default: nil
    }
  }
}

/// The cause of a failure: the rule, its place, and what came instead. Courses that fail for one
/// cause are one failure, and a baseline knows causes.
package struct SweepCause: Hashable, Sendable {
  package let rule: DiagnosticID
  package let place: SourceRange?
  /// The values under the place, or how a program ended; empty if the rule says everything.
  package let value: String

  init(of diagnostic: Diagnostic) {
    rule = diagnostic.id
    place = diagnostic.labels.first?.range
    value = diagnostic.valueOfCause
  }
}

extension Diagnostic {
  /// The actual value, without parts that differ in each run: times, ports, and the numbers of
  /// events.
  fileprivate var valueOfCause: String {
    switch id {
    case Diagnostic.otherEndID: facts.first { $0.name == "actual" }?.text ?? ""
    case Diagnostic.eventTwiceID, Diagnostic.leftRunningID: ""
    case Diagnostic.leftPendingID: message
    // One is found by the run itself, and the other beside the good run.
    case Diagnostic.programFailedID: facts.first?.text ?? message
    default:
      differences.isEmpty
        ? facts.filter { !$0.isOfOneRun }.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
        : differences.map { "\($0.path) \($0.actual ?? "missing")" }.joined(separator: ", ")
    }
  }
}

extension Diagnostic.Fact {
  /// The facts of failures that name events, with their times.
  private static let ofEvents: Set<String> = [
    "actual", "expected", "event", "awaited", "once", "since", "until", "before", "now", "count",
    "first", "last", "after", "answer", "now()",
  ]

  /// True if another run of the same course has another text.
  fileprivate var isOfOneRun: Bool {
    Self.ofEvents.contains(name)
      || [".port", ".url", ".webSocket", ".temp"].contains(where: name.hasSuffix)
  }
}
