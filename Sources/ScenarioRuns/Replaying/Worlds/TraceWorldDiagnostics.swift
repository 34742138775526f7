import Diagnostics
import ScenarioPlan
import Traces

extension Diagnostic {
  static func traceWithoutEndpoints(
    _ path: String, _ names: [String], _ endpoint: EndpointPlan
  ) -> Diagnostic {
    let recorded = Array(Set(names)).sorted().map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "trace-without-endpoint", "no endpoint of the scenario has a request in `\(path)`",
      labels: [.init(endpoint.range)],
      notes: [.init("recorded", recorded.isEmpty ? "no requests at all" : recorded)],
      help: "give the endpoint the name that it has in the trace, or name another trace")
  }

  static func mockBesideTrace(_ endpoint: EndpointPlan) -> Diagnostic {
    Diagnostic(
      "mock-beside-trace", severity: .warning,
      "`\(endpoint.name)` has no request in the trace, so that its mock answers",
      labels: [.init(endpoint.range)])
  }

  static func looseAnswers(
    _ count: Int, _ endpoint: EndpointPlan, _ request: String, _ layer: RequestLayer,
    _ differences: [String]
  ) -> Diagnostic {
    let requests = count == 1 ? "1 request" : "\(count) requests"
    let differing = differences.prefix(3).map { Fact("differs", visibleText($0)) }
    return Diagnostic(
      "inexact-answer", severity: .warning,
      "\(requests) of `\(endpoint.name)` found an answer by \(layer.text) only",
      labels: [.init(endpoint.range)], notes: [.init("first", visibleText(request))] + differing)
  }
}
