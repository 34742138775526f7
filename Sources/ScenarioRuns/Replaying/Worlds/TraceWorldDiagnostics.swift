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

/// The pages of `rehearse explain` about traces that answer in place of endpoints.
package let traceWorldPages = [
  DiagnosticPage(
    id: "trace-without-endpoint", title: "The trace knows none of the scenario's endpoints",
    text: """
      With `--against trace:FILE`, endpoints answer as those of the same name did in the trace. The
      trace has requests of other endpoints only.
      """,
    wrong: "rehearse run shop.scenario.yaml --against trace:chat.trace.jsonl",
    right: "rehearse run shop.scenario.yaml --against trace:shop.trace.jsonl"),
  DiagnosticPage(
    id: "mock-beside-trace", title: "A mock answers beside the trace",
    text: """
      With `--against trace:FILE`, an endpoint without a request in the trace keeps its mock. Give
      the folder of all traces if the endpoint was recorded elsewhere.
      """,
    wrong: "rehearse run shop.scenario.yaml --against trace:traces/shop.trace.jsonl",
    right: "rehearse run shop.scenario.yaml --against trace:traces"),
  DiagnosticPage(
    id: "inexact-answer", title: "An answer was recorded for another body",
    text: """
      No recorded request has the body of this one. It got the answer of one with the same method,
      path and query. That is right if the body has the time or a random number in it.
      """,
    wrong: "{ post: /orders, json: { item: b } }", right: "{ post: /orders, json: { item: a } }"),
  DiagnosticPage(
    id: "request-not-in-trace", title: "A request is not in the trace",
    text: """
      With `--against trace:FILE`, the trace has the answers. It has no request of the endpoint with
      this method, path and query, so nobody knows the answer: the client gets 404. The report shows
      the nearest recorded request, and what differs.
      """,
    wrong: "{ request: { endpoint: api, get: /items?page=3 } }",
    right: "{ request: { endpoint: api, get: /items?page=1 } }"),
]
