import Diagnostics
import ScenarioPlan
import Values

/// The texts about a value that does not match.
extension FailureWriter {
  /// The words beside the part of the matcher that failed.
  func label(of mismatch: Mismatch) -> Diagnostic.Label {
    let part = mismatch.path.isEmpty ? "the value" : "`\(mismatch.pathText)`"
    let actual = names.text(mismatch.actual, maxLength: timelineValueLength)
    switch mismatch.reason {
    case .unequal(let expected):
      let kinds = kindsApart(mismatch.actual, expected)
      return .init(mismatch.range, "\(part) is \(kinds ?? actual)")
    case .missingEntry(let key, _):
      return .init(mismatch.range, "\(part) \(lacking(key, mismatch.actual))")
    case .length(let expected, let count):
      let lengths = "\(counted(count, "element")), \(expected) expected"
      return .init(mismatch.range, mismatch.path.isEmpty ? lengths : "\(part) has \(lengths)")
    case .unexpectedEntry: return .init(mismatch.range, "\(part) is not expected: \(actual)")
    case .missingElements(let count, _, let lengths), .unexpectedElements(let count, let lengths):
      let more = count == 1 ? "" : " and on"
      let text = "\(counted(count, of: mismatch)) at \(part)\(more): \(text(of: lengths))"
      return .init(mismatch.range, text)
    case .kind(let expected):
      let words = "\(part) is \(mismatch.actual.kindName), not \(expected)"
      return .init(mismatch.range, words + reasonForNoJSON(mismatch.actual, expected))
    case .operatorFailed(let name, _):
      return .init(mismatch.range, "`\(name)` does not hold for \(actual)")
    case .noElement:
      return .init(mismatch.range, "no element of \(part) is left for this")
    case .incomparable(let name, let wants):
      let kinds = "\(mismatch.actual.kindName) with \(wants.kindName)"
      return .init(mismatch.range, "`\(name)` cannot compare \(kinds)")
    case .notTrue(let result):
      return .init(mismatch.range, "gives \(names.text(result, maxLength: 28)) for \(actual)")
    case .evaluation(let failure): return .init(failure.range, failure.message)
    case .schemaBroken(let message, let part, let keyword):
      return .init(mismatch.range, "\(schemaText(message, part)) (`\(keyword)` of the schema)")
    }
  }

  /// Returns why a text that should be JSON is none; empty for all other values.
  private func reasonForNoJSON(_ actual: Value, _ expected: String) -> String {
    guard expected == Mismatch.json, case .string(let text) = actual,
      case .failure(let problem) = parseJSON(text)
    else { return "" }
    return names.masked(": \(problem.text(in: text.utf8))")
  }

  /// Returns why a text is not read as JSON: it is none, or beyond a limit. Nil if it is JSON.
  func reasonForNoJSON(_ text: String) -> String? {
    guard case .failure(let problem) = parseJSON(text, refusingDuplicateKeys: true) else {
      return nil
    }
    return switch problem.kind {
    case .tooDeep, .numberTooLarge, .duplicateKey: "is not read: \(problem.text(in: text.utf8))"
    case .invalidUTF8, .unexpectedEnd, .expectedValue, .expectedKey, .expectedColon,
      .expectedCommaOrEnd, .invalidNumber, .invalidEscape, .loneSurrogate, .controlCharacter,
      .textAfterValue:
      "is not JSON: \(problem.text(in: text.utf8))"
    }
  }

  func schemaText(_ message: String, _ part: String) -> String {
    part.isEmpty ? "the value \(message)" : "`\(part)` \(message)"
  }

  /// A state of one entry is of some kind, and named by it; other maps just lack an entry.
  private func lacking(_ key: Value, _ actual: Value) -> String {
    if case .map(let map) = actual, map.count == 1, case .string(let kind)? = map.first?.key,
      case .string(let other) = key, StateWords.areKinds(kind, other)
    {
      return "is `\(kind)`, not `\(other)`"
    }
    return "has no entry `\(key.plainText)`"
  }

  func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  /// A change that may be what was meant, at the first difference that suggests one.
  func hint(for differences: Differences, in whole: String = "event") -> String? {
    hint(for: differences.first, in: whole)
      ?? differences.listed.lazy.compactMap { hint(for: $0, in: whole) }.first
  }

  /// A change that may be what was meant; nil where none suggests itself.
  func hint(for mismatch: Mismatch, in whole: String = "event") -> String? {
    switch mismatch.reason {
    case .unequal(let expected): return hint(mismatch.actual, expected, whole)
    case .missingEntry(let key, _):
      guard case .map(let map) = mismatch.actual else { return nil }
      let keys = map.keys.map(\.plainText)
      if whole == "event", FailureWriter.keysOfEntries.contains(key.plainText) {
        return "`\(key.plainText)` of an entry stands beside its source, not inside the value"
      }
      return pathHelp(key.plainText, keys)
        ?? nearestName(to: key.plainText, among: keys).map {
          "the \(whole) has an entry `\($0)`; did you mean that?"
        }
    case .incomparable(_, let wants): return hint(mismatch.actual, wants, whole)
    case .evaluation(let failure): return failure.help
    case .operatorFailed("$regex", wants: .string(let pattern)):
      guard pattern.count > 2, pattern.hasPrefix("/"), pattern.hasSuffix("/") else { return nil }
      return "a pattern has no slashes around it: write `$regex: \(pattern.dropFirst().dropLast())`"
    case .length, .kind, .operatorFailed, .noElement, .notTrue, .schemaBroken, .unexpectedEntry,
      .missingElements, .unexpectedElements:
      return nil
    }
  }

  /// Returns the help for a path such as `tags[0]` or `person.age`, which here is the key of one
  /// entry.
  private func pathHelp(_ key: String, _ keys: [String]) -> String? {
    let parts = key.split { ".[]".contains($0) }.map(String.init)
    guard let first = parts.first, parts.count > 1, keys.contains(first) else { return nil }
    let isList = key.dropFirst(first.count).hasPrefix("[")
    let value = isList ? "[…]" : "{ \(parts[1]): … }"
    return "a key is the name of one entry: write `\(first): \(value)`"
  }

  /// The keys that an entry of `expect` has beside its source.
  private static let keysOfEntries: Set = ["after", "within", "since", "times", "skip"]

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
    // The sign of Kelvin is `k` in lower case, and not `K` in upper case.
    if actual.lowercased() == expected.lowercased(), actual.uppercased() == expected.uppercased() {
      return "the two differ in upper and lower case only"
    }
    if actual.filter({ !$0.isWhitespace }) == expected.filter({ !$0.isWhitespace }) {
      return "the two differ in white space only"
    }
    return nil
  }
}
