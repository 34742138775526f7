import Glibc
import Reports
import ScenarioRuns

extension ReportRequest {
  /// True if its lines appear on standard output while the scenarios run.
  var isWrittenLineByLine: Bool { format == .ndjson && path == nil }
}

/// The reports of a run that are written line by line while it goes on.
final class EventReports {
  private struct Output {
    var path: String?
    var descriptor: Int32

    func write(_ line: String) -> Bool {
      path == nil ? Terminal.write(line, as: .json) : writeAll(line, to: descriptor)
    }
  }

  private let withTimes: Bool
  private let withTimelines: Bool
  private var outputs: [Output] = []
  /// The files that could not be written, each with its reason.
  private(set) var problems: [(path: String, reason: String)] = []

  init(
    _ requests: [ReportRequest], withTimes: Bool, withTimelines: Bool, shard: ReportShard?
  ) {
    self.withTimes = withTimes
    self.withTimelines = withTimelines
    for request in requests where request.format == .ndjson {
      guard let path = request.path else {
        outputs.append(Output(path: nil, descriptor: STDOUT_FILENO))
        continue
      }
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      if descriptor < 0 {
        problems.append((path, lastSystemError()))
      } else {
        outputs.append(Output(path: path, descriptor: descriptor))
      }
    }
    write(.began(shard: shard))
  }

  deinit { for output in outputs where output.path != nil { close(output.descriptor) } }

  /// Writes a line at once. An output that fails gets no more lines; a reader that closed the pipe
  /// has seen enough.
  func write(_ event: ReportEvent) {
    if outputs.isEmpty { return }
    let line = event.line(withTimes: withTimes, withTimelines: withTimelines)
    outputs.removeAll { output in
      if output.write(line) { return false }
      if errno != EPIPE { problems.append((output.path ?? "standard output", lastSystemError())) }
      return true
    }
  }
}
