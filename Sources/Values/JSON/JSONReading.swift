import Glibc
import TextSearch

/// Reads one JSON text (RFC 8259) from its bytes; maps keep the order of their keys.
///
/// Whole numbers become `.int`, above its range `.uint`, and beyond 64 bits `.digits`. Those with a
/// fraction or an exponent become `.double`. Of two entries with one key, the later value stays,
/// unless `refusingDuplicateKeys`.
public func parseJSON(
  _ bytes: some Collection<UInt8>, refusingDuplicateKeys: Bool = false
) -> Result<Value, JSONProblem> {
  let direct = bytes.withContiguousStorageIfAvailable {
    readJSON($0, refusingDuplicateKeys: refusingDuplicateKeys)
  }
  return direct
    ?? Array(bytes).withUnsafeBufferPointer {
      readJSON($0, refusingDuplicateKeys: refusingDuplicateKeys)
    }
}

/// Reads one JSON text; see `parseJSON` for bytes.
public func parseJSON(
  _ text: String, refusingDuplicateKeys: Bool = false
) -> Result<Value, JSONProblem> {
  var text = text
  return text.withUTF8 { readJSON($0, refusingDuplicateKeys: refusingDuplicateKeys) }
}

/// The reason why a text is not JSON, and the byte of the problem.
public struct JSONProblem: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case invalidUTF8
    case unexpectedEnd
    case expectedValue
    case expectedKey
    case expectedColon
    case expectedCommaOrEnd
    case invalidNumber
    case numberTooLarge
    case invalidEscape
    case loneSurrogate
    case controlCharacter
    /// The same key twice, and the bytes before the first one.
    case duplicateKey(String, first: Int)
    case tooDeep
    case textAfterValue
  }

  public var kind: Kind
  /// The number of bytes before the problem.
  public var offset: Int

  public init(kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// The broken rule, in one sentence.
  public var message: String {
    switch kind {
    case .invalidUTF8: "JSON text is UTF-8"
    case .unexpectedEnd: "the JSON text ends before its value does"
    case .expectedValue: "a JSON value is expected here"
    case .expectedKey: "a key of a JSON object is text in double quotes"
    case .expectedColon: "a colon separates a JSON key from its value"
    case .expectedCommaOrEnd: "a comma or a closing bracket follows an element in JSON"
    case .invalidNumber: "a JSON number has digits, and no zero in front"
    case .numberTooLarge: "a JSON number fits into a double"
    case .invalidEscape: "a backslash in JSON text is followed by one of \"\\/bfnrtu"
    case .loneSurrogate: "surrogates in JSON text come in pairs"
    case .controlCharacter: "control characters in JSON text are escaped"
    case .duplicateKey(let key, let first):
      "a JSON object has each key once, and `\(key)` is there twice, at bytes \(first + 1) and "
        + "\(offset + 1)"
    case .tooDeep: "JSON is nested at most \(JSONLimit.depth) levels deep"
    case .textAfterValue: "nothing follows a JSON value"
    }
  }
}

extension JSONProblem {
  /// The broken rule and its place, of a text that no excerpt is shown of: `a comma or a closing
  /// bracket follows an element in JSON, at line 3, column 5`.
  public func text(in bytes: some Collection<UInt8>) -> String {
    if case .duplicateKey = kind { return message }
    let lines = bytes.prefix(offset).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let column = 1 + String(decoding: lines.last ?? bytes.prefix(0), as: UTF8.self).count
    return "\(message), at line \(max(1, lines.count)), column \(column)"
  }
}

public enum JSONLimit {
  /// The nesting depth of lists and objects. Reading recurses, so depth costs stack.
  public static let depth = 512
}

private func readJSON(
  _ bytes: UnsafeBufferPointer<UInt8>, refusingDuplicateKeys: Bool
) -> Result<Value, JSONProblem> {
  if let offset = firstInvalidUTF8(bytes) {
    return .failure(JSONProblem(kind: .invalidUTF8, offset: offset))
  }
  var reader = JSONReader(bytes, refusingDuplicateKeys: refusingDuplicateKeys)
  do throws(JSONProblem) {
    return .success(try reader.document())
  } catch {
    return .failure(error)
  }
}

/// A reader over bytes that are known to be UTF-8.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  let refusingDuplicateKeys: Bool
  var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, refusingDuplicateKeys: Bool) {
    self.bytes = bytes
    self.refusingDuplicateKeys = refusingDuplicateKeys
  }

  mutating func document() throws(JSONProblem) -> Value {
    let value = try value(depth: 0)
    skipSpace()
    if position < bytes.count { throw problem(.textAfterValue) }
    return value
  }

  /// The byte at the current position; 0, which JSON allows nowhere, at the end.
  @inline(__always)
  var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

  func problem(_ kind: JSONProblem.Kind) -> JSONProblem {
    problem(kind, at: position)
  }

  func problem(_ kind: JSONProblem.Kind, at offset: Int) -> JSONProblem {
    if offset >= bytes.count, kind != .textAfterValue, kind != .tooDeep {
      return JSONProblem(kind: .unexpectedEnd, offset: bytes.count)
    }
    return JSONProblem(kind: kind, offset: offset)
  }

  @inline(__always)
  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> Value {
    skipSpace()
    switch peek {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw problem(.expectedValue)
    }
  }

  private mutating func word(_ text: StaticString, _ value: Value) throws(JSONProblem) -> Value {
    let start = position
    for index in 0..<text.utf8CodeUnitCount {
      guard peek == text.utf8Start[index] else {
        throw problem(.expectedValue, at: position < bytes.count ? start : position)
      }
      position += 1
    }
    return value
  }

  private mutating func array(depth: Int) throws(JSONProblem) -> Value {
    guard depth < JSONLimit.depth else { throw problem(.tooDeep) }
    position += 1
    var elements: [Value] = []
    if try closes(UInt8(ascii: "]")) { return .list(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
    } while try continues(UInt8(ascii: "]"))
    return .list(elements)
  }

  private mutating func object(depth: Int) throws(JSONProblem) -> Value {
    guard depth < JSONLimit.depth else { throw problem(.tooDeep) }
    position += 1
    let first = position
    var map = ValueMap()
    if try closes(UInt8(ascii: "}")) { return .map(map) }
    repeat {
      skipSpace()
      let start = position
      guard peek == UInt8(ascii: "\"") else { throw problem(.expectedKey) }
      let key = try string()
      skipSpace()
      guard peek == UInt8(ascii: ":") else { throw problem(.expectedColon) }
      position += 1
      let isNew = map.updateValue(try value(depth: depth + 1), forKey: .string(key)) == nil
      if !isNew, refusingDuplicateKeys {
        throw problem(.duplicateKey(key, first: try place(of: key, from: first)), at: start)
      }
    } while try continues(UInt8(ascii: "}"))
    return .map(map)
  }

  /// Returns the place of the first entry with a key in an object, whose entries begin here.
  private func place(of key: String, from first: Int) throws(JSONProblem) -> Int {
    var again = self
    again.position = first
    while true {
      again.skipSpace()
      let start = again.position
      if try again.string() == key { return start }
      again.skipSpace()
      again.position += 1
      _ = try again.value(depth: 0)
      guard try again.continues(UInt8(ascii: "}")) else { return start }
    }
  }

  private mutating func closes(_ end: UInt8) throws(JSONProblem) -> Bool {
    skipSpace()
    guard peek == end else { return false }
    position += 1
    return true
  }

  private mutating func continues(_ end: UInt8) throws(JSONProblem) -> Bool {
    skipSpace()
    let next = peek
    guard next == end || next == UInt8(ascii: ",") else { throw problem(.expectedCommaOrEnd) }
    position += 1
    return next != end
  }
}
