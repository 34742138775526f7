import Glibc
import ScenarioRuns
import Synchronization
import Values

/// The progress of sweeps in real time: how long they will be, and on a terminal how many courses
/// and rows have ended.
final class SweepProgress: Sendable {
  private struct State: Sendable {
    var courses = SweepSteps()
    var rows = SweepSteps()
    var hasStatus = false
  }

  private let showsForecast: Bool
  private let showsStatus: Bool
  private let state = Mutex(State())

  init(showsForecast: Bool, showsStatus: Bool) {
    self.showsForecast = showsForecast
    self.showsStatus = showsStatus
  }

  deinit { clear() }

  /// - Parameter rows: The number of scenarios and rows whose courses these are.
  func begin(_ forecast: SweepForecast, rows: Int) {
    state.withLock { state in
      state.courses.all = forecast.courses
      state.rows.all = rows
    }
    if showsForecast, forecast.courses > 0 { Terminal.complain(forecastText(forecast, rows: rows)) }
  }

  func countCourse() { show { $0.courses.done += 1 } }

  func countRow() { show { $0.rows.done += 1 } }

  private func show(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      guard showsStatus else { return }
      state.hasStatus = true
      let status = statusText(state.courses, rows: state.rows)
      _ = writeAll("\r\u{1B}[K" + status, to: STDERR_FILENO)
    }
  }

  /// Removes the line, so that other text can be written.
  func clear() {
    state.withLock { state in
      if state.hasStatus { _ = writeAll("\r\u{1B}[K", to: STDERR_FILENO) }
      state.hasStatus = false
    }
  }
}

/// A number of steps, of which some are done.
struct SweepSteps: Sendable {
  var done = 0
  var all = 0
}

/// Returns the line `23 courses of 2 scenarios in real time, 4 side by side: about 12s if all hold,
/// …`.
func forecastText(_ forecast: SweepForecast, rows: Int) -> String {
  let jobs = forecast.jobs > 1 ? ", \(forecast.jobs) side by side" : ""
  let scenarios = rows == 1 ? "" : " of \(counted(rows, "scenario"))"
  return "\(counted(forecast.courses, "course"))\(scenarios) in real time\(jobs): about "
    + "\(wholeSeconds(forecast.length)) if all hold, \(wholeSeconds(forecast.lengthOfFailures)) "
    + "if all fail"
}

private func wholeSeconds(_ length: Microseconds) -> String {
  let seconds = max(length, 1) / 1_000_000 + (length % 1_000_000 > 0 || length == 0 ? 1 : 0)
  let (time, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
  return durationText(overflow ? .max : time)
}

/// Returns the line `5 of 23 courses, 1 of 2 scenarios`.
func statusText(_ courses: SweepSteps, rows: SweepSteps) -> String {
  "\(courses.done) of \(counted(courses.all, "course")), "
    + "\(rows.done) of \(counted(rows.all, "scenario"))"
}

extension SweepCourse {
  /// The disturbances as a line of a list: each with `;` between them.
  var commandLine: String { disturbances.map { "\($0)" }.joined(separator: "; ") }
}
