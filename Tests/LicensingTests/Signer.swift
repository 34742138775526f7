import COpenSSL
import Values

@testable import Licensing

/// A key that signs. The keys are those of the first tests of RFC 8032, section 7.1.
struct Signer {
  static let first = Signer(
    id: "key-1", secret: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
  static let second = Signer(
    id: "key-1", secret: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")

  var id: String
  var secret: String
  var publicKey: String

  func sign(_ text: String) -> [UInt8] {
    guard copenssl_load() == nil,
      let key = openEVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, bytes(secret), 32),
      let context = openEVP_MD_CTX_new()
    else { return [] }
    defer {
      openEVP_MD_CTX_free(context)
      openEVP_PKEY_free(key)
    }
    let message = Array(text.utf8)
    var signature = [UInt8](repeating: 0, count: 64)
    var size = 64
    _ = openEVP_DigestSignInit(context, nil, nil, nil, key)
    _ = openEVP_DigestSign(context, &signature, &size, message, message.count)
    return signature
  }

  func keyAnswer(_ id: String) -> Value {
    [
      "object": "signing_key", "key_id": .string(id), "algorithm": "Ed25519",
      "public_key": .string(Base64.encode(bytes(publicKey))), "status": "active",
    ]
  }
}

/// Returns the bytes of hexadecimal digits.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}

/// Encrypts a text as `ciphertext.nonce.tag`.
func seal(_ text: String, secret: String) -> String {
  guard copenssl_load() == nil, let context = openEVP_CIPHER_CTX_new() else { return "" }
  let key = Digest.sha256.digest(of: Array(secret.utf8))
  defer { openEVP_CIPHER_CTX_free(context) }
  let plain = Array(text.utf8)
  let nonce = [UInt8](0..<12)
  var cipher = [UInt8](repeating: 0, count: plain.count + 16)
  var tag = [UInt8](repeating: 0, count: 16)
  var (count, rest): (Int32, Int32) = (0, 0)
  _ = openEVP_CipherInit_ex(context, openEVP_aes_256_gcm(), nil, key, nonce, 1)
  _ = openEVP_CipherUpdate(context, &cipher, &count, plain, Int32(plain.count))
  _ = openEVP_CipherFinal_ex(context, &cipher[Int(count)], &rest)
  _ = openEVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag)
  let parts = [Array(cipher.prefix(plain.count)), nonce, tag]
  return parts.map { Base64.encode($0) }.joined(separator: ".")
}
