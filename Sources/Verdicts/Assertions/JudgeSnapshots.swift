import Diagnostics
import Events
import ScenarioPlan
import Values

/// A snapshot as it was taken in a run, without secrets.
package struct SnapshotTaken: Sendable {
  /// The difference from the recorded file.
  package enum Change: Sendable {
    /// Nothing was recorded before.
    case new
    case changed
    case none
  }

  /// The name of its file in the scenario's folder of snapshots.
  package var file: String
  /// The text that the file should hold.
  package var text: String
  package var change: Change
}

extension SnapshotTaken {
  /// Returns the snapshot without secrets, also those that became known later in the run.
  func masked(by mask: SecretMask) -> SnapshotTaken {
    var masked = self
    masked.text = mask.masked(page: text)
    return masked
  }
}

/// The reason why a snapshot is not as it should be.
package enum SnapshotProblem: Sendable {
  case missing(file: String, value: Value)
  case unreadable(file: String, String)
  case differs(file: String, Differences, value: Value, recorded: Value)
}

/// Values and what was recorded of them.
extension AssertionState {
  mutating func recorded(
    _ assertion: AssertionID, _ step: StepReference, _ file: String, _ value: Value,
    _ event: Event
  ) {
    guard branches.indices.contains(step.branch), let open = branches[step.branch].open,
      open.assertion == assertion, open.state == .waiting,
      case .snapshot(let snapshot) = plan.assertions[assertion].kind
    else { return }
    let text = mask.masked(value).json(pretty: true) + "\n"
    // As it would be read again: JSON has fewer kinds of values than expressions have.
    let value = (try? parseJSON(text.utf8).get()) ?? value
    var taken = SnapshotTaken(file: file, text: text, change: .none)
    if let (problem, change) = problem(value, file, snapshot) {
      taken.change = change
      guard updatesSnapshots else { return fail(open, .snapshot(problem), at: event.time) }
    }
    snapshots.append(taken)
    close(open, .met)
  }

  private func problem(
    _ value: Value, _ file: String, _ snapshot: SnapshotPlan
  ) -> (SnapshotProblem, SnapshotTaken.Change)? {
    switch plan.snapshots.contents[file] {
    case nil: return (.missing(file: file, value: value), .new)
    case .unreadable(let message)?: return (.unreadable(file: file, message), .changed)
    case .value(let recorded)?:
      if recorded == value { return nil }
      let found = Differences(of: value, and: recorded, at: snapshot.name.range, by: matcher)
      return (.differs(file: file, found, value: value, recorded: recorded), .changed)
    }
  }
}

/// The texts about snapshots.
extension FailureWriter {
  func snapshot(_ failure: Failure, _ problem: SnapshotProblem) -> Diagnostic {
    guard let assertion = failure.assertion,
      case .snapshot(let plan) = judge.plan.assertions[assertion].kind
    else { return Diagnostic("snapshot-differs", "a snapshot differs") }
    let label = Diagnostic.Label(plan.name.range, turnText(failure.step) ?? "")
    switch problem {
    case .missing(let file, let value):
      return Diagnostic(
        "snapshot-missing", "nothing is recorded for the snapshot `\(plan.name.value)`",
        labels: [label], facts: [.init("actual", names.text(value))],
        notes: note("file", path(file)),
        help: updateHelp)
    case .unreadable(let file, let message):
      return Diagnostic(
        "snapshot-unreadable",
        "what is recorded for the snapshot `\(plan.name.value)` cannot be read: \(message)",
        labels: [label], notes: note("file", path(file)), help: updateHelp)
    case .differs(let file, let differences, let value, let recorded):
      let facts = facts(value, recorded, differences, "at \(durationText(failure.time))")
      return Diagnostic(
        "snapshot-differs", "the snapshot `\(plan.name.value)` is not as it was recorded",
        labels: [label], facts: facts, notes: note("file", path(file)),
        help: "if it is right as it is now, record it: `rehearse run --update`",
        differences: data(of: differences))
    }
  }

  private var updateHelp: String { "to record what there is now: `rehearse run --update`" }

  private func path(_ file: String) -> String { judge.plan.snapshots.folder + "/" + file }
}
