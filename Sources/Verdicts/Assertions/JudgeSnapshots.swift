import Diagnostics
import Events
import ScenarioPlan
import Secrets
import TextSearch
import Values

/// A snapshot as it was taken in a run.
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
  package var change: Change
  /// The value, with all that the run had not yet known as a secret when the step was taken.
  var value: Value
  /// The failure of the step, unless a part of the value becomes a secret later in the run.
  var doubt: Failure?
  /// The text that the file should hold; made when the run has ended, and without secrets.
  package private(set) var text = ""
}

extension SnapshotTaken {
  init(_ file: String, _ value: Value) {
    self.init(file: file, change: .none, value: value)
  }

  /// Returns the snapshot without secrets, also those that became known later in the run.
  func masked(by mask: SecretMask, _ contents: [String: SnapshotFiles.Content]) -> SnapshotTaken {
    var masked = self
    masked.value = mask.masked(value)
    masked.text = masked.value.json(pretty: true) + "\n"
    if change == .changed, case .value(let recorded)? = contents[file],
      asReadAgain(masked.value) == recorded
    {
      masked.change = .none
    }
    return masked
  }
}

/// Returns a value as JSON would give it back: JSON has fewer kinds of values than expressions.
private func asReadAgain(_ value: Value) -> Value {
  (try? parseJSON(value.jsonBytes).get()) ?? value
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
      case .snapshot(let snapshot) = assertions[assertion].kind
    else { return }
    var taken = SnapshotTaken(file, value)
    if let (problem, change) = problem(asReadAgain(mask.masked(value)), file, snapshot) {
      taken.change = change
      if !updatesSnapshots {
        guard mayHoldSecrets(problem) else { return fail(open, .snapshot(problem), at: event.time) }
        taken.doubt = failure(of: open, .snapshot(problem), at: event.time)
      }
    }
    snapshots.append(taken)
    close(open, .met)
  }

  /// Returns whether a snapshot would be as recorded if parts of it were secrets that a later step
  /// captures.
  private func mayHoldSecrets(_ problem: SnapshotProblem) -> Bool {
    guard !plan.secretMatchers.isEmpty, case .differs(_, _, let value, let recorded) = problem
    else { return false }
    return value.mayBecome(masked: recorded)
  }

  /// Judges the snapshots again that were right if a part of them was a secret.
  mutating func settleSnapshots() {
    for index in snapshots.indices {
      guard var failure = snapshots[index].doubt, let assertion = failure.assertion,
        case .snapshot(let plan) = assertions[assertion].kind
      else { continue }
      snapshots[index].doubt = nil
      let value = asReadAgain(mask.masked(snapshots[index].value))
      guard let (problem, _) = problem(value, snapshots[index].file, plan) else { continue }
      failure.kind = .snapshot(problem)
      failures.append(failure)
      assertionsMet -= 1
    }
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

extension Value {
  /// Returns whether hiding some of its texts and numbers could make it a value that was recorded.
  fileprivate func mayBecome(masked recorded: Value) -> Bool {
    switch (self, recorded) {
    case (.list(let elements), .list(let others)):
      elements.count == others.count
        && zip(elements, others).allSatisfy { $0.mayBecome(masked: $1) }
    case (.map(let map), .map(let other)):
      map.count == other.count
        && other.allSatisfy { key, part in
          key.plainText.contains(SecretMask.mark)
            || map[key]?.mayBecome(masked: part) ?? false
        }
    case (_, .string(let text)) where text.contains(SecretMask.mark): true
    case (_, _): self == recorded
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
        help: "if it is right as it is now, record it: `\(updateCommand)`",
        differences: data(of: differences))
    }
  }

  private var updateHelp: String { "to record what there is now: `\(updateCommand)`" }

  /// The command that records the snapshots of the scenario's file.
  private var updateCommand: String {
    let path = sources.file(of: judge.plan.range)?.path ?? "FILE"
    return "rehearse run \(shellQuoted(path)) --update"
  }

  private func path(_ file: String) -> String { judge.plan.snapshots.folder + "/" + file }
}
