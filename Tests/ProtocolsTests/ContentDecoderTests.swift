import Testing

@testable import Protocols

/// Returns the decoded bytes, with the pieces joined.
private struct Expanded: Equatable {
  var bytes: [UInt8] = []
  var problem: HTTPProblem?

  init(_ pieces: [[UInt8]], _ coding: ContentCoding, limit: Int = HTTPLimits.bodyBytes) {
    var decoder = ContentDecoder(coding, limit: limit)
    for item in pieces.flatMap({ decoder.receive($0) }) + decoder.finish() {
      switch item {
      case .bytes(let piece): bytes += piece
      case .problem(let found): problem = problem ?? found
      }
    }
  }
}

private let gzip = compressedVectors[0].bytes
private let wrapped = compressedVectors[8].bytes
private let bare = compressedVectors[9].bytes

private let brokenBodies: [(coding: ContentCoding, body: [UInt8])] = [
  (.gzip, bytes("data: a\n\n")), (.gzip, wrapped), (.gzip, gzip + [0, 0]),
  (.gzip, gzip.dropLast(8) + [1, 2, 3, 4, 5, 6, 7, 8]), (.gzip, gzip + gzip.dropLast() + [9]),
  (.deflate, gzip), (.deflate, [0xFF, 0xFF]), (.deflate, wrapped + [0]), (.deflate, bare + [0]),
  (.deflate, wrapped.dropLast() + [0]),
]

struct `expanding compressed bodies` {
  @Test(arguments: compressedVectors)
  func `what another program compressed is expanded`(vector: CompressedVector) {
    let expanded = Expanded([vector.bytes], vector.coding)
    #expect(expanded.bytes == vector.expanded)
    #expect(expanded.problem == nil)
  }

  @Test(arguments: compressedVectors)
  func `a body is the same at every boundary and every pair`(vector: CompressedVector) {
    expectSameHoweverCut(vector.bytes) { Expanded($0, vector.coding) }
    expectSameHoweverCut(vector.bytes) { Expanded($0, vector.coding, limit: 10) }
  }

  @Test(arguments: [ContentCoding.gzip, .deflate], [1, 2, 3] as [UInt64])
  func `damaged bodies expand the same however they are cut, and never crash`(
    coding: ContentCoding, seed: UInt64
  ) {
    let sources = compressedVectors.filter { $0.coding == coding }.map(\.bytes)
    expectSameWhenDamaged(sources, seed: seed) { Expanded($0, coding) }
  }

  /// These libraries find a mistake in the bytes behind before they give all bytes before it.
  @Test(arguments: [ContentCoding.brotli, .zstd], [1, 2, 3] as [UInt64])
  func `damaged bodies of the other codings are broken however they are cut, and never crash`(
    coding: ContentCoding, seed: UInt64
  ) {
    let sources = compressedVectors.filter { $0.coding == coding }.map(\.bytes)
    expectSameWhenDamaged(sources, seed: seed) { Expanded($0, coding).problem }
  }

  @Test(arguments: compressedVectors)
  func `a body that is cut off is incomplete`(vector: CompressedVector) {
    for end in vector.bytes.indices.dropFirst() {
      let expanded = Expanded([Array(vector.bytes[..<end])], vector.coding)
      // The first of two parts is a body as well.
      let firstParts = [bytes("data: a\n\n"), bytes("data: hello hello hello\n\n")]
      guard expanded.problem != nil || firstParts.contains(expanded.bytes) else {
        #expect(expanded.problem == .unexpectedEndInContentCoding, "cut off at \(end)")
        return
      }
      #expect(vector.expanded.starts(with: expanded.bytes))
    }
  }

  @Test(arguments: brokenBodies.indices)
  func `what is not as it says is a problem`(index: Int) {
    let (coding, body) = brokenBodies[index]
    #expect(Expanded([body], coding).problem == .invalidContentCoding)
  }

  @Test func `nothing follows a problem`() {
    var decoder = ContentDecoder(.gzip)
    #expect(decoder.receive(bytes("no gzip")) == [.problem(.invalidContentCoding)])
    #expect(decoder.receive(gzip) == [])
    #expect(decoder.finish() == [])
  }

  @Test func `few bytes that expand to very many stop at the limit`() {
    #expect(Expanded([bomb], .gzip).bytes.count == 100_000)
    let stopped = Expanded([bomb], .gzip, limit: 1000)
    #expect(stopped.bytes.count == 1000)
    #expect(stopped.problem == .expandedBodyTooLarge)
    #expect(Expanded([bomb], .gzip, limit: 100_000).problem == nil)
  }

  @Test(arguments: zeroBombs.indices)
  func `few bytes of the other codings stop at the limit as well`(index: Int) {
    let (coding, bomb) = zeroBombs[index]
    #expect(Expanded([bomb], coding) == Expanded([bomb], coding, limit: 100_000))
    #expect(Expanded([bomb], coding).bytes.count == 100_000)
    let stopped = Expanded([bomb], coding, limit: 1000)
    #expect(stopped.bytes.count == 1000)
    #expect(stopped.problem == .expandedBodyTooLarge)
  }

  @Test(arguments: [0, 1, 1023, 1024, 1025, 5000, 16_384, 16_385, 40_000, 200_000])
  func `a piece of a page is expanded as it was, with or without zlib`(count: Int) {
    var number: UInt32 = 1
    let piece = (0..<count).map { place -> UInt8 in
      number = number &* 1_664_525 &+ 1_013_904_223
      return place % 3 == 0 ? UInt8(number >> 24) : UInt8(place / 700 % 256)
    }
    for written in [deflatedRaw(piece), storedRaw(piece)] {
      let expanded = Expanded([written], .deflate)
      #expect(expanded.bytes == piece)
      #expect(expanded.problem == nil)
    }
  }

  @Test func `a window that is larger than a server may ask for is refused`() {
    let head: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA0]
    #expect(Expanded([head + [1, 0, 0]], .zstd).problem == .invalidContentCoding)
  }

  @Test func `a copy goes on by itself`() {
    var decoder = ContentDecoder(.deflate)
    let first = decoder.receive(Array(wrapped[..<10]))
    var copy = decoder
    let rest = decoder.receive(Array(wrapped[10...]))
    #expect(copy.receive(Array(wrapped[10...])) == rest)
    #expect(first != rest)
  }
}

struct `the content codings of a response` {
  @Test(arguments: [
    (["gzip"], [ContentCoding.gzip]), (["X-GZip"], [.gzip]), (["deflate"], [.deflate]),
    ([" identity , gzip"], [.gzip]), ([], []), ([""], []), (["identity"], []), (["BR"], [.brotli]),
    (["zstd"], [.zstd]), (["gzip, deflate"], [.gzip, .deflate]),
    (["gzip", "gzip"], [.gzip, .gzip]),
  ])
  func `those that are known are used, in their order`(values: [String], codings: [ContentCoding]) {
    let headers = HTTPHeaders(values.map { HTTPHeaderLine("content-encoding", $0) })
    #expect(ContentCoding.all(in: headers) == codings)
    #expect(ContentCoding.unknownName(in: headers) == nil)
  }

  @Test(arguments: [
    (["gzipped"], "gzipped"), (["gzip, lzma"], "lzma"), (["compress", "gzip"], "compress"),
    (["br, br, br, br, br"], "br, br, br, br, br"),
  ])
  func `with one that is unknown the body is left alone, and the coding has a name`(
    values: [String], name: String
  ) {
    let headers = HTTPHeaders(values.map { HTTPHeaderLine("content-encoding", $0) })
    #expect(ContentCoding.all(in: headers) == [])
    #expect(ContentCoding.unknownName(in: headers) == name)
  }
}

struct `compressing bodies` {
  @Test(arguments: ContentCoding.allCases)
  func `a body at once can be expanded, and is shorter`(coding: ContentCoding) {
    var encoder = ContentEncoder(coding)
    let body = bytes(String(repeating: "a long story ", count: 10_000))
    let compressed = encoder.finish(body)
    #expect(compressed.count < body.count / 100)
    #expect(Expanded([compressed], coding).bytes == body)
  }

  @Test(arguments: ContentCoding.allCases)
  func `each piece can be expanded when it arrives`(coding: ContentCoding) {
    var encoder = ContentEncoder(coding)
    var decoder = ContentDecoder(coding)
    for piece in [bytes("a"), bytes("bc"), [UInt8](repeating: 0, count: 1 << 20)] {
      let items = decoder.receive(encoder.write(piece))
      #expect(items == [.bytes(piece)])
    }
    #expect(encoder.write([]) == [])
    #expect(decoder.receive(encoder.finish()) == [])
    #expect(decoder.finish() == [])
  }

  @Test func `a copy goes on by itself`() {
    var encoder = ContentEncoder(.gzip)
    let start = encoder.write(bytes("a"))
    var copy = encoder
    let end = encoder.write(bytes("b")) + encoder.finish()
    #expect(copy.write(bytes("b")) + copy.finish() == end)
    #expect(Expanded([start + end], .gzip).bytes == bytes("ab"))
  }
}
