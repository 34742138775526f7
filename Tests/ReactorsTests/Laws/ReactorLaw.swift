import Testing

/// A promise that reactors keep, however they are written: actions, the messages sent to them, and
/// the log of what their runs do.
///
/// Each run has a name, which is the payload of the message that starts it. A line of the log is
/// `20 first ended`: the time in milliseconds, the run, and what it did. The last lines name the
/// runs that came to no end of their own.
struct ReactorLaw: Sendable, CustomTestStringConvertible {
  let promise: String
  let actions: [LawAction]
  let script: [LawMessage]
  let log: [String]

  init(
    _ promise: String, _ actions: [LawAction], _ script: [LawMessage], _ log: [String]
  ) {
    self.promise = promise
    self.actions = actions
    self.script = script
    self.log = log
  }

  var testDescription: String { promise }

  /// The runs by name: those the script starts, then those that actions start.
  var runs: [String] {
    script.compactMap(\.run) + actions.flatMap { $0.steps.compactMap(\.run) }
  }

  /// Returns the last lines of the log, from what each run did.
  func outcomes(_ did: (_ run: String, _ what: String) -> Bool) -> [String] {
    runs.compactMap { run in
      if !did(run, "began") { return "\(run) never began" }
      return did(run, "ended") || did(run, "failed") ? nil : "\(run) was cancelled"
    }
  }
}

/// An action, which reports that it `began` before its first step and `ended` after its last.
struct LawAction: Sendable {
  enum Overlap {
    case allowed
    case inFlight(String)
    case join(String)
  }

  let name: String
  let overlap: Overlap
  let endsWithLifecycle: Bool
  let steps: [LawStep]

  init(
    _ name: String, _ overlap: Overlap, lifecycle: Bool = false, _ steps: [LawStep]
  ) {
    self.name = name
    self.overlap = overlap
    endsWithLifecycle = lifecycle
    self.steps = steps
  }

  init(_ name: String, lifecycle: Bool = false, _ steps: [LawStep]) {
    self.init(name, .allowed, lifecycle: lifecycle, steps)
  }
}

/// A step of an action. Times are milliseconds.
enum LawStep: Sendable {
  /// Reports a word.
  case note(String)
  /// Writes the run's name to the field `last`.
  case set
  case wait(Int)
  case send(String, run: String)
  /// Ends the reactor's lifecycle.
  case endLifecycle
  /// Loads the run's name into the field `result`.
  case load(after: Int)
  /// Loads into the field `result`, which fails with the status 503.
  case loadFailing(after: Int)
  /// Reports `failed`, and fails.
  case fail

  var run: String? {
    if case .send(_, let run) = self { run } else { nil }
  }
}

/// What the script does at a time, in milliseconds.
enum LawMessage: Sendable {
  case send(at: Int, String, run: String)
  case endLifecycle(at: Int)

  var time: Int {
    switch self {
    case .send(let time, _, _), .endLifecycle(let time): time
    }
  }

  var run: String? {
    if case .send(_, _, let run) = self { run } else { nil }
  }
}
