import CZlib

/// An encoder that compresses a body piece by piece, so that each piece can be expanded when it
/// arrives.
package struct ContentEncoder: Sendable {
  private var deflation: Deflation

  package init(_ coding: ContentCoding) {
    deflation = Deflation(windowBits: coding == .gzip ? MAX_WBITS + 16 : MAX_WBITS)
  }

  package mutating func write(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty ? [] : run(bytes, Z_SYNC_FLUSH)
  }

  /// Returns the end of the body, with its last bytes.
  package mutating func finish(_ last: [UInt8] = []) -> [UInt8] {
    run(last, Z_FINISH)
  }

  private mutating func run(_ bytes: [UInt8], _ flush: CInt) -> [UInt8] {
    if !isKnownUniquelyReferenced(&deflation) { deflation = Deflation(copying: deflation) }
    return deflation.run(bytes, flush)
  }
}

/// The state of zlib for compressing; it must not move, and must be freed.
private final class Deflation: @unchecked Sendable {
  private let stream: UnsafeMutablePointer<z_stream>

  init(windowBits: CInt) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // If this fails, running fails as well and gives no bytes.
    deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, usualMemoryLevel, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
  }

  init(copying other: Deflation) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    deflateCopy(stream, other.stream)
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  func run(_ bytes: [UInt8], _ flush: CInt) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBufferPointer { input in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(clamping: input.count)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pieceBytes) { piece in
        repeat {
          stream.pointee.next_out = piece.baseAddress
          stream.pointee.avail_out = UInt32(piece.count)
          guard deflate(stream, flush) != Z_STREAM_ERROR else { return }
          output.append(contentsOf: piece[..<(piece.count - Int(stream.pointee.avail_out))])
        } while stream.pointee.avail_out == 0
      }
    }
    return output
  }
}

private let pieceBytes = 32 << 10
private let usualMemoryLevel: CInt = 8
