import Protocols
import ScenarioPlan
import Values
import World

/// A probe that asks again and again whether a program can be reached.
final class ReadinessProbe {
  /// The place that is asked, and the request; nil asks only for a connection.
  struct Target: Equatable {
    var port: UInt16
    var request: [UInt8]?
  }

  private let target: Target
  private let launcher: any ProgramLauncher
  private let loop: RunLoop
  private let onReady: () -> Void
  /// The time between two tries.
  private static let pause: Microseconds = 20_000

  init(
    _ target: Target, _ launcher: any ProgramLauncher, _ loop: RunLoop,
    _ onReady: @escaping () -> Void
  ) {
    self.target = target
    self.launcher = launcher
    self.loop = loop
    self.onReady = onReady
    ask()
  }

  private func ask() {
    launcher.probe(port: target.port, request: target.request) { [weak self] outcome in
      guard let self else { return }
      if isReady(outcome) { return onReady() }
      loop.scheduler.schedule(after: ReadinessProbe.pause, phase: .source) { [weak self] in
        self?.ask()
      }
    }
  }

  private func isReady(_ outcome: ProbeOutcome) -> Bool {
    switch outcome {
    case .failed: false
    case .connected: true
    case .answered(let bytes): ReadinessProbe.isSuccess(bytes)
    }
  }

  /// Returns whether an answer begins with a status below 400.
  private static func isSuccess(_ answer: [UInt8]) -> Bool {
    let line = String(decoding: answer.prefix(16), as: UTF8.self).split(separator: " ")
    guard line.count > 1, line[0].hasPrefix("HTTP/1."), let status = Int(line[1]) else {
      return false
    }
    return (200..<400).contains(status)
  }

  /// Returns what a sign of readiness asks for; nil if it is a line.
  static func target(
    of sign: ReadinessPlan.Sign, in slots: ValueReader
  ) -> Result<Target?, EvaluationFailure> {
    switch sign {
    case .line: .success(nil)
    case .port(let data): evaluate(data, in: slots).flatMap { port($0, data) }
    case .url(let data): evaluate(data, in: slots).flatMap { request($0, data) }
    }
  }

  private static func port(
    _ value: Value, _ data: DataPlan
  ) -> Result<Target?, EvaluationFailure> {
    if case .int(let number) = value, let port = UInt16(exactly: number), port > 0 {
      return .success(Target(port: port))
    }
    let found = value.display(maxLength: 80)
    return .failure(EvaluationFailure(range: data.range, message: "a port, not \(found)"))
  }

  private static func request(
    _ value: Value, _ data: DataPlan
  ) -> Result<Target?, EvaluationFailure> {
    guard case .string(let text) = value, case .success(let url) = AbsoluteURL.read(text),
      !url.isSecure, url.socket == nil, ["127.0.0.1", "localhost"].contains(url.host)
    else {
      let found = value.display(maxLength: 80)
      let message = "a URL of this machine such as `http://127.0.0.1:8080/health`, not \(found)"
      return .failure(EvaluationFailure(range: data.range, message: message))
    }
    let path = url.path.isEmpty ? "/" : url.path
    let request = "GET \(path) HTTP/1.1\r\nHost: \(url.hostHeader)\r\nConnection: close\r\n\r\n"
    return .success(Target(port: url.port, request: Array(request.utf8)))
  }
}
