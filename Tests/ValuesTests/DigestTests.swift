import Testing
import Values

@Suite struct DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
  ])
  func `a digest by SHA-256 is that of the standard`(text: String, digest: String) {
    #expect(SHA256.digest(of: text.utf8) == digest)
    #expect(hexadecimal(Digest.sha256.digest(of: Array(text.utf8))) == digest)
  }

  @Test func `a digest by SHA-256 is the same without the processor's own instructions`() {
    for count in 0...300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167) }
      var (whole, pieces) = (SHA256(isPortable: true), SHA256())
      whole.append(bytes)
      // Pieces that end before, at and behind the ends of blocks.
      for start in stride(from: 0, to: count, by: 29) {
        pieces.append(bytes[start..<min(start + 29, count)])
      }
      #expect(whole.digest() == pieces.digest(), "\(count) bytes")
    }
  }

  @Test func `a digest may be taken while bytes arrive`() {
    var hash = SHA256()
    hash.append("ab".utf8)
    #expect(hash.digest() == SHA256.digest(of: "ab".utf8))
    hash.append(UInt8(ascii: "c"))
    #expect(hash.digest() == SHA256.digest(of: "abc".utf8))
  }

  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func `a digest by MD5 is that of the standard`(text: String, digest: String) {
    #expect(hexadecimal(Digest.md5.digest(of: Array(text.utf8))) == digest)
  }

  /// The cases of RFC 2202 and RFC 4231 with keys of few and of many bytes.
  @Test(arguments: [
    (Digest.md5, "Jefe", "what do ya want for nothing?", "750c783e6ab0b503eaa86e310a5db738"),
    (.sha1, "Jefe", "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    (
      .sha256, "Jefe", "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      .sha256, String(repeating: "\u{1}", count: 100), "a key longer than a block",
      "baf36766f187f574403754fc910fc30216f4ff856729301a9cca9b0070aea25c"
    ),
  ])
  func `a code by HMAC is that of the standard`(
    digest: Digest, key: String, text: String, code: String
  ) {
    let made = digest.code(of: Array(text.utf8), key: Array(key.utf8))
    #expect(hexadecimal(made) == code)
  }
}
