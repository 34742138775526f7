import Values

extension Builtins {
  static let hashes: [Builtin] =
    [
      hash("hash.sha256", .sha256).note(
        "The SHA-256 digest of bytes, or of a text in UTF-8, in hexadecimal digits.",
        "hash.sha256('abc').substring(0, 16)", "'ba7816bf8f01cfea'"),
      hash("hash.sha1", .sha1).note(
        "The SHA-1 digest, in hexadecimal digits.", "hash.sha1('abc').substring(0, 16)",
        "'a9993e364706816a'"),
      hash("hash.md5", .md5).note(
        "The MD5 digest, in hexadecimal digits.", "base64.encode(hex.decode(hash.md5('abc')))",
        "'kAFQmDzST7DWlj99KOF/cg=='"),
    ] + [
      global(
        "hash.hmac", Signature([.string, .string, .string], .string),
        Signature([.string, .bytes, .string], .string),
        Signature([.string, .string, .bytes], .string),
        Signature([.string, .bytes, .bytes], .string), body: .any(HashFunctions.code)
      ).note(
        """
        The code by which the owner of a key signs a text (HMAC), in hexadecimal digits. The \
        arguments are `sha256`, `sha1` or `md5`, the key, and what is signed.
        """, "hash.hmac('sha256', 'key', 'text').substring(0, 16)", "'6afa9046a9579cad'")
    ]

  private static func hash(_ name: String, _ digest: Digest) -> Builtin {
    let body: UnaryCallNode.Function = { (value, meter) throws(CELFault) in
      guard let bytes = HashFunctions.bytes(of: value) else { throw .noOverload(name, value) }
      try HashFunctions.pay(for: bytes, &meter)
      return .string(hexadecimal(digest.digest(of: bytes)))
    }
    return global(
      name, Signature([.string], .string), Signature([.bytes], .string), body: .one(body))
  }
}

/// Digests, and codes that sign.
enum HashFunctions {
  /// Returns bytes, or the bytes of a text; nil for other values.
  static func bytes(of value: Value) -> [UInt8]? {
    switch value {
    case .bytes(let bytes): bytes
    case .string(let text): Array(text.utf8)
    default: nil
    }
  }

  /// A digest takes about as long for a byte as a step does for four.
  static func pay(for bytes: [UInt8], _ meter: inout Meter) throws(CELFault) {
    if bytes.count > CELLimits.textSize { throw .textTooLarge }
    try meter.spend(100 + bytes.count >> 2)
  }

  static func digest(named name: String) -> Result<Digest, CELFault> {
    let known = Digest.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    return Digest(rawValue: name).map { .success($0) }
      ?? .failure(
        CELFault("\(Spelling.of(.string(name))) is no algorithm; there are \(known)"))
  }

  static func code(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let name) = values[0], let key = bytes(of: values[1]),
      let message = bytes(of: values[2])
    else { throw .noOverload("hash.hmac", values) }
    let digest = try digest(named: name).get()
    try pay(for: key, &meter)
    try pay(for: message, &meter)
    return .string(hexadecimal(digest.code(of: message, key: key)))
  }
}
