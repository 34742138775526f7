import Values

extension Builtins {
  static let encodings: [Builtin] = [
    global(
      "base64.encode", Signature([.bytes], .string), body: .one(EncodingFunctions.encode)),
    global(
      "base64.decode", Signature([.string], .bytes), body: .one(EncodingFunctions.decode)),
  ]
}

/// Base64. Reading accepts text with or without padding; writing adds it.
enum EncodingFunctions {
  static func encode(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .bytes(let bytes) = value else { throw .noOverload("base64.encode", value) }
    try meter.make(bytes: bytes.count / 3 * 4 + 4)
    return .string(Base64.encode(bytes))
  }

  static func decode(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = value else { throw .noOverload("base64.decode", value) }
    try meter.make(bytes: text.utf8.count)
    guard let bytes = Base64.decode(text) else { throw CELFault("this text is not Base64") }
    return .bytes(bytes)
  }
}
