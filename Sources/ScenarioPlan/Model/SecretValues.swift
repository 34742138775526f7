import CEL
import Diagnostics
import Secrets
import Values

/// The secrets of one run.
extension ScenarioPlan {
  func isSecret(_ capture: CaptureID) -> Bool { captures[capture].isSecret }

  /// Returns the values of a row's secret columns.
  package func secretValues(of row: RowPlan) -> [Value] {
    columns.withIDs.compactMap { id, column in column.isSecret ? row.values[id] : nil }
  }

  /// Returns the texts of a row's secret columns.
  package func secretTexts(of row: RowPlan?) -> [String] {
    row.map { secretValues(of: $0).flatMap(\.secretTexts) } ?? []
  }

  /// The filter that hides the secrets which are known before a run.
  package var secretMask: SecretMask { box.secretMask }

  /// Returns the filter that hides the secrets which are known before the run of a row.
  package func secretMask(of row: RowPlan?) -> SecretMask {
    secretMask.adding(secretTexts(of: row))
  }

  /// The filter that has the name of each secret which is known before a run in its place.
  package var namedSecrets: NamedSecrets { box.namedSecrets }

  /// Returns the texts of all values that a matcher would capture as secrets, if they are found in
  /// something that occurred. Whether the value matches does not matter: a report shows it either
  /// way.
  package func capturedSecrets(in occurrence: SecretOccurrence) -> [NamedSecret] {
    secretMatchers.flatMap { capturedSecrets(of: $0, in: occurrence) }
  }

  private func capturedSecrets(
    of secret: SecretMatcherPlan, in occurrence: SecretOccurrence
  ) -> [NamedSecret] {
    let reader = SecretReader(plan: self)
    // What stands under a key may be in the whole, or in one of its parts, such as a body.
    var texts = occurrence.keyedValues.flatMap { reader.keyedTexts(of: secret.matcher, in: $0) }
    switch (secret.place, occurrence) {
    case (.answer(let part, let step), .answer(let parts, let answered)):
      if step == answered, let value = parts[.string(part)] {
        let whole = reader.wholeTexts(of: secret.matcher, in: value)
        texts += whole
        // The body as it was sent may have blanks, and its keys in another order.
        let json = value.json(sortedKeys: true)
        if let sent = parts["text"], let secret = whole.first(where: { $0.text == json }) {
          texts += sent.secretTexts.map { NamedSecret(name: secret.name, text: $0) }
        }
      }
    case (.source(let expected), .event(let source, let value)):
      if expected == source {
        texts += wholeTexts(of: secret.matcher, in: value, source, reader)
      }
    case (.source(let source), .fromServer(let value)):
      if case .connection = sources[source].kind {
        texts += reader.wholeTexts(of: secret.matcher, in: value)
      }
    case (.received, .fromClient(let value)), (.anywhere, .fromClient(let value)),
      (.anywhere, .fromServer(let value)), (.anywhere, .event(_, let value)):
      texts += reader.wholeTexts(of: secret.matcher, in: value)
    case (.answer, _), (.source, _), (.received, _), (.anywhere, _): break
    }
    return texts
  }

  /// The request that a client sent has another form in a trace, so each of its parts is hidden.
  private func wholeTexts(
    of matcher: MatcherPlan, in value: Value, _ source: SourceID, _ reader: SecretReader
  ) -> [NamedSecret] {
    guard case .endpoint = sources[source].kind else {
      return reader.wholeTexts(of: matcher, in: value)
    }
    return reader.wholeTexts(of: matcher, in: value, hidesParts: true)
  }
}

/// A matcher that captures secrets.
package struct SecretMatcherPlan: Sendable {
  package var matcher: MatcherPlan
  package var place: SecretPlace
}

/// The place of the values that a matcher is about. If it captures a whole value, no other value is
/// a secret. What it captures under a key is a secret wherever that key is.
package enum SecretPlace: Sendable {
  case anywhere
  /// A part of the answer to a `request` step, such as `json`.
  case answer(part: String, step: SourceRange)
  case source(SourceID)
  /// A message that a mock receives.
  case received
}

/// Something that happened, in which secrets may be found.
package enum SecretOccurrence: Sendable {
  /// The answer to a step, by its parts; the place is nil if the step is not known.
  case answer(ValueMap, step: SourceRange?)
  case event(SourceID, Value)
  case fromServer(Value)
  case fromClient(Value)
  case other(Value)

  /// The values whose keys are looked at.
  fileprivate var keyedValues: [Value] {
    switch self {
    case .answer(let parts, _): [.map(parts)] + parts.values
    case .event(_, let value), .fromServer(let value), .fromClient(let value), .other(let value):
      if case .map(let parts) = value { [value] + parts.values } else { [value] }
    }
  }
}

/// The reader of the texts that matchers capture as secrets.
private struct SecretReader {
  let plan: ScenarioPlan

  /// Returns the texts of what a matcher captures under keys of maps.
  func keyedTexts(of matcher: MatcherPlan, in value: Value) -> [NamedSecret] {
    matcher.secretTexts(in: value, plan.isSecret) { capture, value, isKeyed in
      isKeyed ? named(capture, value.secretTexts) : []
    }
  }

  /// Returns the texts of what a matcher captures of the whole value.
  func wholeTexts(
    of matcher: MatcherPlan, in value: Value, hidesParts: Bool = false
  ) -> [NamedSecret] {
    matcher.secretTexts(in: value, plan.isSecret) { capture, value, isKeyed in
      if isKeyed { return [] }
      let texts = hidesParts ? value.secretTexts : plan.captures[capture].secretTexts(of: value)
      return named(capture, texts)
    }
  }

  private func named(_ capture: CaptureID, _ texts: [String]) -> [NamedSecret] {
    let name = plan.captures[capture].name
    return texts.map { NamedSecret(name: name, text: $0) }
  }
}

extension CapturePlan {
  /// A list or a map is hidden as a whole. Of its parts those are secrets of their own that
  /// expressions read, since they may occur elsewhere.
  fileprivate func secretTexts(of value: Value) -> [String] {
    switch value {
    case .list, .map: break
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      return value.secretTexts
    }
    let inner = value.secretTexts
    if inner.isEmpty { return [] }
    return [value.json(sortedKeys: true)] + partsRead.flatMap { secretTexts(of: value, at: $0) }
  }

  private func secretTexts(of value: Value, at fields: [String]) -> [String] {
    // The whole may be used in any way. A short text or a small number would hide too much.
    if fields.isEmpty { return value.longTexts }
    var part = value
    for field in fields {
      guard let next = part[field] else { return part.secretTexts }
      part = next
    }
    return part.secretTexts
  }
}

extension Value {
  /// The texts in here that are long enough to be hidden inside other words.
  fileprivate var longTexts: [String] {
    secretTexts.filter { $0.count >= SecretMask.shortestInsideWords }
  }
}

extension MatcherPlan {
  /// Returns whether the matcher captures one of these.
  func captures(_ wanted: (CaptureID) -> Bool) -> Bool {
    switch content {
    case .value: false
    case .list(let elements): elements.contains { $0.captures(wanted) }
    case .map(let entries): entries.contains { $0.matcher.captures(wanted) }
    case .operators(let operators): operators.contains { $0.captures(wanted) }
    }
  }

  /// - Parameter texts: Returns the texts of a captured value. It gets the capture, the value, and
  ///   whether it stands under a key of the matcher.
  fileprivate func secretTexts(
    in value: Value, _ isSecret: (CaptureID) -> Bool, isKeyed: Bool = false,
    _ texts: (CaptureID, Value, Bool) -> [NamedSecret]
  ) -> [NamedSecret] {
    switch (content, value) {
    case (.list(let elements), .list(let values)):
      zip(elements, values).flatMap {
        $0.secretTexts(in: $1, isSecret, isKeyed: isKeyed, texts)
      }
    case (.map(let entries), .map(let map)):
      entries.flatMap { entry in
        (map[entry.key] ?? map.header(entry.key))
          .map { entry.matcher.secretTexts(in: $0, isSecret, isKeyed: true, texts) } ?? []
      }
    case (.operators(let operators), _):
      operators.flatMap { $0.secretTexts(in: value, isSecret, isKeyed, texts) }
    case (.value, _), (.list, _), (.map, _): []
    }
  }
}

extension ValueMap {
  /// Returns the value of a header, whose name a matcher may write in other letters.
  fileprivate func header(_ name: Value) -> Value? {
    guard case .string(let name) = name else { return nil }
    return self[.string(name.lowercasedASCII)]
  }
}

extension OperatorPlan {
  fileprivate func captures(_ wanted: (CaptureID) -> Bool) -> Bool {
    if case .capture(let capture) = kind { return wanted(capture) }
    if case .regex(_, let groups) = kind { return groups.contains { wanted($0.capture) } }
    return matchers.contains { $0.captures(wanted) }
  }

  fileprivate func secretTexts(
    in value: Value, _ isSecret: (CaptureID) -> Bool, _ isKeyed: Bool,
    _ texts: (CaptureID, Value, Bool) -> [NamedSecret]
  ) -> [NamedSecret] {
    if case .capture(let capture) = kind {
      return isSecret(capture) ? texts(capture, value, isKeyed) : []
    }
    if case .regex(let pattern, let groups) = kind {
      return groups.filter { isSecret($0.capture) }.flatMap { group in
        pattern.value(of: group, in: value).map { texts(group.capture, $0, isKeyed) } ?? []
      }
    }
    let values = parts(of: value)
    return matchers.flatMap { matcher in
      values.flatMap { matcher.secretTexts(in: $0, isSecret, isKeyed: isKeyed, texts) }
    }
  }

  /// The values that the matchers in here are held against.
  private func parts(of value: Value) -> [Value] {
    if case .inner(.json, _) = kind, case .string(let text) = value {
      if case .success(let inner) = parseJSON(text) { return [inner] }
      return []
    }
    guard case .list(let elements) = value else { return [value] }
    if case .inner(let test, _) = kind, test.object == .element { return elements }
    if case .list(.anyOrder, _) = kind { return elements }
    return [value]
  }

  /// The matchers in here.
  package var matchers: [MatcherPlan] {
    switch kind {
    case .inner(_, let matcher): [matcher]
    case .list(_, let matchers): matchers
    case .any, .absent, .type, .data, .regex, .where, .capture, .schema: []
    }
  }
}

extension CELPattern {
  /// Returns what a named group has found in a text.
  fileprivate func value(of group: OperatorPlan.Group, in value: Value) -> Value? {
    guard case .string(let text) = value, let found = groups(in: text), group.number < found.count,
      let part = found[group.number]
    else { return nil }
    return .string(part)
  }
}
