import Testing

@testable import Licensing

/// A test of RFC 8032, section 7.1.
struct SignatureVector: Sendable, CustomTestStringConvertible {
  var name: String
  var key: String
  var message: String
  var signature: String
  var testDescription: String { name }
}

private let vectors = [
  SignatureVector(
    name: "empty message", key: Signer.first.publicKey, message: "",
    signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
      + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
  SignatureVector(
    name: "one byte", key: Signer.second.publicKey, message: "72",
    signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
      + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
  SignatureVector(
    name: "two bytes",
    key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", message: "af82",
    signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
      + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
]

@Suite struct SignatureTests {
  @Test(arguments: vectors)
  func `the signatures of the standard hold`(_ vector: SignatureVector) {
    let signature = bytes(vector.signature)
    let message = bytes(vector.message)
    #expect(Ed25519.verify(signature, of: message, key: bytes(vector.key)) == .valid)
  }

  @Test(arguments: vectors)
  func `a signature with one bit changed does not hold`(_ vector: SignatureVector) {
    let (signature, message) = (bytes(vector.signature), bytes(vector.message))
    for place in [0, 31, 32, 63] {
      var changed = signature
      changed[place] ^= 1
      #expect(Ed25519.verify(changed, of: message, key: bytes(vector.key)) == .invalid)
    }
    #expect(Ed25519.verify(signature, of: message + [0], key: bytes(vector.key)) == .invalid)
    #expect(
      Ed25519.verify(signature, of: message, key: [UInt8](repeating: 7, count: 32)) == .invalid)
    #expect(Ed25519.verify([], of: message, key: bytes(vector.key)) == .invalid)
    #expect(Ed25519.verify(signature, of: message, key: []) == .invalid)
  }

  @Test func `a file is opened only with its key, its device and unchanged`() {
    let sealed = seal("content", secret: "KEYdevice")
    #expect(AESGCM.open(sealed, key: "KEY", device: "device") == Array("content".utf8))
    #expect(AESGCM.open(sealed, key: "KEY", device: "other") == nil)
    #expect(AESGCM.open("A" + sealed, key: "KEY", device: "device") == nil)
    #expect(AESGCM.open("", key: "KEY", device: "device") == nil)
  }
}
