import Diagnostics
import Events
import Protocols
import ScenarioPlan

/// The problems of mocks: answers and messages that cannot be sent.
extension RunProblem {
  /// An answer that cannot be sent, such as one with a line break in a header.
  static func unsendableAnswer(_ problem: HTTPProblem, _ endpoint: EndpointPlan) -> RunProblem {
    failed("respond", at: endpoint.range, "the answer cannot be sent: \(problem.id)")
  }

  static func cannotListen(_ endpoint: EndpointPlan) -> RunProblem {
    failed("listen", at: endpoint.range, "this machine has no port to serve the endpoint at")
  }

  static func unsendableMessage(_ problem: String, _ conversation: ConversationPlan) -> RunProblem {
    failed("script", at: conversation.range, "the message cannot be sent: \(problem)")
  }

  static func scriptWithoutAnswer(_ route: RoutePlan) -> RunProblem {
    failed(
      "script", at: route.range, "the script came to its end without `respond`, `drop` or `stall`")
  }

  static func proxyFailed(_ reason: String, at range: SourceRange) -> RunProblem {
    failed("proxy", at: range, "the request cannot be passed on: \(reason)")
  }

  private static func failed(
    _ verb: String, at range: SourceRange, _ message: String
  ) -> RunProblem {
    .stepFailed(
      StepReference(verb: verb, range: range, branch: .main, turns: []), message: message)
  }
}
