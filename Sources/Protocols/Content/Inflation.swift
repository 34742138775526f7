import CCompression
import TextSearch

/// The state of zlib for expanding; it must not move, and must be freed.
final class Inflation: @unchecked Sendable {
  private let stream: UnsafeMutablePointer<z_stream>

  /// Makes a state for gzip, or for the wrapping with which a body in `deflate` begins.
  convenience init(_ coding: ContentCoding, beginning bytes: [UInt8]) {
    self.init(windowBits: coding == .gzip ? MAX_WBITS + 16 : wrapping(of: bytes))
  }

  private init(windowBits: CInt) {
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
  func run(_ input: inout UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) -> Expander.Status
  {
    let given = UInt32(clamping: input.count)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = given
    let status = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Expander.pieceBytes) {
      piece in
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

/// Returns the wrapping that zlib expects. No writer begins a bare body like zlib's wrapping: it
/// would be a block with bits set that mean nothing.
private func wrapping(of bytes: [UInt8]) -> CInt {
  let isWrapped =
    bytes[0] & 0x0F == 8 && bytes[0] >> 4 <= 7
    && (UInt16(bytes[0]) << 8 | UInt16(bytes[1])) % 31 == 0
  return isWrapped ? MAX_WBITS : -MAX_WBITS
}
