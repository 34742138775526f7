import Events
import Protocols
import ScenarioPlan
import Values
import World

/// The ways in which the bytes of an answer are sent.
extension MockCall {
  func deliver(
    _ response: HTTPResponse, _ delivery: ResponsePlan.Delivery, _ locals: [Value],
    then rest: @escaping () -> Void
  ) {
    switch delivery {
    case .whole: link.respond(response)
    case .pieces(let count, let pause):
      guard response.mayHaveBody, response.body.count > 1, !isForHeadAlone else {
        link.respond(response)
        break
      }
      guard link.startBody(of: response) else { break }
      let pause = run.supervisor.length(of: pause, in: ValueReader(run.stage, locals))
      return send(slices(of: response.body, count)[...], pause, then: rest)
    case .fault(let fault):
      link.respond(response, with: fault, noise: run.suppliers.messages.makeNoise())
    }
    rest()
  }

  /// An answer with a file obeys what the request says about the file that the client has already.
  func asFile(_ answer: HTTPResponse, _ plan: ResponsePlan) -> HTTPResponse {
    guard case .contents(let bytes, let path) = plan.body, let sent else { return answer }
    let tag = run.suppliers.messages.tag(of: bytes, ofFile: path.value)
    return answer.asFile(for: sent, tag: tag)
  }

  private var isForHeadAlone: Bool { request["method"] == "HEAD" }

  /// Sends the next piece, and the others each after a pause.
  private func send(
    _ pieces: ArraySlice<ArraySlice<UInt8>>, _ pause: Microseconds,
    then rest: @escaping () -> Void
  ) {
    var pieces = pieces
    while let piece = pieces.popFirst() {
      link.write(Array(piece))
      guard pause > 0, !pieces.isEmpty else { continue }
      timer = run.loop.after(pause, phase: .source) { [self, pieces] in
        timer = nil
        send(pieces, pause, then: rest)
      }
      return
    }
    link.endBody()
    rest()
  }
}

/// The parts of an answer that reports and secrets need.
extension ServerLink {
  func notify(_ response: HTTPResponse) {
    if response.status == 101 {
      return notify(.upgraded(protocol: response.headers["Sec-WebSocket-Protocol"]))
    }
    guard run.isServing else { return }
    let type = response.headers["Content-Type"]
    learnSecrets(of: response)
    let cookies = response.headers.lines.filter {
      $0.name.utf8.count == 10 && $0.name.lowercased() == "set-cookie"
    }
    let issued = IssuedTexts(body: response.body, cookies: cookies.map(\.value))
    notify(
      .answered(
        status: response.status, type: type, bytes: response.body.count, issued: issued))
  }

  /// Hides what a step would capture as a secret: a client may send it back before any step does.
  private func learnSecrets(of response: HTTPResponse) {
    guard run.isServing, !run.stage.plan.secretMatchers.isEmpty else { return }
    // Which step asked is not known. It learns what it captures of the whole answer itself.
    let secrets = run.stage.plan.capturedSecrets(in: .other(responseValue(response)))
    if !secrets.isEmpty { run.recorder.record(.run(.secretsCaptured(secrets))) }
  }
}

/// Returns a body in so many pieces of nearly the same size, none of them empty.
private func slices(of body: [UInt8], _ count: Int) -> [ArraySlice<UInt8>] {
  let count = min(count, body.count)
  return (0..<count).map { body[$0 * body.count / count..<($0 + 1) * body.count / count] }
}

extension AnswerFaultPlan {
  /// Returns the bytes that are sent before the connection ends.
  func bytes(
    of response: HTTPResponse, answering method: String, noise: [UInt8]
  ) -> Result<[UInt8], HTTPProblem> {
    switch self {
    case .partialBody:
      let missing = response.body.count - response.body.count / 2
      return response.encoded(answering: method).map { Array($0.dropLast(missing)) }
    case .malformedChunk:
      var head = response
      head.headers["Content-Length"] = nil
      head.headers["Transfer-Encoding"] = "chunked"
      return head.encodedHead().map { $0 + noise }
    case .garbage: return .success(noise)
    }
  }
}
