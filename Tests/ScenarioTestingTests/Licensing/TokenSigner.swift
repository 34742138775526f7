import COpenSSL
import ScenarioTesting

/// The signatures that the scenarios' server only names: where it writes `signed`, the client gets
/// a signature by Ed25519.
enum TokenSigner {
  static let id = "key-1"
  /// The key of the first test of RFC 8032, section 7.1.
  static let publicKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
  private static let secret = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A="
  /// The signature that no key has made.
  private static let forged = Base64.encode([UInt8](repeating: 0, count: 64))

  /// Signs the token in an answer, if there is one.
  static func signingTokens(in body: [UInt8]) -> [UInt8] {
    guard let value = try? parseJSON(body).get(), value["object"] == "offline_token" else {
      return body
    }
    return Array(signed(value).json().utf8)
  }

  /// Makes the form that the client reads.
  static func signed(_ value: Value) -> Value {
    let token = value["token"] ?? .null
    let canonical = token.json(sortedKeys: true)
    var signature = ValueMap()
    signature["algorithm"] = "Ed25519"
    signature["key_id"] = value["signature"]?["key_id"]
    let isSigned = value["signature"]?["value"] == "signed"
    signature["value"] = .string(isSigned ? sign(canonical) : forged)
    return [
      "object": "offline_token", "token": token, "canonical": .string(canonical),
      "signature": .map(signature),
    ]
  }

  /// Makes the form that the scenarios read.
  static func unsigned(_ text: String?) -> Value {
    guard let text, let value = try? parseJSON(text).get(), let token = value["token"] else {
      return .null
    }
    let isForged = value["signature"]?["value"] == .string(forged)
    return [
      "token": token,
      "signature": [
        "algorithm": "Ed25519", "key_id": value["signature"]?["key_id"] ?? .null,
        "value": isForged ? "forged" : "signed",
      ],
    ]
  }

  private static func sign(_ text: String) -> String {
    guard copenssl_load() == nil, let bytes = Base64.decode(secret),
      let key = openEVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, bytes, bytes.count),
      let context = openEVP_MD_CTX_new()
    else { return forged }
    defer {
      openEVP_MD_CTX_free(context)
      openEVP_PKEY_free(key)
    }
    let message = Array(text.utf8)
    var signature = [UInt8](repeating: 0, count: 64)
    var size = 64
    _ = openEVP_DigestSignInit(context, nil, nil, nil, key)
    _ = openEVP_DigestSign(context, &signature, &size, message, message.count)
    return Base64.encode(signature)
  }
}
