import Testing

@testable import Protocols

/// A body as another program compressed it.
struct CompressedVector: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var coding: ContentCoding
  var bytes: [UInt8]
  var expanded: [UInt8]

  init(_ what: String, _ coding: ContentCoding, _ digits: String, _ expanded: String = hello) {
    testDescription = what
    self.coding = coding
    bytes = unhex(digits)
    self.expanded = Array(expanded.utf8)
  }
}

private let hello = "data: hello hello hello\n\n"
private let letters = (0..<60).map { turn in
  String(repeating: Character(Unicode.Scalar(UInt8(97 + turn * turn % 23))), count: turn % 7 + 1)
}.joined()
private let gzipHead = "1f8b0800000000000003"
private let gzipTail = "9ad44b4d19000000"

let compressedVectors: [CompressedVector] = [
  CompressedVector(
    "gzip", .gzip, gzipHead + "4b492c49b452c848cdc9c94726b9b800" + gzipTail),
  CompressedVector(
    "gzip with everything a head may have", .gzip,
    "1f8b081e00000000000303006162636e616d6500636f6d6d656e740079714b492c49b452c848cdc9c94726b9b800"
      + gzipTail),
  CompressedVector(
    "gzip that only stores", .gzip,
    gzipHead + "011900e6ff646174613a2068656c6c6f2068656c6c6f2068656c6c6f0a0a" + gzipTail),
  CompressedVector(
    "gzip with a code of its own", .gzip,
    gzipHead
      + "45ce5b0ac0300844d1b56a474a031682fb878e0f9afb9b785454cd6cb19d5dd5db21c2dd1f769f9ece2300e4"
      + "af9aa8e1bd3a531511d5a21b1f9e0bc88270d18d1f9eac7bbe01830fcf0564cdd214197c782ea8bbeb620c3e"
      + "3c17fc477fbb166042ea000000",
    letters),
  CompressedVector(
    "gzip in two parts", .gzip,
    gzipHead + "4b492c49b45248e4e202007ee3c43809000000" + gzipHead
      + "4b492c49b45248e2e20200275d823a09000000", "data: a\n\ndata: b\n\n"),
  CompressedVector("gzip of nothing", .gzip, gzipHead + "03000000000000000000", ""),
  CompressedVector("no bytes as gzip", .gzip, "", ""),
  CompressedVector("no bytes as deflate", .deflate, "", ""),
  CompressedVector(
    "deflate in its wrapping", .deflate, "78da4b492c49b452c848cdc9c94726b9b800742c0885"),
  CompressedVector("deflate, bare", .deflate, "4b492c49b452c848cdc9c94726b9b800"),
  CompressedVector(
    "deflate, bare, that only stores", .deflate,
    "011900e6ff646174613a2068656c6c6f2068656c6c6f2068656c6c6f0a0a"),
  CompressedVector(
    "brotli", .brotli, "0b0c80646174613a2068656c6c6f2068656c6c6f2068656c6c6f0a0a03"),
  CompressedVector("no bytes as brotli", .brotli, "", ""),
  CompressedVector(
    "zstd with a checksum", .zstd,
    "28b52ffd04689d000068646174613a2068656c6c6f0a0a0100e18a17edbc3513"),
  CompressedVector(
    "zstd", .zstd, "28b52ffd00589d000068646174613a2068656c6c6f0a0a0100e18a17"),
  CompressedVector(
    "zstd in two parts", .zstd,
    "28b52ffd00589d000068646174613a2068656c6c6f0a0a0100e18a17"
      + "28b52ffd00589d000068646174613a2068656c6c6f0a0a0100e18a17", hello + hello),
]

/// A hundred thousand bytes of 0, in few.
let zeroBombs: [(coding: ContentCoding, bytes: [UInt8])] = [
  (.brotli, unhex("5b9f86817f02201e0b04b2fc0200")),
  (.zstd, unhex("28b52ffd045855000010000001009b8639c002db234ef3")),
]

/// A text of a hundred thousand `a`.
let bomb: [UInt8] =
  unhex("1f8b0800000000000003edc13101000000c2a0aceb5fc21a1e4001")
  + [UInt8](repeating: 0, count: 96) + unhex("af0687fae21ba0860100")

private func unhex(_ digits: String) -> [UInt8] {
  let values = digits.compactMap(\.hexDigitValue)
  return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
