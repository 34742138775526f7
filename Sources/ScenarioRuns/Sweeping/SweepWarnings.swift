import Diagnostics
import ScenarioPlan

/// The most courses of a group that its report names.
private let coursesNamed = 8

extension [SweepCourse] {
  /// The names of the courses, a line each; of many, the first.
  var names: String {
    var names = prefix(coursesNamed).map(\.name)
    if count > coursesNamed { names.append("… and \(count - coursesNamed) more") }
    return names.joined(separator: "\n")
  }
}

private func counted(_ courses: Int) -> String {
  courses == 1 ? "1 course" : "\(courses) courses"
}

private func coursesWere(_ count: Int) -> String {
  counted(count) + (count == 1 ? " was" : " were")
}

extension SweepResult {
  /// The failures, one for each cause. A course that was never tried is no success either.
  package var failures: [Diagnostic] {
    groups.map(\.diagnostic) + (missed.isEmpty ? [] : [.sweepMissed(missed)])
  }

  /// The number of courses that failed.
  package var failed: Int {
    places - held - notJudged - unclear.count - flaky.count - missed.count
  }

  /// True if chance that no seed decides makes runs differ.
  package var isRandom: Bool {
    doubts.contains { $0.id == "not-repeatable" || $0.id == "doubt-random" }
  }

  /// The warnings about courses on which there is no verdict.
  package var warnings: [Diagnostic] {
    var warnings = doubts
    if !unclear.isEmpty { warnings.append(.sweepUnclear(unclear)) }
    if !flaky.isEmpty { warnings.append(.sweepFlaky(flaky)) }
    if var warning = early.warning {
      warning.severity = .warning
      warning.notes.append(.init("disturbed", early.courses.names))
      warnings.append(warning)
    }
    if let undemanded { warnings.append(undemanded) }
    if let reasonForNoPlace { warnings.append(.sweepWithoutPlaces(reasonForNoPlace)) }
    if isSampled { warnings.append(.sweepSampled(alike)) }
    if left > 0 {
      warnings.append(.sweepUnfinished("\(coursesWere(left)) left", "the time"))
    }
    if isCut {
      warnings.append(
        .sweepUnfinished("there are more than \(mostSweepCourses) courses", "their limit"))
    }
    return warnings
  }
}

extension Diagnostic {
  /// Returns the warning that no value is demanded, with the line that demands some.
  ///
  /// - Parameter names: The sources that the line demands.
  static func sweepDemandsNothing(_ plan: ScenarioPlan, proposing names: [String]) -> Diagnostic {
    let line = "sweep: { same: [\(names.joined(separator: ", "))] }"
    return Diagnostic(
      "sweep-demands-nothing", severity: .warning,
      "no value is demanded of a disturbed run, so its courses are not judged",
      labels: [.init(plan.range)],
      help: names.isEmpty
        ? "add a `check` behind the last step that waits"
        : "add `\(line)`, which `rehearse sweep --same` tries, or a `check` behind the last "
          + "`expect`")
  }
}

extension Diagnostic {
  fileprivate static func sweepUnclear(_ courses: [SweepCourse]) -> Diagnostic {
    let which = counted(courses.count)
    var warning = Diagnostic(
      "sweep-unclear", severity: .warning,
      "in \(which) the scenario itself could not go on, so there is no verdict",
      help: "let mocks answer again: with `resumable: true` under the endpoint, also of a "
        + "WebSocket, or with state")
    warning.notes.append(.init("disturbed", courses.names))
    return warning
  }

  fileprivate static func sweepFlaky(_ courses: [SweepCourse]) -> Diagnostic {
    var warning = Diagnostic(
      "sweep-flaky", severity: .warning,
      "\(counted(courses.count)) failed once and held once",
      help: "repeat one with `rehearse run --disturb`: an order of events in real time decides")
    warning.notes.append(.init("disturbed", courses.names))
    return warning
  }

  fileprivate static func sweepMissed(_ courses: [SweepCourse]) -> Diagnostic {
    var failure = Diagnostic(
      "sweep-missed",
      "no run came to the place of \(counted(courses.count)): nothing was tried there",
      help: "programs may differ from run to run, and in real time each run may connect in another "
        + "order: let the client wait for answers, "
        + "or leave such places out with `sweep: { disturb: … }`")
    failure.notes.append(.init("disturbed", courses.names))
    return failure
  }

  fileprivate static func sweepWithoutPlaces(_ reason: String) -> Diagnostic {
    Diagnostic(
      "sweep-without-places", severity: .warning, "nothing was tried: \(reason)",
      help: "a sweep needs a client that connects to an endpoint of the scenario")
  }

  fileprivate static func sweepSampled(_ count: Int) -> Diagnostic {
    Diagnostic(
      "sweep-sampled", severity: .warning,
      "\(coursesWere(count)) left out, since \(count == 1 ? "it is" : "they are") like others that "
        + "were tried",
      help: "`rehearse sweep --all-places` tries them, and so does `allPlaces: true` in Swift")
  }

  fileprivate static func sweepUnfinished(_ what: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      "sweep-unfinished", severity: .warning, "\(what), since \(reason) was reached",
      help: "`sweep: { disturb: … }` chooses the disturbances that matter")
  }
}
