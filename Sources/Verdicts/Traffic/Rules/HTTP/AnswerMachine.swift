import Diagnostics
import Events
import TextSearch

/// Judges each answer by itself, together with its request.
struct AnswerMachine: TrafficMachine {
  static let bodyWithoutContent: DiagnosticID = "body-without-content"
  static let wrongLength: DiagnosticID = "wrong-length"
  static let redirectWithoutLocation: DiagnosticID = "redirect-without-location"
  static let noAllow: DiagnosticID = "no-allow"
  static let noChallenge: DiagnosticID = "no-challenge"

  enum Judgement {
    /// The rule is not about such an answer.
    case notAbout
    case fine
    case broken(String)
  }

  typealias Judge =
    @Sendable (Exchange.Request, Exchange.Response, _ isOfArchive: Bool) -> Judgement

  private let judge: Judge
  private(set) var exercised = ExercisedCount()
  private var requests: [Int: (request: Exchange.Request, witness: RuleWitness)] = [:]

  init(_ judge: @escaping Judge) { self.judge = judge }

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    if case .request(let request) = line.kind {
      requests[line.exchange] = (request, RuleWitness(line, request.shownTarget))
      return []
    }
    guard case .response(let answer) = line.kind else {
      if line.kind.ending != nil { requests[line.exchange] = nil }
      return []
    }
    guard answer.status >= 200, let asked = requests.removeValue(forKey: line.exchange) else {
      return []
    }
    switch judge(asked.request, answer, line.isOfArchive) {
    case .notAbout: return []
    case .fine:
      exercised.add(.server)
      return []
    case .broken(let message):
      exercised.add(.server)
      let witness = RuleWitness(line, "status \(answer.status)")
      return [RuleFinding(.server, message, asked.witness, witness)]
    }
  }
}

extension ExchangeLine {
  /// True for a line of an HTTP Archive, which has what a browser shows and not what was sent.
  fileprivate var isOfArchive: Bool { if case .entry = place { true } else { false } }
}

// The rules, as functions of a request and its answer.

/// RFC 9110: answers to HEAD, and those with 204 or 304, have no content.
@Sendable func judgeContent(
  _ request: Exchange.Request, _ answer: Exchange.Response, _ isOfArchive: Bool
) -> AnswerMachine.Judgement {
  let reason =
    request.method == "HEAD"
    ? "an answer to HEAD has no body"
    : answer.status == 204
      ? "an answer with 204 has no body"
      // Browsers put the body of their cache there.
      : answer.status == 304 && !isOfArchive ? "an answer with 304 has no body" : nil
  guard let reason else { return .notAbout }
  return answer.body.isEmpty
    ? .fine : .broken("\(reason), and this one has \(answer.body.count) bytes")
}

@Sendable func judgeLength(
  _ request: Exchange.Request, _ answer: Exchange.Response, _ isOfArchive: Bool
) -> AnswerMachine.Judgement {
  // An archive has bodies as they are behind their coding, and a trace may have a name in place of
  // a secret.
  guard !isOfArchive, request.method != "HEAD", answer.status != 304, !answer.body.isEmpty,
    answer["content-encoding"] == nil, answer["transfer-encoding"] == nil,
    let length = answer["content-length"].flatMap({ Int($0) })
  else { return .notAbout }
  let count = answer.body.count
  return length == count
    ? .fine : .broken("the answer announces \(length) bytes and has \(count)")
}

@Sendable func judgeRedirect(
  _ request: Exchange.Request, _ answer: Exchange.Response, _ isOfArchive: Bool
) -> AnswerMachine.Judgement {
  guard [301, 302, 303, 307, 308].contains(answer.status) else { return .notAbout }
  return answer["location"] != nil
    ? .fine : .broken("an answer with \(answer.status) lacks `Location`")
}

@Sendable func judgeAllow(
  _ request: Exchange.Request, _ answer: Exchange.Response, _ isOfArchive: Bool
) -> AnswerMachine.Judgement {
  guard answer.status == 405 else { return .notAbout }
  return answer["allow"] != nil ? .fine : .broken("an answer with 405 lacks `Allow`")
}

@Sendable func judgeChallenge(
  _ request: Exchange.Request, _ answer: Exchange.Response, _ isOfArchive: Bool
) -> AnswerMachine.Judgement {
  guard answer.status == 401 else { return .notAbout }
  return answer["www-authenticate"] != nil
    ? .fine : .broken("an answer with 401 lacks `WWW-Authenticate`")
}
