import Values

/// A parser from an expression's text to `Syntax`; it stops at the first mistake.
struct Parser {
  private var lexer: Lexer
  private var token: Token
  private var previousEnd = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) {
    lexer = Lexer(bytes)
    token = lexer.next()
  }

  static func parse(_ bytes: [UInt8]) throws(CELProblem) -> Syntax {
    guard bytes.count <= CELLimits.textLength else { throw .tooLong(bytes.count) }
    var parser = Parser(bytes)
    let whole = try parser.expression()
    guard parser.token.kind == .end else {
      throw parser.unexpected(parser.indexByDot ?? "the expression ends here")
    }
    return whole
  }

  private mutating func expression() throws(CELProblem) -> Syntax {
    try enter()
    defer { depth -= 1 }
    let condition = try disjunction()
    guard try take(.question) else { return condition }
    if token.kind == .dot || token.kind == .question {
      throw unexpected("what may be missing is read by `a.?b`, and replaced by `.orValue(c)`")
    }
    let first = try disjunction()
    try expect(.colon, "`condition ? a : b` needs its `:`")
    let second = try expression()
    return Syntax(.conditional(condition, first, second), condition.span.joined(with: second.span))
  }

  private mutating func disjunction() throws(CELProblem) -> Syntax {
    let first = try conjunction()
    guard token.kind == .or else { return first }
    var parts = [first]
    while try take(.or) { parts.append(try conjunction()) }
    return Syntax(.any(parts), span(from: first))
  }

  private mutating func conjunction() throws(CELProblem) -> Syntax {
    let first = try binary(minimum: 1)
    guard token.kind == .and else { return first }
    var parts = [first]
    while try take(.and) { parts.append(try binary(minimum: 1)) }
    return Syntax(.all(parts), span(from: first))
  }

  /// Parses relations (1), sums (2) and products (3), each from left to right.
  private mutating func binary(minimum: Int) throws(CELProblem) -> Syntax {
    var left = try unary()
    var chained = 0
    defer { depth -= chained }
    while let (operation, level) = Parser.binaryOperator(token.kind), level >= minimum {
      try enter()
      chained += 1
      try advance()
      if operation == .less, token.kind == .greater {
        throw .syntax(token.span, "`<>` is written `!=`")
      }
      let right = level == 3 ? try unary() : try binary(minimum: level + 1)
      left = Syntax(.binary(operation, left, right), left.span.joined(with: right.span))
    }
    return left
  }

  private static func binaryOperator(_ kind: Token.Kind) -> (BinaryOperator, Int)? {
    switch kind {
    case .equal: (.equal, 1)
    case .notEqual: (.notEqual, 1)
    case .less: (.less, 1)
    case .lessOrEqual: (.lessOrEqual, 1)
    case .greater: (.greater, 1)
    case .greaterOrEqual: (.greaterOrEqual, 1)
    case .in: (.isIn, 1)
    case .plus: (.add, 2)
    case .minus: (.subtract, 2)
    case .star: (.multiply, 3)
    case .slash: (.divide, 3)
    case .percent: (.remainder, 3)
    default: nil
    }
  }

  private mutating func unary() throws(CELProblem) -> Syntax {
    let start = token.start
    switch token.kind {
    case .not:
      try enter()
      defer { depth -= 1 }
      try advance()
      let operand = try unary()
      return Syntax(.not(operand), Span(start, previousEnd))
    case .minus:
      try advance()
      if [.int, .double].contains(token.kind) {
        return try member(after: try number(negative: true, start: start))
      }
      try enter()
      defer { depth -= 1 }
      let operand = try unary()
      return Syntax(.negate(operand), Span(start, previousEnd))
    default: return try member(after: try primary())
    }
  }
}

// Members: the parts after a value.
extension Parser {
  private mutating func member(after first: Syntax) throws(CELProblem) -> Syntax {
    var value = first
    var chained = 0
    defer { depth -= chained }
    while true {
      try enter()
      chained += 1
      switch token.kind {
      case .dot:
        try advance()
        value = try field(of: value)
      case .leftBracket:
        try advance()
        let optional = try take(.question)
        let key = try expression()
        try expect(.rightBracket, "an index needs its `]`")
        value = Syntax(.index(value, key, optional: optional), span(from: value))
      case .leftBrace where value.isQualifiedName: throw .noMessages(token.span)
      default: return value
      }
    }
  }

  private mutating func field(of value: Syntax) throws(CELProblem) -> Syntax {
    let optional = try take(.question)
    let name = token
    guard [.name, .quotedName, .in].contains(name.kind) else {
      throw unexpected("a field's name follows a `.`")
    }
    let field = text(of: name)
    try advance()
    if !optional, name.kind == .name, try take(.leftParen) {
      let arguments = try self.arguments()
      return Syntax(
        .call(value, function: field, arguments), span(from: value), name: name.span)
    }
    return Syntax(
      .select(value, field: field, optional: optional), span(from: value), name: name.span)
  }

  private mutating func arguments() throws(CELProblem) -> [Syntax] {
    var all: [Syntax] = []
    if try take(.rightParen) { return all }
    repeat { all.append(try expression()) } while try take(.comma)
    try expect(.rightParen, "a call needs its `)`")
    return all
  }
}

// Primaries: literals, names, parentheses, lists and maps.
extension Parser {
  private mutating func primary() throws(CELProblem) -> Syntax {
    let start = token
    switch start.kind {
    case .int, .uint, .double: return try number(negative: false, start: start.start)
    case .text, .bytes: return try textLiteral()
    case .true: return try constant(.bool(true))
    case .false: return try constant(.bool(false))
    case .null: return try constant(.null)
    case .name: return try name(absolute: false, start: start.start)
    case .dot:
      try advance()
      guard token.kind == .name else { throw unexpected("a name follows a leading `.`") }
      return try name(absolute: true, start: start.start)
    case .leftParen:
      try advance()
      let inner = try expression()
      try expect(.rightParen, "this parenthesis needs its `)`")
      return inner
    case .leftBracket: return try list()
    case .leftBrace: return try map()
    case .quotedName: throw unexpected("a text has quotes: write `'` or `\"`")
    default: throw unexpected("a value is expected here")
    }
  }

  private mutating func constant(_ value: Value) throws(CELProblem) -> Syntax {
    let span = token.span
    try advance()
    return Syntax(.literal(value), span)
  }

  private mutating func name(absolute: Bool, start: Int) throws(CELProblem) -> Syntax {
    let name = token
    let spelling = text(of: name)
    if Parser.reservedWords.contains(spelling) { throw .reservedWord(name.span, spelling) }
    try advance()
    if token.kind == .name, let meant = Parser.wordsBeforeValues[spelling] {
      throw .syntax(name.span, meant)
    }
    if spelling == "not", [.name, .true, .false, .not].contains(token.kind) {
      throw .syntax(name.span, "`not` is written `!`")
    }
    if try take(.leftParen) {
      let arguments = try self.arguments()
      return Syntax(
        .call(nil, function: spelling, arguments), Span(start, previousEnd), name: name.span)
    }
    return Syntax(
      .name(spelling, absolute: absolute), Span(start, previousEnd), name: name.span)
  }

  private static let reservedWords: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
    "package", "namespace", "return", "var", "void", "while",
  ]

  private mutating func list() throws(CELProblem) -> Syntax {
    let start = token.start
    try advance()
    var entries: [Syntax.ListEntry] = []
    while token.kind != .rightBracket {
      let optional = try take(.question)
      entries.append(Syntax.ListEntry(value: try expression(), optional: optional))
      guard try take(.comma) else { break }
    }
    try expect(.rightBracket, "this list needs its `]`")
    return Syntax(.list(entries), Span(start, previousEnd))
  }

  private mutating func map() throws(CELProblem) -> Syntax {
    let start = token.start
    try advance()
    var entries: [Syntax.MapEntry] = []
    while token.kind != .rightBrace {
      let optional = try take(.question)
      let key = try expression()
      try expect(.colon, "a `:` separates a map's key from its value")
      let value = try expression()
      entries.append(Syntax.MapEntry(key: key, value: value, optional: optional))
      guard try take(.comma) else { break }
    }
    try expect(.rightBrace, "this map needs its `}`")
    return Syntax(.map(entries), Span(start, previousEnd))
  }

  private mutating func number(negative: Bool, start: Int) throws(CELProblem) -> Syntax {
    let literal = token
    let span = Span(start, literal.end)
    var digits = text(of: literal)
    if literal.kind == .uint { digits.removeLast() }
    guard let value = Parser.number(digits, literal.kind, negative: negative) else {
      throw .invalidLiteral(span, "this number does not fit in 64 bits")
    }
    try advance()
    return Syntax(.literal(value), span)
  }

  private static func number(_ digits: String, _ kind: Token.Kind, negative: Bool) -> Value? {
    let sign = negative ? "-" : ""
    if kind == .double { return Double(sign + digits).map(Value.double) }
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let spelled = sign + (isHex ? String(digits.dropFirst(2)) : digits)
    let radix = isHex ? 16 : 10
    if kind == .uint { return UInt(spelled, radix: radix).map(Value.uint) }
    return Int(spelled, radix: radix).map(Value.int)
  }

  private mutating func textLiteral() throws(CELProblem) -> Syntax {
    let literal = token
    let isBytes = literal.kind == .bytes
    let content: [UInt8]
    do {
      content = try LiteralText.read(lexer.bytes, literal, isBytes: isBytes)
    } catch {
      throw .invalidLiteral(error.span, error.message)
    }
    let value: Value = isBytes ? .bytes(content) : .string(String(decoding: content, as: UTF8.self))
    try advance()
    return Syntax(.literal(value), literal.span)
  }
}

// Moving through the tokens.
extension Parser {
  private mutating func advance() throws(CELProblem) {
    previousEnd = token.end
    token = lexer.next()
    if token.kind == .invalid { throw .syntax(token.span, lexer.complaint) }
  }

  private mutating func take(_ kind: Token.Kind) throws(CELProblem) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  private mutating func expect(_ kind: Token.Kind, _ message: String) throws(CELProblem) {
    guard try take(kind) else { throw unexpected(message) }
  }

  private mutating func enter() throws(CELProblem) {
    depth += 1
    if depth > CELLimits.nesting { throw .tooDeep(token.span) }
  }

  private func unexpected(_ message: String) -> CELProblem {
    if token.kind == .invalid { return .syntax(token.span, lexer.complaint) }
    if token.kind == .name, let symbol = Parser.symbolsForWords[text(of: token).lowercased()] {
      return .syntax(token.span, "`\(text(of: token))` is written `\(symbol)`")
    }
    return .syntax(token.span, message)
  }

  /// The words of other languages that stand before a value.
  private static let wordsBeforeValues = [
    "typeof": "the type of a value is `type(x)`", "new": "there is no `new`; call the function",
    "await": "there is no `await`; an expression does not wait",
  ]

  /// Returns the complaint about `a.b.0`, in which the number is read as `.0`.
  fileprivate var indexByDot: String? {
    guard token.kind == .double, lexer.bytes[token.start] == UInt8(ascii: ".") else { return nil }
    return "an element of a list is written `[\(text(of: token).dropFirst())]`"
  }

  /// The words of other languages for operators.
  private static let symbolsForWords = ["and": "&&", "or": "||", "is": "==", "mod": "%"]

  private func span(from first: Syntax) -> Span {
    Span(Int(first.span.start), previousEnd)
  }

  private func text(of token: Token) -> String {
    let inner =
      token.kind == .quotedName ? (token.start + 1)..<(token.end - 1) : token.start..<token.end
    return String(decoding: lexer.bytes[inner], as: UTF8.self)
  }
}

extension Syntax {
  /// True if this is only `a` or `a.b.c`.
  var isQualifiedName: Bool {
    switch kind {
    case .name: true
    case .select(let operand, _, optional: false): operand.isQualifiedName
    default: false
    }
  }
}
