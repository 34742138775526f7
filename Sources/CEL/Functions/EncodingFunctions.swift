import Values

extension Builtins {
  private static let fromBytes = [Signature([.bytes], .string), Signature([.string], .string)]
  private static let fromText = [Signature([.string], .bytes)]

  static let encodings: [Builtin] = [
    global("base64.encode", fromBytes, body: .one(EncodingFunctions.base64)).note(
      "Bytes, or a text in UTF-8, as Base64.", "base64.encode('user:pass')", "'dXNlcjpwYXNz'"),
    global("base64.decode", fromText, body: .one(EncodingFunctions.decodeBase64)).note(
      "The bytes of Base64, with or without padding.", "string(base64.decode('aGk='))", "'hi'"),
    global("base64url.encode", fromBytes, body: .one(EncodingFunctions.base64URL)).note(
      "Bytes, or a text, as Base64 for URLs: with `-` and `_`, and without padding.",
      "base64url.encode(b'\\xfb\\xff')", "'-_8'"),
    global("base64url.decode", fromText, body: .one(EncodingFunctions.decodeBase64)).note(
      "The bytes of Base64 for URLs, with or without padding.", "base64url.decode('-_8')",
      "b'\\xfb\\xff'"),
    global("hex.encode", fromBytes, body: .one(EncodingFunctions.hex)).note(
      "Bytes, or a text in UTF-8, in hexadecimal digits.", "hex.encode('Hi')", "'4869'"),
    global("hex.decode", fromText, body: .one(EncodingFunctions.decodeHex)).note(
      "The bytes of hexadecimal digits, in small or large letters.", "hex.decode('4869')", "b'Hi'"),
    global("url.encode", Signature([.string], .string), body: .one(EncodingFunctions.url)).note(
      "A text percent-encoded, for any part of a URL.",
      "url.encode('a b&c/ü')", "'a%20b%26c%2F%C3%BC'"),
    global("url.decode", Signature([.string], .string), body: .one(EncodingFunctions.decodeURL))
      .note(
        "The text of a percent-encoded text. A `+` stays one.", "url.decode('a%20b%26c')", "'a b&c'"
      ),
    global("json.encode", Signature([.dyn], .string), body: .one(EncodingFunctions.json)).note(
      "A value as JSON.", "json.encode({'a': [1, 2.5, null]})", #"'{"a":[1,2.5,null]}'"#),
    global(
      "json.decode", Signature([.string], .dyn), Signature([.bytes], .dyn),
      body: .one(EncodingFunctions.decodeJSON)
    ).note("The value of JSON.", #"json.decode('{"a": [1, 2.5]}').a[1]"#, "2.5"),
  ]
}

/// Bytes as text, and values as JSON. Reading Base64 accepts text with or without padding.
enum EncodingFunctions {
  private static func bytes(_ name: String, _ value: Value) throws(CELFault) -> [UInt8] {
    guard let bytes = HashFunctions.bytes(of: value) else { throw .noOverload(name, value) }
    return bytes
  }

  private static func text(_ name: String, _ value: Value) throws(CELFault) -> String {
    guard case .string(let text) = value else { throw .noOverload(name, value) }
    return text
  }

  static func base64(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let bytes = try bytes("base64.encode", value)
    try meter.make(bytes: bytes.count / 3 * 4 + 4)
    return .string(Base64.encode(bytes))
  }

  static func base64URL(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let bytes = try bytes("base64url.encode", value)
    try meter.make(bytes: bytes.count / 3 * 4 + 4)
    return .string(Base64.encode(bytes, urlSafe: true))
  }

  static func decodeBase64(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let text = try text("base64.decode", value)
    try meter.make(bytes: text.utf8.count)
    guard let bytes = Base64.decode(text) else { throw CELFault("this text is not Base64") }
    return .bytes(bytes)
  }

  static func hex(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let bytes = try bytes("hex.encode", value)
    try meter.make(bytes: bytes.count * 2)
    return .string(hexadecimal(bytes))
  }

  static func decodeHex(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let text = try text("hex.decode", value)
    try meter.make(bytes: text.utf8.count)
    let digits = text.utf8.map { hexadecimalValue($0) }
    guard digits.count % 2 == 0, !digits.contains(nil) else {
      throw CELFault(
        "this text is not hexadecimal: two digits make a byte, as in 48 69 without blanks")
    }
    return .bytes(
      stride(from: 0, to: digits.count, by: 2).map {
        (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0)
      }
    )
  }

  static func url(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let text = try text("url.encode", value)
    try meter.make(bytes: text.utf8.count * 3)
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded += hexadecimal([byte], upperCase: true).utf8
      }
    }
    return .string(String(decoding: encoded, as: UTF8.self))
  }

  static func decodeURL(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let encoded = Array(try text("url.decode", value).utf8)
    try meter.make(bytes: encoded.count)
    var bytes: [UInt8] = []
    var position = 0
    while position < encoded.count {
      guard encoded[position] == UInt8(ascii: "%") else {
        bytes.append(encoded[position])
        position += 1
        continue
      }
      guard position + 2 < encoded.count, let high = hexadecimalValue(encoded[position + 1]),
        let low = hexadecimalValue(encoded[position + 2])
      else { throw CELFault("two hexadecimal digits follow a `%` in a URL") }
      bytes.append(high << 4 | low)
      position += 3
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CELFault("these bytes of a URL are not valid UTF-8")
    }
    return .string(text)
  }

  static func json(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard let text = value.json(atMost: CELLimits.textSize) else { throw .textTooLarge }
    try meter.make(bytes: text.utf8.count)
    return .string(text)
  }

  static func decodeJSON(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let bytes = try bytes("json.decode", value)
    if bytes.count > CELLimits.textSize { throw .textTooLarge }
    try meter.spend(bytes.count >> 2)
    switch parseJSON(bytes) {
    case .success(let value): return value
    case .failure(let problem):
      throw CELFault("this text is not JSON: \(problem.text(in: bytes))")
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    isNamePart(byte) || [0x2D, 0x2E, 0x7E].contains(byte)
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
