import CZlib

/// A decoder that expands a compressed body: bytes in, items out, each as early as possible.
package struct ContentDecoder: Sendable {
  private let coding: ContentCoding
  private let limit: Int
  private var inflation: Inflation?
  /// The first byte of a body; the second one decides the wrapping.
  private var firstByte: [UInt8] = []
  private var count = 0
  private var state = State.waiting

  private enum State {
    /// No byte has arrived. An empty body is not compressed, even if the headers say so.
    case waiting
    case inside
    /// A compressed part is complete; only gzip allows another after it.
    case complete
    case over
  }

  /// Makes a decoder. The limit is that of the expanded bytes, because few bytes can expand to very
  /// many.
  package init(_ coding: ContentCoding, limit: Int = HTTPLimits.bodyBytes) {
    self.coding = coding
    self.limit = limit
  }

  package mutating func receive(_ bytes: [UInt8]) -> [ContentItem] {
    guard state != .over, !bytes.isEmpty else { return [] }
    guard state != .complete || coding == .gzip else { return fail(.invalidContentCoding) }
    let all = firstByte.isEmpty ? bytes : firstByte + bytes
    if inflation == nil {
      state = .inside
      guard coding == .gzip || all.count >= 2 else {
        firstByte = all
        return []
      }
      firstByte = []
      inflation = Inflation(windowBits: windowBits(for: all))
    }
    return all.withUnsafeBufferPointer { expand($0) }
  }

  /// Ends the body.
  package mutating func finish() -> [ContentItem] {
    switch state {
    case .inside: return fail(.unexpectedEndInContentCoding)
    case .waiting, .complete, .over:
      state = .over
      return []
    }
  }

  private mutating func fail(_ problem: HTTPProblem) -> [ContentItem] {
    state = .over
    inflation = nil
    return [.problem(problem)]
  }

  /// Returns the wrapping that zlib expects. No writer begins a bare body like zlib's wrapping: it
  /// would be a block with bits set that mean nothing.
  private func windowBits(for bytes: [UInt8]) -> CInt {
    guard coding == .deflate else { return MAX_WBITS + 16 }
    let isWrapped =
      bytes[0] & 0x0F == 8 && bytes[0] >> 4 <= 7
      && (UInt16(bytes[0]) << 8 | UInt16(bytes[1])) % 31 == 0
    return isWrapped ? MAX_WBITS : -MAX_WBITS
  }
}

// Calls of zlib.
extension ContentDecoder {
  private mutating func expand(_ input: UnsafeBufferPointer<UInt8>) -> [ContentItem] {
    if !isKnownUniquelyReferenced(&inflation) { inflation = inflation?.copy() }
    guard let inflation else { return [] }
    var rest = input
    var expanded: [UInt8] = []
    while true {
      if state == .complete, coding == .gzip, !rest.isEmpty {
        inflation.reset()
        state = .inside
      }
      let status = inflation.run(&rest, into: &expanded)
      if count + expanded.count > limit {
        expanded.removeLast(count + expanded.count - limit)
        return items(expanded) + fail(.expandedBodyTooLarge)
      }
      switch status {
      case .mayGoOn: break
      case .needsMore: return items(expanded)
      case .complete:
        state = .complete
        if rest.isEmpty { return items(expanded) }
        if coding != .gzip { return items(expanded) + fail(.invalidContentCoding) }
      case .broken: return items(expanded) + fail(.invalidContentCoding)
      }
    }
  }

  private mutating func items(_ expanded: [UInt8]) -> [ContentItem] {
    count += expanded.count
    return expanded.isEmpty ? [] : [.bytes(expanded)]
  }
}

/// The state of zlib for expanding; it must not move, and must be freed.
private final class Inflation: @unchecked Sendable {
  enum Status {
    case mayGoOn, needsMore, complete, broken
  }

  private let stream: UnsafeMutablePointer<z_stream>

  init(windowBits: CInt) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // If this fails, running fails as well.
    inflateInit2_(stream, windowBits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
  }

  private init(copying other: Inflation) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    inflateCopy(stream, other.stream)
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func copy() -> Inflation { Inflation(copying: self) }

  func reset() { inflateReset(stream) }

  /// Expands until a piece of output is full or the input is used up.
  func run(_ input: inout UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) -> Status {
    let given = UInt32(clamping: input.count)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = given
    let status = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pieceBytes) { piece in
      stream.pointee.next_out = piece.baseAddress
      stream.pointee.avail_out = UInt32(piece.count)
      let status = inflate(stream, Z_NO_FLUSH)
      output.append(contentsOf: piece[..<(piece.count - Int(stream.pointee.avail_out))])
      return status
    }
    input = UnsafeBufferPointer(rebasing: input.dropFirst(Int(given - stream.pointee.avail_in)))
    switch status {
    case Z_OK: return .mayGoOn
    case Z_BUF_ERROR: return .needsMore
    case Z_STREAM_END: return .complete
    default: return .broken
    }
  }
}

private let pieceBytes = 32 << 10
