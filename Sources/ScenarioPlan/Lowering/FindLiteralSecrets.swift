import Values

// What a scenario says itself and later captures as a secret. A failure before the capture would
// show it.
extension ScenarioPlan {
  /// Returns the plan with the literals that its steps capture as secrets.
  func withLiteralSecrets() -> ScenarioPlan {
    if secretMatchers.isEmpty { return self }
    var known: Set<String> = []
    let texts = literals.flatMap { capturedSecrets(in: $0) }.map(\.text)
      .filter { !$0.isEmpty && known.insert($0).inserted }
    return texts.isEmpty ? self : changed { $0.literalSecrets = texts }
  }

  /// The values that mocks and clients send, as far as the scenario has them literally.
  private var literals: [SecretOccurrence] {
    let answers = endpoints.flatMap(\.routes).flatMap { route -> [AnswerPlan] in
      guard case .inTurn(let turns) = route.answers else { return [] }
      return turns.compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
    }
    return answers.compactMap(\.literal) + scripts.flatMap(\.steps).flatMap(\.literals)
  }
}

extension StepPlan {
  fileprivate var literals: [SecretOccurrence] {
    switch kind {
    case .mock(.respond(let answer)): answer.literal.map { [$0] } ?? []
    case .mock(.act(let act)): act.literal.map { [$0] } ?? []
    case .acting(.serve(let plans, _)):
      plans.compactMap { if case .act(let act) = $0.command { act.literal } else { nil } }
    case .acting(.request(let exchange)):
      message(exchange.request.body, exchange.request.headers).map { [$0] } ?? []
    case .acting(.send(let sends)): sends.compactMap { $0.payload?.literal }.map { .other($0) }
    case .acting(.set(let sets)): sets.compactMap(\.value.literal).map { .other($0) }
    case .mock(.receive), .acting, .structure, .assertion, .action: []
    }
  }
}

extension AnswerPlan {
  fileprivate var literal: SecretOccurrence? {
    guard case .response(let response) = kind else { return nil }
    return message(response.body, response.headers)
  }
}

/// Returns the literal parts of a message, under the names that expectations have for them.
private func message(
  _ body: BodyPlan, _ headers: [(name: String, value: DataPlan)]
) -> SecretOccurrence? {
  var parts = ValueMap()
  switch body {
  case .json(let data): parts["json"] = data.literal
  case .text(let data): parts["text"] = data.literal
  case .form(let fields):
    parts["form"] = .map(
      ValueMap(fields.compactMap { field in field.value.literal.map { (.string(field.name), $0) } })
    )
  case .none, .file, .contents, .bytes, .multipart: break
  }
  let literals = headers.compactMap { header in
    header.value.literal.map { (Value.string(header.name.lowercasedASCII), $0) }
  }
  if !literals.isEmpty { parts["headers"] = .map(ValueMap(literals)) }
  return parts.isEmpty ? nil : .answer(parts, step: nil)
}

extension ServerActPlan {
  fileprivate var literal: SecretOccurrence? {
    switch self {
    case .event(let event): event.data?.literal.map { .other(["data": $0]) }
    case .message(let data): data.literal.map { .other($0) }
    case .bytes, .drop, .reset, .stall, .halfClose, .close, .pings: nil
    }
  }
}

extension DataPlan {
  /// The value as far as it is literal, with null for each expression; nil if nothing is.
  fileprivate var literal: Value? {
    switch content {
    case .constant(let value): value
    case .list(let elements): .list(elements.map { $0.literal ?? .null })
    case .map(let entries): .map(ValueMap(entries.map { ($0.key, $0.value.literal ?? .null) }))
    case .example(let data, _): data.literal
    case .expression, .text, .keyedMap: nil
    }
  }
}
