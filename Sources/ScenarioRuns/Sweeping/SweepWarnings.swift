import Diagnostics

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
  /// The warnings about courses on which there is no verdict.
  package var warnings: [Diagnostic] {
    var warnings: [Diagnostic] = []
    if !unclear.isEmpty { warnings.append(.sweepUnclear(unclear)) }
    if !flaky.isEmpty { warnings.append(.sweepFlaky(flaky)) }
    if !missed.isEmpty { warnings.append(.sweepMissed(missed)) }
    if let reasonForNoPlace { warnings.append(.sweepWithoutPlaces(reasonForNoPlace)) }
    if alike > 0 { warnings.append(.sweepSampled(alike)) }
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
  fileprivate static func sweepUnclear(_ courses: [SweepCourse]) -> Diagnostic {
    let which = counted(courses.count)
    var warning = Diagnostic(
      "sweep-unclear", severity: .warning,
      "in \(which) the scenario itself could not go on, so there is no verdict",
      help: "let mocks answer again: with `resumable: true` under the endpoint, or with state")
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
    var warning = Diagnostic(
      "sweep-missed", severity: .warning,
      "two runs did not come to the place of "
        + counted(courses.count),
      help: "in real time, each run may connect in another order: let the client wait for answers")
    warning.notes.append(.init("disturbed", courses.names))
    return warning
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
