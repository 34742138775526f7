import Diagnostics
import Values

/// Values longer than this are compared part by part.
private let wholeComparedLength = 72
/// Texts of at least this length have a caret where they first differ.
private let caretedLength = 24
/// The length of a value in a line that has both sides, in characters.
private let sideLength = 40
/// The length of each of two long texts in one line, in characters.
private let windowLength = 28

/// A value and what it should have been, side by side.
extension FailureWriter {
  /// Actual and expected: whole where both are short, else the parts that differ by their paths.
  func facts(
    _ actual: Value, _ expected: Value, _ differences: Differences, _ place: String
  ) -> [Diagnostic.Fact] {
    var facts = shownFacts(actual, expected, differences, place)
    // A list of differences has them in its lines.
    guard facts.count > 1 else { return facts + hiddenFacts(differences) }
    for each in differences.listed {
      guard let unseen = codePoints(of: each) else { continue }
      let path = differences.count == 1 || each.path.isEmpty ? "" : each.pathText + ": "
      facts[facts.count - 1].text += "\n" + path + unseen
    }
    return facts + hiddenFacts(differences)
  }

  /// Returns where the texts of a difference first differ, if that cannot be seen.
  private func codePoints(of mismatch: Mismatch) -> String? {
    let masked = { (text: String) in names.masked(text) }
    switch (mismatch.reason, mismatch.actual) {
    case (.unequal(.string(let expected)), .string(let actual)):
      return codePointDifference(actual: masked(actual), expected: masked(expected))
    case (.operatorFailed(let name, let wants), let actual):
      return codePoints(actual.texts, wants.texts, by: name)
    case (.noElement(let wants), let actual): return codePoints(actual.texts, wants.texts)
    case (.missingEntry(let key, _), .map(let map)):
      let wanted = key.plainText
      return map.keys.lazy.compactMap {
        codePointDifference(actual: masked($0.plainText), expected: masked(wanted))
      }.first.map { "in the key: " + $0 }
    default: return nil
    }
  }

  /// Returns where two texts first differ that look alike, of those that an operator compared.
  private func codePoints(
    _ actual: [String], _ expected: [String], by name: String = ""
  ) -> String? {
    let pairs = actual.flatMap { text in
      expected.map { wanted in
        let part =
          switch name {
          case "$startsWith": String(text.prefix(wanted.count))
          case "$endsWith": String(text.suffix(wanted.count))
          default: text
          }
        return (actual: names.masked(part), expected: names.masked(wanted))
      }
    }
    return codePointDifference(among: pairs)
  }

  private func shownFacts(
    _ actual: Value, _ expected: Value, _ differences: Differences, _ place: String
  ) -> [Diagnostic.Fact] {
    let only = differences.count == 1 ? differences.listed[0] : nil
    if let only, let facts = textFacts(only, place) { return facts }
    let wholes = [actual, expected].map { names.text($0) }
    let isShort = wholes.allSatisfy { $0.count <= wholeComparedLength && !$0.contains("…") }
    if isShort || only?.path.isEmpty == true {
      return [.init("actual", "\(wholes[0])   \(place)"), .init("expected", wholes[1])]
    }
    if let only { return facts(only, place) }
    return [.init("actual", list(differences, place))]
  }

  /// The same as data, for programs.
  func data(of differences: Differences) -> [Diagnostic.Difference] {
    differences.listed.map { each in
      let (actual, expected) = sides(of: each)
      return Diagnostic.Difference(
        path: each.pathText, kind: kind(of: each), actual: actual.map { json($0) },
        expected: expected.map { json($0) })
    }
  }

  private func facts(_ only: Mismatch, _ place: String) -> [Diagnostic.Fact] {
    let path = only.path.isEmpty ? "" : only.pathText + ": "
    var actual = path + names.text(only.actual, maxLength: wholeComparedLength)
    var expected = path + wanted(by: only)
    switch only.reason {
    case .missingElements(_, _, let lengths): actual = text(of: lengths)
    case .unexpectedElements(_, let lengths): expected = counted(lengths.expected, "element")
    case .missingEntry(let key, let wanted?):
      let text = names.text(wanted, maxLength: wholeComparedLength)
      expected = "\(pathText(of: only, key)): \(text)"
    case .unequal, .missingEntry, .unexpectedEntry, .length, .kind, .operatorFailed, .noElement,
      .incomparable, .notTrue, .evaluation, .schemaBroken:
      break
    }
    return [.init("actual", actual + "   " + place), .init("expected", expected)]
  }

  private func pathText(of mismatch: Mismatch, _ key: Value) -> String {
    mismatch.pathText + Mismatch.text(ofPath: [.key(key)])
  }

  /// Returns both texts one below the other, with a caret, if they are so long that the difference
  /// is hard to see.
  private func textFacts(_ only: Mismatch, _ place: String) -> [Diagnostic.Fact]? {
    guard case .unequal(.string(let expected)) = only.reason,
      case .string(let actual) = only.actual,
      min(actual.utf8.count, expected.utf8.count) >= caretedLength,
      let windows = TextWindows(
        names.mask.masked(actual), names.mask.masked(expected), room: wholeComparedLength),
      windows.position > 1
    else { return nil }
    let path = only.path.isEmpty ? "" : only.pathText + ": "
    let column = displayWidth(path + windows.shared)
    let caret = String(repeating: " ", count: column) + "^ from character \(windows.position) on"
    return [
      .init("actual", "\(path)\(windows.actual)   \(place)"),
      .init("expected", "\(path)\(windows.expected)\n\(caret)"),
    ]
  }

  /// `3 differences   event 1, at 0ms` and a line for each.
  private func list(_ differences: Differences, _ place: String) -> String {
    var lines = [counted(differences.count, "difference") + "   " + place]
    for each in differences.listed {
      lines.append(line(each))
      if let unseen = codePoints(of: each) { lines.append("  " + unseen) }
    }
    let rest = differences.count - differences.listed.count
    if rest > 0 { lines.append("and \(counted(rest, "more difference"))") }
    return lines.joined(separator: "\n")
  }

  /// `.id: "7", expected "8"`.
  private func line(_ mismatch: Mismatch) -> String {
    let path = mismatch.path.isEmpty ? "" : mismatch.pathText + ": "
    let actual = names.text(mismatch.actual, maxLength: sideLength)
    switch mismatch.reason {
    case .unequal(.string(let expected)):
      if case .string(let text) = mismatch.actual, let sides = windows(text, expected) {
        return path + sides
      }
      return path + contrasted(mismatch.actual, .string(expected))
    case .unequal(let expected): return path + contrasted(mismatch.actual, expected)
    case .missingEntry(let key, let expected):
      return missing(key, expected, in: mismatch)
    case .unexpectedEntry: return "\(path)not expected, \(actual)"
    case .missingElements(let count, let expected, let lengths):
      let first = names.text(expected, maxLength: sideLength)
      return "\(path)\(counted(count, of: mismatch)), \(first) (\(text(of: lengths)))"
    case .unexpectedElements(let count, let lengths):
      return "\(path)\(counted(count, of: mismatch)), \(actual) (\(text(of: lengths)))"
    case .schemaBroken(let message, let part, _): return path + schemaText(message, part)
    case .length, .kind, .operatorFailed, .noElement, .incomparable, .notTrue, .evaluation:
      return "\(path)\(actual), expected \(wanted(by: mismatch))"
    }
  }

  private func windows(_ actual: String, _ expected: String) -> String? {
    guard max(actual.utf8.count, expected.utf8.count) > sideLength,
      let windows = TextWindows(
        names.mask.masked(actual), names.mask.masked(expected), room: windowLength)
    else { return nil }
    return "\(windows.actual), expected \(windows.expected) from character \(windows.position) on"
  }

  private func missing(_ key: Value, _ expected: Value?, in mismatch: Mismatch) -> String {
    let path = pathText(of: mismatch, key)
    let wanted = expected.map { ", expected " + names.text($0, maxLength: sideLength) } ?? ""
    return "\(path): missing\(wanted)"
  }

  /// Returns the expected value of a part, in one line.
  private func wanted(by mismatch: Mismatch) -> String {
    let length = wholeComparedLength
    switch mismatch.reason {
    case .unequal(let expected): return names.text(expected, maxLength: length)
    case .missingEntry(let key, _): return "an entry `\(key.plainText)`"
    case .unexpectedEntry, .unexpectedElements: return "nothing"
    case .missingElements(_, let expected, _): return names.text(expected, maxLength: length)
    case .length(let expected, _): return counted(expected, "element")
    case .kind(let expected): return expected
    case .operatorFailed(let name, let wants), .incomparable(let name, let wants):
      return "{ \(name): \(names.text(wants, maxLength: length)) }"
    case .noElement(let wants): return "an element " + names.text(wants, maxLength: length)
    case .notTrue: return "{ $where: … } that is true"
    case .evaluation: return "an expression that gives a value"
    case .schemaBroken(let message, let part, _): return schemaText(message, part)
    }
  }

  /// `"7", expected "8"`, or `text "7", not the number 7`.
  private func contrasted(_ actual: Value, _ expected: Value) -> String {
    if let kinds = kindsApart(actual, expected) { return kinds }
    let texts = [actual, expected].map { names.text($0, maxLength: sideLength) }
    return "\(texts[0]), expected \(texts[1])"
  }

  /// Returns the kinds of two values that look alike and differ in kind; nil for other values.
  func kindsApart(_ actual: Value, _ expected: Value) -> String? {
    guard let one = actual.scalarNoun, let other = expected.scalarNoun, one != other,
      actual.plainText == expected.plainText
    else { return nil }
    let texts = [actual, expected].map { names.text($0, maxLength: sideLength) }
    return "\(one)\(texts[0]), not \(other)\(texts[1])"
  }

  /// `one too many`, `3 missing`.
  func counted(_ count: Int, of mismatch: Mismatch) -> String {
    let isMissing = if case .missingElements = mismatch.reason { true } else { false }
    let what = isMissing ? "missing" : "too many"
    return count == 1 ? "one \(what)" : "\(count) \(what)"
  }

  func text(of lengths: Mismatch.Lengths) -> String {
    "\(counted(lengths.actual, "element")), \(lengths.expected) expected"
  }
}

extension FailureWriter {
  /// Both sides of a difference, where they are values.
  fileprivate func sides(of mismatch: Mismatch) -> (actual: Value?, expected: Value?) {
    switch mismatch.reason {
    case .unequal(let expected): (mismatch.actual, expected)
    case .missingEntry(_, let expected): (nil, expected)
    case .missingElements(_, let expected, _): (nil, expected)
    case .noElement(let wants): (mismatch.actual, wants)
    case .unexpectedEntry, .unexpectedElements, .notTrue, .evaluation, .schemaBroken:
      (mismatch.actual, nil)
    case .length(let expected, let actual): (.int(actual), .int(expected))
    case .kind(let expected): (mismatch.actual, .string(expected))
    case .operatorFailed(let name, let wants), .incomparable(let name, let wants):
      (mismatch.actual, .map(ValueMap([(.string(name), wants)])))
    }
  }

  fileprivate func kind(of mismatch: Mismatch) -> Diagnostic.Difference.Kind {
    switch mismatch.reason {
    case .unequal(let expected): kindsApart(mismatch.actual, expected) == nil ? .value : .type
    case .kind: .type
    case .missingEntry, .missingElements, .noElement: .missing
    case .unexpectedEntry, .unexpectedElements: .unexpected
    case .length: .length
    case .operatorFailed, .incomparable, .notTrue, .evaluation: .operator
    case .schemaBroken: .schema
    }
  }

  /// JSON text, without secrets; long values are cut, and are then text.
  fileprivate func json(_ value: Value) -> String {
    let masked = names.mask.masked(value)
    if case .bytes = masked {
      return Value.string(masked.display(maxLength: longestDifference)).json()
    }
    let text = masked.json()
    if text.utf8.count <= longestDifference { return text }
    return Value.string(masked.display(maxLength: longestDifference)).json()
  }
}

/// The elements of a list that are searched for a text that looks like another.
private let mostElementsCompared = 50

/// Values whose JSON is longer than this are cut.
private let longestDifference = 4096

extension Value {
  /// The text, or the texts of the first elements of a list.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .list(let elements):
      elements.prefix(mostElementsCompared).compactMap {
        if case .string(let text) = $0 { text } else { nil }
      }
    case .int, .uint, .double, .digits, .bool, .null, .bytes, .map, .timestamp, .duration, .type,
      .optional:
      []
    }
  }

  /// The noun before a scalar's value; nil for others.
  fileprivate var scalarNoun: String? {
    switch self {
    case .string: "text "
    case .int, .uint, .double, .digits: "the number "
    case .bool: "the truth value "
    case .null: ""
    case .bytes, .list, .map, .timestamp, .duration, .type, .optional: nil
    }
  }
}
