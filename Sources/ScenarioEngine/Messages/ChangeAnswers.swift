import CEL
import Protocols
import ScenarioPlan
import Values

extension MessageMaker {
  /// Returns an answer of a real server with what a plan says in place of its own parts.
  func changed(
    _ answer: HTTPResponse, by plan: ResponsePlan, in slots: some CELSlots
  ) -> Result<HTTPResponse, MessageFailure> {
    do throws(MessageFailure) {
      let status = plan.status == nil ? answer.status : try statusCode(plan.status, in: slots)
      var headers = answer.headers
      let fields = try makeItemsAndNulls(plan.headers, in: slots)
      for name in fields.nulls + fields.items.map(\.name) { headers[name] = nil }
      headers.lines += fields.items.map { HTTPHeaderLine($0.name, $0.value) }
      var changed = HTTPResponse(
        status: status, reason: status == answer.status ? answer.reason : nil, headers: headers,
        body: answer.body)
      if case .json(let data) = plan.body, (200..<300).contains(answer.status) {
        changed.body = try merged(answer, data, in: slots)
        changed.headers["Content-Length"] = nil
      }
      return .success(changed)
    } catch {
      return .failure(error)
    }
  }

  private func merged(
    _ answer: HTTPResponse, _ data: DataPlan, in slots: some CELSlots
  ) throws(MessageFailure) -> [UInt8] {
    // The answer to a HEAD request, and one with the status 204, have none.
    if answer.body.isEmpty { return [] }
    switch parseJSON(answer.body) {
    case .failure(let problem):
      let reason = problem.text(in: answer.body)
      throw .evaluation(
        EvaluationFailure(
          range: data.range, message: "the answer has no JSON to change: \(reason)"))
    case .success(let value):
      return Array(value.merged(with: try valueOf(data, in: slots)).json().utf8)
    }
  }
}

extension Value {
  /// Returns the value with a patch (RFC 7396): maps are merged, null leaves a key out.
  fileprivate func merged(with patch: Value) -> Value {
    guard case .map(let entries) = patch else { return patch }
    var map = ValueMap()
    if case .map(let own) = self { map = own }
    for (key, value) in entries {
      map[key] = value == .null ? nil : (map[key] ?? .null).merged(with: value)
    }
    return .map(map)
  }
}
