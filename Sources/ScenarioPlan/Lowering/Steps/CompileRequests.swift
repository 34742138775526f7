import Diagnostics
import ScenarioSpec
import TextSearch
import Values

/// Requests of steps and providers, and what is expected of their answers.
extension PlanCompiler {
  func compile(_ request: RequestSpec) -> RequestPlan? {
    let method = compile(request.method)
    let path = compileName(request.path)
    let query = compile(named: request.query)
    let headers = compile(named: request.headers)
    let body = compile(request.body)
    noteCompression(of: body, headers)
    let authorization = request.authorization.map { compile($0) }
    var given: [(name: String, value: DataPlan)] = []
    if case .given(let named)? = request.cookies { given = compile(named: named) }
    let session = request.session.map { compileName($0) }
    guard let endpoint = findEndpoint(request.endpoint) else { return nil }
    var plan = RequestPlan(
      endpoint: endpoint, method: method, path: path, query: query,
      headers: headers, body: body)
    plan.authorization = authorization
    plan.cookies = given
    if case RequestSpec.Cookies.none? = request.cookies { plan.forgetsCookies = true }
    plan.session = session
    plan.redirects = request.redirects
    plan.timeout = request.timeout?.value
    return plan
  }

  /// Notes a body that is sent compressed because a header says so.
  private func noteCompression(of body: BodyPlan, _ headers: [(name: String, value: DataPlan)]) {
    guard body.isWritten,
      let coding = headers.first(where: { $0.name.lowercasedASCII == "content-encoding" })?.value,
      case .constant(let name) = coding.content,
      ["gzip", "deflate", "br", "zstd"].contains(name.plainText.lowercasedASCII)
    else { return }
    report(
      .changedReading(
        of: "the body of a request with `Content-Encoding: \(name.plainText)`",
        now: "is sent compressed", before: "it was sent as it is written", toKeepWrite: nil,
        at: coding.range))
  }

  func compile(_ body: BodySpec) -> BodyPlan {
    switch body {
    case .none: .none
    case .json(let data): .json(compile(data))
    case .text(let data): .text(compile(data))
    case .form(let items): .form(compile(named: items))
    case .file(let path): compileFile(at: path)
    case .contents(let path): compileContents(of: path)
    case .bytes(let pieces, let range): .bytes(pieces.map { compile($0) }, at: range)
    case .multipart(let parts): .multipart(parts.map { compile($0) })
    }
  }

  /// A path without expressions is tried now, so that the mistake has its place. The file is read
  /// when it is sent, since the run may write it again.
  private func compileFile(at path: DataSpec) -> BodyPlan {
    let data = compile(path)
    let folder = folder(of: path.range)
    if case .constant(let name) = data.content {
      let text = name.plainText
      if case .failure(let failure) = inputs.readFile(resolve(text, in: folder)) {
        report(.bodyUnreadable(Located(text, path.range), failure.message))
      }
    }
    return .file(data, folder: folder)
  }

  /// Reads the file of a body. An unreadable one is a mistake of the scenario.
  private func compileContents(of path: Located<String>) -> BodyPlan {
    switch inputs.readFile(resolve(path.value, in: folder(of: path.range))) {
    case .success(let bytes): return .contents(bytes, path: path)
    case .failure(let failure):
      report(.bodyUnreadable(path, failure.message))
      return .none
    }
  }

  private func compile(_ part: PartSpec) -> PartPlan {
    let content: BodySpec =
      switch part.content {
      case .json(let data): .json(data)
      case .text(let data): .text(data)
      case .file(let path): .file(path)
      }
    return PartPlan(
      name: compileName(part.name), content: compile(content),
      filename: part.filename.map { compile($0) },
      contentType: part.contentType.map { compile($0) })
  }

  func compile(_ exchange: ExchangeSpec, of step: StepSpec) -> StepPlanKind? {
    let request = compile(exchange.request)
    let answer = compileExpectedAnswer(of: exchange, at: step.verb.range)
    guard let request else { return nil }
    let assertion = addAssertion(.answer(answer), within: nil, of: step)
    return .acting(.request(ExchangePlan(request: request, assertion: assertion)))
  }

  private func compile(_ spec: RequestSpec.Authorization) -> RequestPlan.Authorization {
    switch spec {
    case .basic(let user, let password):
      .basic(user: compile(user), password: compile(password))
    case .bearer(let token): .bearer(compile(token))
    }
  }

  private func compileExpectedAnswer(
    of exchange: ExchangeSpec, at step: SourceRange
  ) -> ExpectedAnswerPlan {
    let expected = exchange.expected
    let parts = expected?.parts.map { part in
      let place = SecretPlace.answer(part: part.key.rawValue, step: step)
      let matcher = compile(part.matcher.ofAnswer(part.key), at: place).matching(part.key)
      return (key: Value.string(part.key.rawValue), matcher: matcher)
    }
    let range = expected?.keyRange ?? exchange.request.path.range
    let matcher = parts.flatMap { $0.isEmpty ? nil : MatcherPlan(.map($0), range) }
    let within = expected?.within.map { (span: $0.value, range: $0.range) }
    return ExpectedAnswerPlan(
      matcher: matcher, within: within, capture: exchange.capture.flatMap { declareCapture($0) })
  }
}

/// Matchers of answers. They are written as people write answers, and compared in the form that
/// answers are logged in.
extension MatcherPlan {
  fileprivate func matching(_ part: Key) -> MatcherPlan {
    switch part {
    case .status: return matchingStatus()
    case .headers: return inLowerCase().mapEntries { $0.ofText() }
    case .cookies: return mapEntries { $0.ofCookie() }
    default: return self
    }
  }

  private func mapEntries(_ change: (MatcherPlan) -> MatcherPlan) -> MatcherPlan {
    guard case .map(let entries) = content else { return self }
    return MatcherPlan(.map(entries.map { ($0.key, change($0.matcher)) }), range)
  }

  /// `2xx` stands for all statuses that begin with 2, also inside `$in` and `$not`.
  private func matchingStatus() -> MatcherPlan {
    switch content {
    case .value(let data):
      let status = OperatorPlan(kind: .data(.status, data), name: "status", range: range)
      return MatcherPlan(.operators([status]), range)
    case .operators(let operators):
      let changed = operators.map { $0.matchingStatus { $0.matchingStatus() } }
      return MatcherPlan(.operators(changed), range)
    case .list, .map: return self
    }
  }

  /// Returns the matcher for text: header fields are text, even if YAML reads a number.
  private func ofText() -> MatcherPlan {
    if case .list(let elements) = content {
      return MatcherPlan(.list(elements.map { $0.ofText() }), range)
    }
    guard case .value(let data) = content, case .constant(let value) = data.content,
      value.kindName != "text"
    else { return self }
    return MatcherPlan(.value(DataPlan(.constant(.string(value.plainText)), data.range)), range)
  }

  /// A cookie is matched by its value; a plain map is for its attributes.
  private func ofCookie() -> MatcherPlan {
    if case .map(let entries) = content {
      let texts = entries.map { entry in
        (
          key: entry.key,
          matcher: entry.key == .string("value") ? entry.matcher.ofText() : entry.matcher
        )
      }
      return MatcherPlan(.map(texts), range)
    }
    return MatcherPlan(.map([(key: .string("value"), matcher: ofText())]), range)
  }
}

extension OperatorPlan {
  fileprivate func matchingStatus(_ change: (MatcherPlan) -> MatcherPlan) -> OperatorPlan {
    var changed = self
    switch kind {
    case .list(.oneOf, let matchers): changed.kind = .list(.oneOf, matchers.map(change))
    case .inner(let test, let matcher) where test.object == .value:
      changed.kind = .inner(test, change(matcher))
    case .any, .absent, .type, .data, .inner, .list, .regex, .where, .capture, .schema: break
    }
    return changed
  }
}
