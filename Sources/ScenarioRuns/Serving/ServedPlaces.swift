import Diagnostics
import Events
import ScenarioPlan
import Values
import Verdicts
import World

/// The places that clients from outside have come to, at which something can go wrong.
struct ServedPlaces {
  private let plan: ScenarioPlan
  private var reached = ReachedPlaces()
  /// The events that have places, as many as a sweep could use.
  private var log = EventLog()

  init(_ plan: ScenarioPlan) { self.plan = plan }

  mutating func observe(_ event: Event) {
    reached.observe(event, plan)
    guard case .network(.pieceSent) = event.kind, log.count < mostSweepCourses else { return }
    log.append(event)
  }

  /// Returns whether something can no longer happen.
  func hasPassed(_ disturbance: Disturbance, at now: Microseconds) -> Bool {
    if case .offline(let start, _) = disturbance { return start < now }
    return reached.hasPlace(of: disturbance)
  }

  /// The courses that a sweep would try. Nobody but its user lets a client from outside sleep.
  var courses: [SweepCourse] {
    findCourses(in: log, of: plan, isInRealTime: true, allPlaces: true).courses.filter {
      $0.disturbances.allSatisfy { $0.sleep == nil }
    }
  }

  /// Returns a failure for the first disturbance that did not happen: nothing was tried then.
  func failures(of disturbances: [Disturbance]) -> [Diagnostic] {
    reached.failure(of: disturbances, plan, by: .client).map { [$0] } ?? []
  }
}

extension Verdict {
  /// Adds failures, which a run that has passed does not survive.
  mutating func add(_ failures: [Diagnostic]) {
    guard !failures.isEmpty else { return }
    self.failures += failures
    if outcome == .passed { outcome = .failed }
  }
}
