import Diagnostics
import ScenarioPlan
import Values

/// Values longer than this are compared part by part.
private let wholeComparedLength = 72

/// What is said about a value that is not as its matcher says.
extension FailureWriter {
  /// Actual and expected: whole where both are short, else the parts that differ by their paths.
  func facts(
    _ actual: Value, _ expected: Value, _ differences: Differences, _ place: String
  ) -> [Diagnostic.Fact] {
    let wholes = [actual, expected].map { names.text($0) }
    let isShort = wholes.allSatisfy { $0.count <= wholeComparedLength && !$0.contains("…") }
    let all = [differences.first] + differences.others
    if isShort || all.allSatisfy({ $0.path.isEmpty }) {
      return [.init("actual", "\(wholes[0])   \(place)"), .init("expected", wholes[1])]
    }
    let actualLines = all.map { line($0, names.text($0.actual, maxLength: wholeComparedLength)) }
    let expectedLines = all.map { line($0, wanted(by: $0)) }
    return [
      .init("actual", actualLines.joined(separator: "\n") + "   \(place)"),
      .init("expected", expectedLines.joined(separator: "\n")),
    ]
  }

  private func line(_ mismatch: Mismatch, _ text: String) -> String {
    mismatch.path.isEmpty ? text : "\(mismatch.pathText): \(text)"
  }

  /// What a part should have been, in one line.
  private func wanted(by mismatch: Mismatch) -> String {
    let length = wholeComparedLength
    switch mismatch.reason {
    case .unequal(let expected): return names.text(expected, maxLength: length)
    case .missingEntry(let key): return "an entry `\(key.plainText)`"
    case .length(let expected, _): return counted(expected, "element")
    case .kind(let expected): return expected
    case .operatorFailed(let name, let wants), .incomparable(let name, let wants):
      return "{ \(name): \(names.text(wants, maxLength: length)) }"
    case .notTrue: return "{ $where: … } that is true"
    case .evaluation: return "an expression that gives a value"
    case .schemaBroken(let message, let part, _): return schemaText(message, part)
    }
  }

  /// The words beside the part of the matcher that failed.
  func label(of mismatch: Mismatch) -> Diagnostic.Label {
    let part = mismatch.path.isEmpty ? "the value" : "`\(mismatch.pathText)`"
    let actual = names.text(mismatch.actual, maxLength: timelineValueLength)
    switch mismatch.reason {
    case .unequal: return .init(mismatch.range, "\(part) is \(actual)")
    case .missingEntry(let key):
      return .init(mismatch.range, "\(part) \(lacking(key, mismatch.actual))")
    case .length(let expected, let count):
      let lengths = "\(counted(count, "element")), \(expected) expected"
      return .init(mismatch.range, mismatch.path.isEmpty ? lengths : "\(part) has \(lengths)")
    case .kind(let expected):
      return .init(mismatch.range, "\(part) is \(mismatch.actual.kindName), not \(expected)")
    case .operatorFailed(let name, _):
      return .init(mismatch.range, "`\(name)` does not hold for \(actual)")
    case .incomparable(let name, let wants):
      let kinds = "\(mismatch.actual.kindName) with \(wants.kindName)"
      return .init(mismatch.range, "`\(name)` cannot compare \(kinds)")
    case .notTrue(let result):
      return .init(mismatch.range, "gives \(names.text(result, maxLength: 28)) for \(actual)")
    case .evaluation(let failure): return .init(failure.range, text(of: failure))
    case .schemaBroken(let message, let part, let keyword):
      return .init(mismatch.range, "\(schemaText(message, part)) (`\(keyword)` of the schema)")
    }
  }

  private func schemaText(_ message: String, _ part: String) -> String {
    part.isEmpty ? "the value \(message)" : "`\(part)` \(message)"
  }

  /// A value of one entry is of some kind, and named by it.
  private func lacking(_ key: Value, _ actual: Value) -> String {
    if case .map(let map) = actual, map.count == 1, let kind = map.first?.key {
      return "is `\(kind.plainText)`, not `\(key.plainText)`"
    }
    return "has no entry `\(key.plainText)`"
  }

  func text(of failure: EvaluationFailure) -> String {
    switch failure.reason {
    case .failed(let message): return message
    case .unset(let capture):
      return "`\(judge.plan.captures[ifPresent: capture] ?? "?")` was never captured"
    }
  }

  func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  /// A change that may be what was meant; nil where none suggests itself.
  func hint(for mismatch: Mismatch, in whole: String = "event") -> String? {
    switch mismatch.reason {
    case .unequal(let expected): return hint(mismatch.actual, expected, whole)
    case .missingEntry(let key):
      guard case .map(let map) = mismatch.actual else { return nil }
      let keys = map.keys.map(\.plainText)
      return nearestName(to: key.plainText, among: keys).map {
        "the \(whole) has an entry `\($0)`; did you mean that?"
      }
    case .incomparable(_, let wants): return hint(mismatch.actual, wants, whole)
    case .length, .kind, .operatorFailed, .notTrue, .evaluation, .schemaBroken: return nil
    }
  }

  private func hint(_ actual: Value, _ expected: Value, _ whole: String) -> String? {
    switch (actual, expected) {
    case (.string(let text), .int), (.string(let text), .uint), (.string(let text), .double),
      (.string(let text), .bool), (.string(let text), .null):
      guard text == expected.plainText else { return nil }
      return "the \(whole) holds text; to match it, write it in quotes: \"\(text)\""
    case (.int, .string(let text)), (.uint, .string(let text)), (.double, .string(let text)),
      (.bool, .string(let text)), (.null, .string(let text)):
      guard text == actual.plainText else { return nil }
      return "the \(whole) holds \(actual.kindName), not text; write it without quotes: \(text)"
    case (.string(let one), .string(let other)): return hint(one, other)
    default: return nil
    }
  }

  private func hint(_ actual: String, _ expected: String) -> String? {
    if actual.lowercased() == expected.lowercased() {
      return "the two differ in upper and lower case only"
    }
    if actual.filter({ !$0.isWhitespace }) == expected.filter({ !$0.isWhitespace }) {
      return "the two differ in white space only"
    }
    return nil
  }
}
