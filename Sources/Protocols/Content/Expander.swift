/// The state of the library that expands a body.
enum Expander: Sendable {
  case zlib(Inflation)
  case brotli(BrotliExpansion)
  case zstd(ZstdExpansion)

  enum Status {
    case mayGoOn, needsMore, complete, broken
  }

  /// The most bytes of output at a time.
  static let pieceBytes = 32 << 10

  init(_ coding: ContentCoding, beginning bytes: [UInt8]) {
    switch coding {
    case .gzip, .deflate: self = .zlib(Inflation(coding, beginning: bytes))
    case .brotli: self = .brotli(BrotliExpansion())
    case .zstd: self = .zstd(ZstdExpansion())
    }
  }

  /// Makes a copy of the state if another decoder shares it.
  mutating func becomeUnique() {
    guard case .zlib(var inflation) = self else { return }
    self = .brotli(BrotliExpansion.none)
    if !isKnownUniquelyReferenced(&inflation) { inflation = inflation.copy() }
    self = .zlib(inflation)
  }

  func reset() {
    switch self {
    case .zlib(let inflation): inflation.reset()
    case .brotli, .zstd: break
    }
  }

  /// Expands until a piece of output is full or the input is used up.
  func run(_ input: inout UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) -> Status {
    switch self {
    case .zlib(let inflation): inflation.run(&input, into: &output)
    case .brotli(let brotli): brotli.run(&input, into: &output)
    case .zstd(let zstd): zstd.run(&input, into: &output)
    }
  }
}
