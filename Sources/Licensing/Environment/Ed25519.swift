import COpenSSL
import Values

/// Signatures by Ed25519 (RFC 8032), checked by OpenSSL, which is loaded on first use.
enum Ed25519 {
  /// The result of a check.
  enum Verdict {
    case valid
    case invalid
    /// OpenSSL is not there.
    case unavailable
  }

  static let keySize = 32
  private static let signatureSize = 64

  static func verify(_ signature: [UInt8], of message: [UInt8], key: [UInt8]) -> Verdict {
    guard signature.count == signatureSize, key.count == keySize else { return .invalid }
    guard copenssl_load() == nil else { return .unavailable }
    defer { openERR_clear_error() }
    guard let made = openEVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count),
      let context = openEVP_MD_CTX_new()
    else { return .invalid }
    defer {
      openEVP_MD_CTX_free(context)
      openEVP_PKEY_free(made)
    }
    let isValid =
      openEVP_DigestVerifyInit(context, nil, nil, nil, made) == 1
      && openEVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    return isValid ? .valid : .invalid
  }
}

/// Bytes encrypted by AES-256-GCM for a license key and a device.
enum AESGCM {
  private static let tagSize = 16
  private static let nonceSizes = 12...16

  /// Decrypts `ciphertext.nonce.tag`, each part in Base64; nil if anything was changed.
  static func open(_ sealed: String, key: String, device: String) -> [UInt8]? {
    let parts = sealed.split(separator: ".", omittingEmptySubsequences: false).compactMap {
      Base64.decode(String($0))
    }
    guard parts.count == 3, nonceSizes.contains(parts[1].count), parts[2].count == tagSize,
      copenssl_load() == nil
    else { return nil }
    let secret = Digest.sha256.digest(of: Array((key + device).utf8))
    return open(parts[0], nonce: parts[1], tag: parts[2], secret: secret)
  }

  private static func open(
    _ cipher: [UInt8], nonce: [UInt8], tag: [UInt8], secret: [UInt8]
  ) -> [UInt8]? {
    guard let context = openEVP_CIPHER_CTX_new() else { return nil }
    defer {
      openEVP_CIPHER_CTX_free(context)
      openERR_clear_error()
    }
    var (plain, tag) = ([UInt8](repeating: 0, count: cipher.count + 16), tag)
    var (count, rest): (Int32, Int32) = (0, 0)
    let isOpen =
      openEVP_CipherInit_ex(context, openEVP_aes_256_gcm(), nil, nil, nil, 0) == 1
      && openEVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1
      && openEVP_CipherInit_ex(context, nil, nil, secret, nonce, 0) == 1
      && openEVP_CipherUpdate(context, &plain, &count, cipher, Int32(cipher.count)) == 1
      && openEVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagSize), &tag) == 1
      && openEVP_CipherFinal_ex(context, &plain[Int(count)], &rest) == 1
    return isOpen ? Array(plain.prefix(Int(count + rest))) : nil
  }
}
