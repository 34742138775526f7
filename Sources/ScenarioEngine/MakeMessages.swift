import CEL
import Diagnostics
import Events
import Protocols
import ScenarioPlan
import Values

/// Reads the stage and a set of locals, for expressions outside of scripts.
final class RunSlots: CELSlots {
  private unowned let run: ScenarioRun
  private let locals: [Value]

  init(_ run: ScenarioRun, _ locals: [Value]) {
    self.run = run
    self.locals = locals
  }

  func value(of slot: Int) -> Value { run.value(of: slot, locals: locals, branch: 0) }
}

/// A response as its plan says, its expressions evaluated.
func makeResponse(
  _ plan: ResponsePlan, in slots: some CELSlots
) -> Result<HTTPResponse, EvaluationFailure> {
  do throws(EvaluationFailure) {
    var headers = HTTPHeaders()
    for header in plan.headers {
      headers.add(header.name, try evaluate(header.value, in: slots).get().plainText)
    }
    let body = try makeBody(plan.body, in: slots, &headers)
    let status = try statusCode(plan.status, in: slots)
    return .success(HTTPResponse(status: status, headers: headers, body: body))
  } catch {
    return .failure(error)
  }
}

private func statusCode(
  _ data: DataPlan?, in slots: some CELSlots
) throws(EvaluationFailure) -> Int {
  guard let data else { return 200 }
  let value = try evaluate(data, in: slots).get()
  if case .int(let status) = value, (200...599).contains(status) { return status }
  throw EvaluationFailure(
    range: data.range, message: "a status is a whole number from 200 to 599, not \(value.display)")
}

private func makeBody(
  _ body: ResponsePlan.Body, in slots: some CELSlots, _ headers: inout HTTPHeaders
) throws(EvaluationFailure) -> [UInt8] {
  switch body {
  case .none: return []
  case .json(let data):
    let value = try evaluate(data, in: slots).get()
    if !headers.contains("Content-Type") { headers.add("Content-Type", "application/json") }
    return Array(value.json().utf8)
  case .text(let data):
    let value = try evaluate(data, in: slots).get()
    if !headers.contains("Content-Type") { headers.add("Content-Type", "text/plain") }
    return Array(value.plainText.utf8)
  }
}

/// A request as its plan says, its expressions evaluated.
func makeRequest(
  _ plan: RequestPlan, host: String, in slots: some CELSlots
) -> Result<HTTPRequest, EvaluationFailure> {
  do throws(EvaluationFailure) {
    var headers: HTTPHeaders = ["Host": host]
    for header in plan.headers {
      headers.add(header.name, try evaluate(header.value, in: slots).get().plainText)
    }
    let body = try makeBody(plan.body, in: slots, &headers)
    var items: [QueryItem] = []
    for item in plan.query {
      items.append(QueryItem(item.name, try evaluate(item.value, in: slots).get().plainText))
    }
    let path = try evaluate(plan.path, in: slots).get().plainText
    let request = HTTPRequest(
      method: plan.method, target: target(path, items), headers: headers, body: body)
    return .success(request)
  } catch {
    return .failure(error)
  }
}

/// The path as it was written, its own query kept, with what cannot stand in a target coded.
private func target(_ path: String, _ items: [QueryItem]) -> String {
  var text = path.hasPrefix("/") ? path : "/" + path
  if !items.isEmpty { text += (text.contains("?") ? "&" : "?") + QueryText.encode(items) }
  guard text.utf8.contains(where: isUnfitForTarget) else { return text }
  return text.utf8.map { byte in
    isUnfitForTarget(byte)
      ? "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      : String(UnicodeScalar(byte))
  }.joined()
}

private func isUnfitForTarget(_ byte: UInt8) -> Bool {
  byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}#".utf8.contains(byte)
}

extension RunProblem {
  /// An answer that cannot be sent, such as one with a line break in a header.
  static func unsendableAnswer(_ problem: HTTPProblem, _ endpoint: EndpointPlan) -> RunProblem {
    .stepFailed(
      StepReference(verb: "respond", range: endpoint.range, branch: 0, turns: []),
      message: "the answer cannot be sent: \(problem.id)")
  }

  static func cannotListen(_ endpoint: EndpointPlan) -> RunProblem {
    .stepFailed(
      StepReference(verb: "listen", range: endpoint.range, branch: 0, turns: []),
      message: "this machine has no port to serve the endpoint at")
  }

  static func unsendableMessage(_ problem: String, _ conversation: ConversationPlan) -> RunProblem {
    .stepFailed(
      StepReference(verb: "script", range: conversation.range, branch: 0, turns: []),
      message: "the message cannot be sent: \(problem)")
  }

  static func scriptWithoutAnswer(_ route: RoutePlan) -> RunProblem {
    .stepFailed(
      StepReference(verb: "script", range: route.range, branch: 0, turns: []),
      message: "the script came to its end without `respond`, `drop` or `stall`")
  }
}
