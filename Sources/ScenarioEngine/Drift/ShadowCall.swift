import Events
import Protocols
import ScenarioPlan
import Values

/// A request to a real endpoint, and what its mock says the answer is like.
final class ShadowCall: Shadow {
  let driftChecker: DriftChecker
  let endpoint: EndpointID
  let request: HTTPRequest
  /// True if the scenario wrote the `Host`.
  private let keepsHost: Bool
  private let began: Microseconds
  private var expected: MatcherPlan?
  private var isAnswered = false

  init(
    _ driftChecker: DriftChecker, _ request: HTTPRequest, at endpoint: EndpointID,
    _ addressing: Addressing
  ) {
    self.driftChecker = driftChecker
    self.request = request
    self.endpoint = endpoint
    keepsHost = addressing.keepsHost
    began = driftChecker.run.loop.now
  }

  var branch: BranchID { .main }

  /// The mock would see the request now.
  func begin(_ value: Value) { driftChecker.begin(self, value) }

  func begin(_ turn: RoutePlan.Turn, _ locals: [Value]) {
    switch turn {
    case .answer(let answer): expect(answer, locals)
    case .script(let script):
      ScriptRun(run, script, .shadow(self), locals).resume()
    case .conversation, .proxy: break
    }
  }

  /// Compares an answer. Mistakes that a mock makes on purpose are not demanded of a real endpoint.
  private func expect(_ answer: AnswerPlan, _ locals: [Value]) {
    guard case .response(let response) = answer.kind, !isAnswered else { return }
    isAnswered = true
    expected = driftChecker.known { () throws(MessageFailure) in
      try expectation(
        of: response, at: answer.range,
        in: ValueReader(run.stage, locals, shadow: driftChecker),
        from: run.suppliers.messages)
    }
  }

  func follow(_ step: StepPlan, in script: ScriptRun) -> ScriptRun.Flow? {
    guard case .mock(.respond(let answer)) = step.kind else {
      return followQuietly(step, in: script)
    }
    expect(answer, script.locals)
    return .waits
  }

  func passes(_ duration: Microseconds) {}

  func answered(_ response: HTTPResponse) {
    guard let expected else { return }
    let host = keepsHost ? request.headers["Host"] : nil
    let place = driftChecker.place(of: endpoint, writtenHost: host)
    var hop = Exchange.Hop(endpoint: endpoint, request: Exchange.Request(request), place: place)
    hop.response = Exchange.Response(response)
    let exchange = Exchange(hops: [hop], began: began, ended: run.loop.now)
    driftChecker.note(.answer(exchange, withoutBody(expected)), at: endpoint)
  }

  /// There is no body in the answer to HEAD.
  private func withoutBody(_ matcher: MatcherPlan) -> MatcherPlan {
    guard request.method == "HEAD", case .map(let parts) = matcher.content else { return matcher }
    return MatcherPlan(.map(parts.filter { !bodyParts.contains($0.key) }), matcher.range)
  }
}

/// The parts of an answer that stand for its body.
private let bodyParts: [Value] = ["json", "text", "bytes"]
