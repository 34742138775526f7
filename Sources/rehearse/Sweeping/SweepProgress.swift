import Glibc
import ScenarioPlan
import ScenarioRuns
import Synchronization
import Values

/// The progress of a sweep in real time: how long it will be, and on a terminal how many runs have
/// ended.
final class SweepProgress: Sendable {
  private struct State: Sendable {
    var forecast: SweepForecast?
    var done = 0
    var hasStatus = false
  }

  private let name: String
  private let showsForecast: Bool
  private let showsStatus: Bool
  private let state = Mutex(State())

  init(_ name: String, showsForecast: Bool, showsStatus: Bool) {
    self.name = name
    self.showsForecast = showsForecast
    self.showsStatus = showsStatus
  }

  deinit { if state.withLock({ $0.hasStatus }) { clear() } }

  func begin(_ forecast: SweepForecast) {
    state.withLock { $0.forecast = forecast }
    if showsForecast { Terminal.complain("\(name): \(forecastText(forecast))") }
  }

  func countRun() {
    let status: String? = state.withLock { state in
      state.done += 1
      guard showsStatus, let forecast = state.forecast else { return nil }
      state.hasStatus = true
      return statusText(state.done, of: forecast.courses)
    }
    if let status { _ = writeAll("\r\u{1B}[K" + status, to: STDERR_FILENO) }
  }

  private func clear() { _ = writeAll("\r\u{1B}[K", to: STDERR_FILENO) }
}

/// Returns the line `23 courses in real time, 4 side by side: about 12s`.
func forecastText(_ forecast: SweepForecast) -> String {
  let seconds = (max(forecast.length, 1) + 999_999) / 1_000_000
  let jobs = forecast.jobs > 1 ? ", \(forecast.jobs) side by side" : ""
  return "\(counted(forecast.courses, "course")) in real time\(jobs): about "
    + durationText(seconds * 1_000_000) + ", longer if some fail"
}

/// Returns the line `5 of 23 courses`. Runs beyond the courses repeat those that failed.
func statusText(_ done: Int, of courses: Int) -> String {
  done <= courses
    ? "\(done) of \(counted(courses, "course"))" : "\(done - courses) run again, which failed"
}

extension SweepCourse {
  /// The disturbances as a line of a list: each with `;` between them.
  var commandLine: String { disturbances.map { "\($0)" }.joined(separator: "; ") }
}
