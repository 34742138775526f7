import Diagnostics
import TextSearch

/// Turns an error of libyaml into a diagnostic that says what to write instead.
struct SyntaxComplaint {
  let source: UnsafeBufferPointer<UInt8>
  let file: Int32
  /// The error of libyaml, with offsets already counted in bytes.
  let problem: SyntaxProblem
  /// The place of the innermost bracket or brace that is still open.
  let openFlow: Int32?

  var diagnostic: Diagnostic {
    if let openFlow, endsDocument, !problem.context.contains("scalar") {
      return .unclosedBracket(place, opened: range(at: Int(openFlow)))
    }
    switch problem.text {
    case "found unexpected end of stream", "found unexpected document indicator":
      return .unclosedQuote(context)
    case "found character that cannot start any token":
      return strangeStart
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return .tabIndentation(place)
    case "mapping values are not allowed in this context", "could not find expected ':'":
      return colonProblem
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      return flowProblem
    case "found undefined tag handle":
      return .unknownTag(word(at: problem.offset), at: place, quoted: quotedValue)
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      return .yamlSyntax(place, rule: ruleOfProblem, help: helpForEscape)
    default:
      let isKey = problem.text == "did not find expected key" && line.keyColon != nil
      return needsQuotes
        ?? .yamlSyntax(place, rule: ruleOfProblem, help: isKey ? helpForColumn : nil)
    }
  }

  private var line: LineQuoting { line(at: problem.offset) }
  private var quotedValue: String? { line.valueInQuotes(at: problem.offset) }
  private var place: SourceRange { range(at: problem.offset) }
  private var context: SourceRange { range(at: problem.contextOffset ?? problem.offset) }

  private func line(at offset: Int) -> LineQuoting {
    LineQuoting(source, around: offset, isWithinFlow: openFlow != nil)
  }

  private var endsDocument: Bool {
    problem.offset >= source.count || word(at: problem.offset) == "---"
  }

  /// Returns the range of the character at an offset; empty at the end.
  private func range(at offset: Int) -> SourceRange {
    let start = min(max(0, offset), source.count)
    var end = min(start + 1, source.count)
    while end < source.count, source[end] & 0xC0 == 0x80 { end += 1 }
    return SourceRange(file: file, start: Int32(start), end: Int32(end))
  }

  private func word(at offset: Int) -> String {
    let rest = source[min(max(0, offset), source.count)...].prefix(100)
    return String(decoding: rest.prefix { !isBlankOrBreak($0) }, as: UTF8.self)
  }
}

extension SyntaxComplaint {
  private var strangeStart: Diagnostic {
    let byte = problem.offset < source.count ? source[problem.offset] : 0
    if byte == UInt8(ascii: "\t") { return .tabIndentation(place) }
    return .needsQuotes(
      place, rule: "a value that begins with \(named(byte)) must be in quotes", quoted: quotedValue)
  }

  private func named(_ byte: UInt8) -> String {
    byte == UInt8(ascii: "`") ? "a backtick" : "`\(UnicodeScalar(byte))`"
  }

  /// The diagnostic for a colon that YAML does not allow, or for a missing one.
  private var colonProblem: Diagnostic {
    if let fixed = missingSpace(line) {
      return .missingSpaceAfterColon(place, severity: .error, fixed: fixed)
    }
    if let previous = previousLine, let fixed = missingSpace(previous) {
      let at = range(at: previous.afterBlanks(previous.start))
      return .missingSpaceAfterColon(at, severity: .error, fixed: fixed)
    }
    if problem.text == "could not find expected ':'" {
      return needsQuotes
        ?? .yamlSyntax(context, rule: "a key is followed by a colon and a space")
    }
    if let begun = needsQuotes { return begun }
    let isInValue = line.keyColon.map { $0 < problem.offset } ?? false
    guard isInValue, let value = line.blockValue else { return misplacedKey }
    let isMapping = line.text(value.lowerBound..<problem.offset).utf8.allSatisfy(isNameByte)
    return .colonInValue(
      place, quoted: line.line(quoting: value, keepingRest: true), mayBeMapping: isMapping)
  }

  private var misplacedKey: Diagnostic {
    if let previous = previousLine, previous.keyColon == nil, let value = previous.blockValue,
      value.lowerBound == previous.afterBlanks(previous.start)
    {
      return .yamlSyntax(
        range(at: value.lowerBound), rule: "a key is followed by a colon and a space")
    }
    return .yamlSyntax(
      place, rule: "the keys of a mapping begin in one column", help: helpForColumn)
  }

  /// Says where the key before begins.
  private var helpForColumn: String? {
    guard let previous = previousLine, let colon = previous.keyColon else { return nil }
    let start = previous.afterBlanks(previous.start)
    guard start < colon else { return nil }
    let name = previous.text(start..<colon)
    return "begin it below `\(name)`, in column \(start - previous.start + 1)"
  }

  private var previousLine: LineQuoting? {
    var at = LineQuoting(source, around: problem.offset).start - 1
    while at > 0, isBlankOrBreak(source[at]) { at -= 1 }
    return at > 0 ? LineQuoting(source, around: at) : nil
  }

  /// Returns the line for `key:value`, which YAML reads as one word.
  private func missingSpace(_ line: LineQuoting) -> String? {
    guard line.keyColon == nil, let value = line.blockValue else { return nil }
    let text = line.text(value)
    guard let colon = colonInWord(text) else { return nil }
    return "\(text.prefix(upTo: colon)): \(text.suffix(from: colon).dropFirst())"
  }

  /// The diagnostic for text between elements of brackets or braces that is neither comma nor end.
  private var flowProblem: Diagnostic {
    let start = line.flowValueStart(before: problem.offset)
    let isExpression =
      line.isInFlow(problem.offset) && (isIndicator(problem.offset) || isIndicator(start))
    if lacksComma(behind: start) { return .unclosedBracket(place, opened: context) }
    if isExpression, let quoted = line.flowValueInQuotes(from: start) {
      return .needsQuotes(
        place, rule: "within brackets and braces a plain value holds none of `, [ ] { }`",
        quoted: quoted)
    }
    if let begun = needsQuotes { return begun }
    return .unclosedBracket(place, opened: context)
  }

  /// Returns whether a comma is missing: two quoted texts side by side, or a key after a value. No
  /// expression looks so.
  private func lacksComma(behind start: Int) -> Bool {
    let quotes = "'\"".utf8
    if quotes.contains(line.byte(start)), quotes.contains(line.byte(problem.offset)) { return true }
    var end = problem.offset
    while isNameByte(line.byte(end)) { end += 1 }
    return end > problem.offset && line.byte(end) == UInt8(ascii: ":")
      && isBlank(line.byte(end + 1))
  }

  private func isIndicator(_ offset: Int) -> Bool {
    offset < source.count && "[{'\"!&*%@`".utf8.contains(source[offset])
  }

  /// Returns whether this is like `> 5`, which begins a block of text in YAML.
  private func isBlockHeader(_ offset: Int) -> Bool {
    problem.context == "while scanning a block scalar" && offset < source.count
      && "|>".utf8.contains(source[offset])
  }

  /// The diagnostic for a value that begins with a special character of YAML and continues after
  /// its end.
  private var needsQuotes: Diagnostic? {
    let offset = problem.offset < source.count ? problem.offset : problem.contextOffset ?? 0
    let line = line(at: offset)
    if line.isInFlow(offset) { return needsQuotesInFlow(line, offset) }
    guard let value = line.blockValue, value.contains(offset) || value.upperBound == offset,
      isIndicator(value.lowerBound) || isBlockHeader(value.lowerBound), !isWhole(value, line),
      problem.context != "while scanning a directive",
      value.lowerBound > line.start
        || line.byte(value.lowerBound) != UInt8(ascii: "%")
    else { return nil }
    return begun(at: value.lowerBound, quoted: line.line(quoting: value, keepingRest: true))
  }

  private func needsQuotesInFlow(_ line: LineQuoting, _ offset: Int) -> Diagnostic? {
    let start = line.flowValueStart(before: offset + 1)
    guard isIndicator(start), let quoted = line.flowValueInQuotes(from: start) else { return nil }
    return begun(at: start, quoted: quoted)
  }

  private func begun(at offset: Int, quoted: String) -> Diagnostic {
    let byte = source[offset]
    let condition = "'\"[{".utf8.contains(byte) ? " and continues after its end" : ""
    return .needsQuotes(
      place, rule: "a value that begins with \(named(byte))\(condition) must be in quotes",
      quoted: quoted)
  }

  /// Returns whether a value that begins with a quote or bracket ends with its closing one.
  private func isWhole(_ value: Range<Int>, _ line: LineQuoting) -> Bool {
    let first = line.byte(value.lowerBound)
    let inner = value.dropFirst()
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return inner.first { line.byte($0) == first } ?? value.upperBound >= value.upperBound - 1
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      var depth = 0
      for at in value {
        if isOpening(line.byte(at)) { depth += 1 }
        if isClosing(line.byte(at)) { depth -= 1 }
        if depth == 0 { return at == value.upperBound - 1 }
      }
      return true
    default: return false
    }
  }

  private var ruleOfProblem: String {
    switch problem.text {
    case "did not find expected key":
      "the entries of a mapping begin in one column, each with a key"
    case "did not find expected '-' indicator":
      "the elements of a list begin in one column, each with a dash"
    case "did not find expected node content": "a value is expected here"
    case "block sequence entries are not allowed in this context":
      "a list with dashes begins on a line of its own"
    case "mapping keys are not allowed in this context": "a key is not allowed here"
    case "did not find expected <document start>": "a document begins with `---`"
    case "found unknown escape character":
      "a backslash in double quotes is followed by an escape that YAML knows"
    case "did not find expected hexdecimal number": "an escape has its hexadecimal digits"
    case "found invalid Unicode character escape code": "an escape names a whole character"
    case "did not find expected alphabetic or numeric character":
      "the name of an anchor or alias follows its sign"
    case "did not find expected comment or line break":
      "nothing but a comment follows on this line"
    case "found unknown directive name": "the directives are `%YAML` and `%TAG`"
    case "found incompatible YAML document": "the versions of YAML are 1.1 and 1.2"
    default: "this is not YAML: \(problem.text)"
    }
  }
}
