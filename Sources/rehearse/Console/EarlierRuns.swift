import Diagnostics
import Glibc
import Reports
import ScenarioRuns
import Values

/// The runs before this one: those of the history, and the one that this run is compared with.
struct EarlierRuns {
  private let history: String?
  /// The lines of the history.
  private var lines: [String] = []
  private var shown: [PastRun] = []
  private var compared: PastRun?

  /// Reads the files that the command line names. There is no history before the first run.
  init(_ output: ReportOutput) throws(ReportProblem) {
    history = output.history
    if let history, access(history, F_OK) == 0 {
      let bytes = try PastRun.bytes(at: history)
      lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
      shown = PastRun.read(bytes) ?? []
      // A report has several lines. It would be lost.
      guard shown.count == lines.suffix(PastRun.mostShown).count else {
        throw ReportProblem(.noReport(history, "history of runs", help: "name a new file"))
      }
    }
    compared = shown.last
    if let path = output.compared { compared = try PastRun.last(at: path) }
  }

  func add(to report: inout RunReport) {
    report.past = shown
    report.compared = compared
  }

  /// Writes the history with the run that has ended; returns the reason if that fails.
  func keep(_ report: RunReport) -> Diagnostic? {
    guard let history else { return nil }
    let kept = lines.suffix(PastRun.mostKept - 1) + [historyLine(of: report)]
    return writeFile(history, kept.map { $0 + "\n" }.joined()).map {
      .unwritable(history, $0.message)
    }
  }
}

extension ReportOutput {
  /// The complaint about a file with earlier runs that cannot be read.
  var problemsOfEarlierRuns: [Diagnostic] {
    do throws(ReportProblem) {
      _ = try EarlierRuns(self)
      return []
    } catch {
      return [error.diagnostic]
    }
  }
}

extension PastRun {
  /// Reads the last run of a JSON report or a history.
  static func last(at path: String) throws(ReportProblem) -> PastRun {
    guard let run = read(try bytes(at: path))?.last else {
      let help = "`rehearse run --format json=\(path)` writes one"
      throw ReportProblem(.noReport(path, "JSON report of a run", help: help))
    }
    return run
  }

  fileprivate static func bytes(at path: String) throws(ReportProblem) -> [UInt8] {
    switch readFile(path) {
    case .failure(let problem): throw ReportProblem(.unreadable(path, problem.message))
    case .success(let bytes): bytes
    }
  }

  /// The durations of the run by the names of scenarios, for `--durations`.
  var durations: [String: Microseconds] {
    results.compactMapValues { $0.compactMap(\.wall).max() }
  }
}

/// The reason why a file cannot be read as a report.
struct ReportProblem: Error {
  let diagnostic: Diagnostic

  init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
}

extension Diagnostic {
  fileprivate static func noReport(_ path: String, _ wanted: String, help: String) -> Diagnostic {
    Diagnostic("no-report", "`\(path)` is no \(wanted)", help: help)
  }
}
