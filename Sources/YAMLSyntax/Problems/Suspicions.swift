import Diagnostics
import Values

/// A finder of text that YAML accepts although its author surely meant something else.
struct SuspicionFinder {
  let source: UnsafeBufferPointer<UInt8>
  let file: Int32

  /// Checks a plain scalar that is not a key; the bytes are those of its text.
  func look(
    at scalar: YAMLScalar, _ bytes: UnsafeBufferPointer<UInt8>, isInFlow: Bool,
    _ warnings: inout [Diagnostic]
  ) {
    if scalar.typeTag == .none, YAML11Reading.mayDiffer(bytes),
      let reading = YAML11Reading(scalar.text)
    {
      warnings.append(.yaml11Reading(scalar, reading))
    }
    if let warning = cutByComment(scalar) { warnings.append(warning) }
    if isInFlow, let warning = splitByComma(scalar, bytes) { warnings.append(warning) }
  }

  /// Warns of `x == 'a #b'`: a quote is open at the beginning of a comment, and the comment closes
  /// it.
  private func cutByComment(_ scalar: YAMLScalar) -> Diagnostic? {
    let end = Int(scalar.range.end)
    var hash = end
    while hash < source.count, isBlank(source[hash]) { hash += 1 }
    guard hash > end, hash < source.count, source[hash] == UInt8(ascii: "#"),
      let quote = openQuote(scalar.text)
    else { return nil }
    let lineEnd = source[hash...].firstIndex { isBreak($0) } ?? source.count
    guard source[hash..<lineEnd].contains(quote) else { return nil }
    let cut = SourceRange(file: file, start: Int32(hash), end: Int32(lineEnd))
    let line = LineQuoting(source, around: end)
    return .commentCut(
      scalar.range, comment: cut, quoted: line.restInQuotes(from: Int(scalar.range.start)))
  }

  /// Warns of `{ x: f(a, b) }`: a comma between parentheses ends a value within brackets or braces.
  private func splitByComma(
    _ scalar: YAMLScalar, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Diagnostic? {
    var next = Int(scalar.range.end)
    while next < source.count, isBlankOrBreak(source[next]) { next += 1 }
    guard next < source.count, source[next] == UInt8(ascii: ","), openParentheses(bytes) > 0
    else { return nil }
    let line = LineQuoting(source, around: Int(scalar.range.start))
    let start = Int(scalar.range.start)
    let whole = line.flowValue(from: start)
    let rest = line.afterBlanks(next + 1)
    let isInLine = whole.map { rest < $0.upperBound } ?? false
    return .splitByComma(
      scalar.range,
      rest: isInLine
        ? SourceRange(file: file, start: Int32(rest), end: Int32(whole?.upperBound ?? rest)) : nil,
      quoted: line.flowValueInQuotes(from: start))
  }

  /// Warns of `{ a:1 }`: without a space, the colon is a part of the key.
  func missingSpace(key: YAMLScalar, value: YAMLScalar) -> Diagnostic? {
    guard value.isAbsent, value.typeTag == .none, key.style == .plain,
      let colon = colonInWord(key.text)
    else { return nil }
    let fixed = "\(key.text.prefix(upTo: colon)): \(key.text.suffix(from: colon).dropFirst())"
    return .missingSpaceAfterColon(key.range, severity: .warning, fixed: fixed)
  }

  /// Warns of `data: [DONE]`: a list of one word in place of a text.
  func listOfOneWord(key: String, word: YAMLScalar, range: SourceRange) -> Diagnostic? {
    guard word.style == .plain, isUpperCaseWord(word.text), keysOfText.contains(key) else {
      return nil
    }
    return .listOfOneWord(range, key: key, word: word.text)
  }
}

/// The keys whose value is the text of a message. Under others (`tags: [API]`), a list is meant.
private let keysOfText: Set<String> = ["data", "send", "event", "message", "body", "text", "$text"]

private func isUpperCaseWord(_ text: String) -> Bool {
  text.utf8.count > 1
    && text.utf8.allSatisfy { $0 &- UInt8(ascii: "A") < 26 || $0 == UInt8(ascii: "_") }
}

/// Returns the position of the colon in `a:1`; nil for other text.
func colonInWord(_ text: String) -> String.Index? {
  guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
    text.index(after: colon) != text.endIndex,
    text.prefix(upTo: colon).utf8.allSatisfy({ isNameByte($0) }),
    !text.suffix(from: colon).hasPrefix("://")
  else { return nil }
  return colon
}

func isNameByte(_ byte: UInt8) -> Bool {
  byte | 0x20 &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte == UInt8(ascii: ".")
}

/// Returns the quote that is opened in a text and not closed. A quote after a letter is an
/// apostrophe and opens nothing.
func openQuote(_ text: String) -> UInt8? {
  var open: UInt8?
  var previous = UInt8(ascii: " ")
  for byte in text.utf8 {
    if byte == open {
      open = nil
    } else if open == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\""),
      !isNameByte(previous), previous < 0x80
    {
      open = byte
    }
    previous = byte
  }
  return open
}

private func openParentheses(_ text: UnsafeBufferPointer<UInt8>) -> Int {
  text.reduce(0) { depth, byte in
    byte == UInt8(ascii: "(") ? depth + 1 : byte == UInt8(ascii: ")") ? depth - 1 : depth
  }
}

/// The different reading that YAML 1.1 has for a plain scalar.
struct YAML11Reading: Equatable {
  /// The value by YAML 1.1, and the value here.
  var other: String
  var here: String

  /// Returns whether the readings can differ; nearly always they cannot.
  static func mayDiffer(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    switch first {
    case UInt8(ascii: "y"), UInt8(ascii: "Y"), UInt8(ascii: "n"), UInt8(ascii: "N"),
      UInt8(ascii: "o"), UInt8(ascii: "O"):
      return bytes.count <= 3
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"):
      guard bytes.count > 1, bytes.count <= 32 else { return false }
      let isSigned = first < UInt8(ascii: "0")
      return (isSigned ? bytes[1] : first) == UInt8(ascii: "0")
        || bytes.contains {
          $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "b")
        }
    default: return false
    }
  }

  /// Makes the other reading; nil if both are the same, or if nobody could be surprised.
  init?(_ text: String) {
    guard let first = text.utf8.first, text.utf8.count <= 32 else { return nil }
    if let truth = YAML11Reading.truth(text) {
      other = truth
      here = "text"
    } else if first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-")
      || first == UInt8(ascii: "+"),
      let number = YAML11Reading.number(text)
    {
      other = number
      if case .int(let same) = coreValue(of: text) { here = "\(same)" } else { here = "text" }
    } else {
      return nil
    }
  }

  private static func truth(_ text: String) -> String? {
    guard text.utf8.count <= 3 else { return nil }
    return switch text {
    // No parser read `y` and `n` so, and they are names of coordinates.
    case "yes", "Yes", "YES", "on", "On", "ON": "true"
    case "no", "No", "NO", "off", "Off", "OFF": "false"
    default: nil
    }
  }

  private static func number(_ text: String) -> String? {
    // Most numbers have no mark of the older forms and end here.
    let hasMark = text.utf8.contains { "_b".utf8.contains($0) }
    guard hasMark || text.hasPrefix("0") || text.utf8.dropFirst().first == UInt8(ascii: "0") else {
      return nil
    }
    let isNegative = text.hasPrefix("-")
    let body = isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text
    guard let magnitude = octal(body) ?? binary(body) ?? underscored(body)
    else { return nil }
    return (isNegative ? "-" : "") + magnitude
  }

  private static func octal(_ body: String) -> String? {
    guard body.utf8.count > 1, body.utf8.first == UInt8(ascii: "0"),
      let number = Int(body, radix: 8), number > 7
    else { return nil }
    return String(number)
  }

  private static func binary(_ body: String) -> String? {
    guard body.hasPrefix("0b") else { return nil }
    let digits = body.dropFirst(2)
    guard digits.first == "0" || digits.first == "1" else { return nil }
    return Int(digits, radix: 2).map { String($0) }
  }

  private static func underscored(_ body: String) -> String? {
    guard body.utf8.first.map({ $0 &- UInt8(ascii: "0") < 10 }) == true, body.contains("_") else {
      return nil
    }
    let plain = body.filter { $0 != "_" }
    switch coreValue(of: plain) {
    case .int(let number): return String(number)
    case .uint(let number): return String(number)
    case .double(let number): return number.description
    default: return nil
    }
  }
}
