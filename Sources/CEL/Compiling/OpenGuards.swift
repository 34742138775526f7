import Values

/// A part of a request that may be absent, and that an expression reads under a negation.
///
/// Without the part, the expression has no value and does not hold: a guard such as `request.
/// headers.authorization != 'x'` is then open.
package struct OpenGuard: Sendable, Equatable {
  /// The place of the part in the expression, in bytes.
  package var offset: Int
  package var length: Int
  /// The whole expression with a default for each such part.
  package var corrected: String
}

/// Returns the first open guard of an expression; nil for an expression without one, and for other
/// text.
package func openGuard(in text: String) -> OpenGuard? {
  let bytes = Array(text.utf8)
  guard let syntax = try? Parser.parse(bytes) else { return nil }
  var finder = OpenGuardFinder(bytes: bytes)
  finder.look(at: syntax, isNegated: false, default: "false")
  let found = finder.found.filter { !finder.tested.contains($0.path.names) }
  guard let first = found.first else { return nil }
  var corrected = bytes
  for one in found.sorted(by: { $0.path.span.start > $1.path.span.start }) {
    let span = Int(one.path.span.start)..<Int(one.path.span.end)
    corrected.replaceSubrange(span, with: one.path.text(orValue: one.default).utf8)
  }
  let span = first.path.span
  return OpenGuard(
    offset: Int(span.start), length: Int(span.end - span.start),
    corrected: String(decoding: corrected, as: UTF8.self))
}

private struct OpenGuardFinder {
  let bytes: [UInt8]
  var found: [(path: RequestPath, default: String)] = []
  /// The parts of whose presence the expression takes care.
  var tested: Set<[String]> = []

  /// - Parameter default: The text of a value that stands for an absent part.
  mutating func look(at syntax: Syntax, isNegated: Bool, default: String) {
    if let path = RequestPath(syntax, bytes) {
      if isNegated, path.mayBeAbsent { found.append((path, `default`)) }
      return
    }
    switch syntax.kind {
    case .literal, .name: break
    case .select(let operand, _, _): look(at: operand, isNegated: isNegated, default: "{}")
    case .index(let operand, let key, _):
      look(at: operand, isNegated: isNegated, default: "{}")
      look(at: key, isNegated: isNegated, default: "''")
    case .call(let target, let function, let arguments):
      look(atCall: function, target, arguments, isNegated: isNegated)
    case .negate(let inner): look(at: inner, isNegated: isNegated, default: "0")
    case .not(let inner): look(at: inner, isNegated: !isNegated, default: "false")
    case .binary(let operation, let left, let right):
      look(at: operation, left, right, isNegated: isNegated)
    case .all(let parts), .any(let parts):
      for part in parts { look(at: part, isNegated: isNegated, default: "false") }
    case .conditional(_, let first, let second):
      look(at: first, isNegated: isNegated, default: `default`)
      look(at: second, isNegated: isNegated, default: `default`)
    case .list(let entries):
      for entry in entries { look(at: entry.value, isNegated: isNegated, default: "''") }
    case .map(let entries):
      for entry in entries { look(at: entry.value, isNegated: isNegated, default: "''") }
    }
  }

  private mutating func look(
    at operation: BinaryOperator, _ left: Syntax, _ right: Syntax, isNegated: Bool
  ) {
    if operation == .isIn, case .literal(.string(let key)) = left.kind,
      let path = RequestPath(right, bytes)
    {
      tested.insert(path.names + [key.lowercased()])
    }
    // What is absent is like an empty value then, and does not hold either.
    if operation == .notEqual, left.isEmptyLiteral || right.isEmptyLiteral { return }
    let isNegated = operation == .notEqual ? !isNegated : isNegated
    look(at: left, isNegated: isNegated, default: right.valueLike)
    look(at: right, isNegated: isNegated, default: operation == .isIn ? "[]" : left.valueLike)
  }

  private mutating func look(
    atCall function: String, _ target: Syntax?, _ arguments: [Syntax], isNegated: Bool
  ) {
    switch function {
    // They take care of what is absent.
    case "orValue", "or", "hasValue", "optMap", "optFlatMap": break
    case "has":
      if let path = arguments.first.flatMap({ RequestPath($0, bytes) }) {
        tested.insert(path.names)
      }
    default:
      if let target { look(at: target, isNegated: isNegated, default: "''") }
      for argument in arguments { look(at: argument, isNegated: isNegated, default: "''") }
    }
  }
}

extension Syntax {
  fileprivate var isEmptyLiteral: Bool {
    guard case .literal(let value) = kind else { return false }
    return [.null, .string(""), .int(0), .bool(false)].contains(value)
  }

  /// The text of a value of the same kind that stands for an absent one.
  fileprivate var valueLike: String {
    guard case .literal(let value) = kind else { return "''" }
    return switch value {
    case .bool: "false"
    case .int, .uint, .double, .digits: "0"
    case .null, .string, .bytes, .list, .map, .timestamp, .duration, .type, .optional: "''"
    }
  }
}

/// A part of a request, as an expression reads it: `request.headers.host`, `request.json['a'][0]`.
private struct RequestPath {
  private(set) var span: Span
  /// The names in lower case, as far as they are literal.
  private(set) var names: [String] = []
  /// The steps behind the name `request`, as they are written, and as optional ones.
  private var steps: [(plain: String, optional: String)] = []

  init?(_ syntax: Syntax, _ bytes: [UInt8]) {
    span = syntax.span
    guard collect(syntax, bytes) else { return nil }
  }

  private mutating func collect(_ syntax: Syntax, _ bytes: [UInt8]) -> Bool {
    switch syntax.kind {
    case .name("request", absolute: false): return true
    case .select(let operand, let field, optional: false):
      guard collect(operand, bytes) else { return false }
      names.append(names.first == "headers" ? headerName(field) : field)
      steps.append(("." + field, ".?" + field))
      return true
    case .index(let operand, let key, optional: false):
      guard collect(operand, bytes) else { return false }
      let text = String(
        decoding: bytes[Int(key.span.start)..<Int(key.span.end)], as: UTF8.self)
      if case .literal(.string(let name)) = key.kind {
        names.append(names.first == "headers" ? name.lowercased() : name)
      } else {
        names.append(text)
      }
      steps.append(("[\(text)]", "[?\(text)]"))
      return true
    default: return false
    }
  }

  /// True if requests may lack the part. Headers and a query there always are, empty ones too.
  var mayBeAbsent: Bool {
    switch names.first {
    case "headers", "query": names.count > 1
    case "json", "text", "form", "cookies", "parts": true
    default: false
    }
  }

  func text(orValue value: String) -> String {
    let isAlways = names.first == "headers" || names.first == "query"
    let parts = steps.enumerated().map { number, step in
      number == 0 && isAlways ? step.plain : step.optional
    }
    return "request\(parts.joined()).orValue(\(value))"
  }
}
