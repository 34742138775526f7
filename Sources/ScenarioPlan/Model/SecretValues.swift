import CEL
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

  /// Returns the texts of all values that a matcher would capture as secrets, if they are found in
  /// this value. Whether the value matches does not matter: a report shows it either way.
  package func secretTexts(in value: Value) -> [String] {
    secretMatchers.flatMap { $0.secretTexts(in: value, isSecret) }
  }

  /// Returns these texts for a value and for each of its parts, such as the body of an answer.
  package func secretTexts(inPartsOf value: Value) -> [String] {
    guard case .map(let parts) = value else { return secretTexts(in: value) }
    return secretTexts(in: value) + parts.values.flatMap { secretTexts(in: $0) }
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

  fileprivate func secretTexts(in value: Value, _ isSecret: (CaptureID) -> Bool) -> [String] {
    switch (content, value) {
    case (.list(let elements), .list(let values)):
      zip(elements, values).flatMap { $0.secretTexts(in: $1, isSecret) }
    case (.map(let entries), .map(let map)):
      entries.flatMap { entry in
        (map[entry.key] ?? map.header(entry.key))
          .map { entry.matcher.secretTexts(in: $0, isSecret) } ?? []
      }
    case (.operators(let operators), _):
      operators.flatMap { $0.secretTexts(in: value, isSecret) }
    case (.value, _), (.list, _), (.map, _): []
    }
  }
}

extension ValueMap {
  /// Returns the value of a header, whose name a matcher may write in other letters.
  fileprivate func header(_ name: Value) -> Value? {
    guard case .string(let name) = name else { return nil }
    return self[.string(name.lowercased())]
  }
}

extension OperatorPlan {
  fileprivate func captures(_ wanted: (CaptureID) -> Bool) -> Bool {
    if case .capture(let capture) = kind { return wanted(capture) }
    if case .regex(_, let groups) = kind { return groups.contains { wanted($0.capture) } }
    return matchers.contains { $0.captures(wanted) }
  }

  fileprivate func secretTexts(in value: Value, _ isSecret: (CaptureID) -> Bool) -> [String] {
    if case .capture(let capture) = kind { return isSecret(capture) ? value.secretTexts : [] }
    if case .regex(let pattern, let groups) = kind {
      return pattern.secretTexts(of: groups.filter { isSecret($0.capture) }, in: value)
    }
    let values = parts(of: value)
    return matchers.flatMap { matcher in
      values.flatMap { matcher.secretTexts(in: $0, isSecret) }
    }
  }

  /// The values that the matchers in here are held against.
  private func parts(of value: Value) -> [Value] {
    if case .json = kind, case .string(let text) = value {
      if case .success(let inner) = parseJSON(text) { return [inner] }
      return []
    }
    guard case .list(let elements) = value else { return [value] }
    if case .contains = kind { return elements }
    if case .each = kind { return elements }
    if case .anyOrder = kind { return elements }
    return [value]
  }

  /// The matchers in here.
  package var matchers: [MatcherPlan] {
    switch kind {
    case .text(let matcher), .not(let matcher), .size(let matcher), .contains(let matcher),
      .match(let matcher), .each(let matcher), .json(let matcher):
      [matcher]
    case .oneOf(let matchers), .anyOrder(let matchers): matchers
    case .any, .exactly, .regex, .compare, .like, .eachLike, .where, .capture, .schema, .status,
      .absent, .type, .affix:
      []
    }
  }
}

extension CELPattern {
  fileprivate func secretTexts(of wanted: [OperatorPlan.Group], in value: Value) -> [String] {
    guard !wanted.isEmpty, case .string(let text) = value, let found = groups(in: text) else {
      return []
    }
    return wanted.compactMap { $0.number < found.count ? found[$0.number] : nil }
      .flatMap { Value.string($0).secretTexts }
  }
}

/// Returns the text that stands for a secret in a trace.
package func secretPlaceholder(_ name: String) -> String { "‹\(name)›" }

extension Value {
  /// Returns a value of the same form without anything of this one; nil for a text, whose
  /// placeholder is known.
  func secretShape(of name: String) -> Value? {
    if case .string = self { nil } else { emptied(secretPlaceholder(name)) }
  }

  private func emptied(_ placeholder: String) -> Value {
    switch self {
    case .string: .string(placeholder)
    case .list(let elements): .list(elements.map { $0.emptied(placeholder) })
    case .map(let map): .map(ValueMap(map.map { ($0.key, $0.value.emptied(placeholder)) }))
    case .int, .uint: 0
    case .double: 0.0
    case .bytes: .bytes([])
    case .timestamp: .timestamp(Timestamp(seconds: 0, nanoseconds: 0))
    case .bool: false
    case .duration: .duration(TimeSpan(seconds: 0))
    case .optional(let inner): inner?.emptied(placeholder) ?? .null
    case .null, .type: .null
    }
  }

  /// Returns the value with the numbers that another one has in the same places.
  func withNumbers(of other: Value) -> Value {
    switch (self, other) {
    case (.list(let elements), .list(let others)):
      .list(
        elements.enumerated().map { index, element in
          index < others.count ? element.withNumbers(of: others[index]) : element
        })
    case (.map(let map), .map(let others)):
      .map(
        ValueMap(map.map { key, value in (key, others[key].map(value.withNumbers) ?? value) }))
    case (.int, .int), (.double, .double): other
    default: self
    }
  }

  /// Returns the value with this text in place of each text in it.
  func withTexts(_ placeholder: String) -> Value {
    switch self {
    case .string: .string(placeholder)
    case .list(let elements): .list(elements.map { $0.withTexts(placeholder) })
    case .map(let map): .map(ValueMap(map.map { ($0.key, $0.value.withTexts(placeholder)) }))
    case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .type, .optional: self
    }
  }
}
