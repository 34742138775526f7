import CCompression
import TextSearch

/// An encoder that compresses a body piece by piece, so that each piece can be expanded when it
/// arrives.
///
/// Only copies of encoders of gzip and deflate continue by themselves. The caller has asked whether
/// the library of the coding is there.
package struct ContentEncoder: Sendable {
  private var deflation: Deflation?
  private var brotli: BrotliCompression?
  private var zstd: ZstdCompression?

  package init(_ coding: ContentCoding) {
    switch coding {
    case .gzip: deflation = Deflation(windowBits: MAX_WBITS + 16)
    case .deflate: deflation = Deflation(windowBits: MAX_WBITS)
    case .brotli: brotli = BrotliCompression()
    case .zstd: zstd = ZstdCompression()
    }
  }

  package mutating func write(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty ? [] : run(bytes, isLast: false)
  }

  /// Returns the end of the body, with its last bytes.
  package mutating func finish(_ last: [UInt8] = []) -> [UInt8] {
    run(last, isLast: true)
  }

  private mutating func run(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    if let brotli { return brotli.run(bytes, isLast: isLast) }
    if let zstd { return zstd.run(bytes, isLast: isLast) }
    if !isKnownUniquelyReferenced(&deflation) {
      deflation = deflation.map { Deflation(copying: $0) }
    }
    return deflation?.run(bytes, isLast ? Z_FINISH : Z_SYNC_FLUSH) ?? []
  }
}

/// Returns a body compressed by one coding after the other. The caller has asked whether their
/// libraries are there.
package func compressed(_ body: [UInt8], by codings: [ContentCoding]) -> [UInt8] {
  if body.isEmpty { return body }
  return codings.reduce(body) { body, coding in
    var encoder = ContentEncoder(coding)
    return encoder.finish(body)
  }
}

/// The state of zlib for compressing; it must not move, and must be freed.
private final class Deflation: @unchecked Sendable {
  private let stream: UnsafeMutablePointer<z_stream>

  init(
    windowBits: CInt, memoryLevel: CInt = usualMemoryLevel, level: CInt = Z_DEFAULT_COMPRESSION
  ) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // If this fails, running fails as well and gives no bytes.
    deflateInit2_(
      stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY,
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

/// Returns bytes compressed without any wrapping (RFC 1951), as `DecompressionStream` of browsers
/// expands them by the name `deflate-raw`.
///
/// zlib clears a quarter of a megabyte for its usual window. A page has many short pieces, so the
/// window is only as large as they need. The lines of traces repeat so much that the fast levels of
/// zlib make them nearly as small, in less than half of the time.
///
/// On a machine without zlib the bytes are stored as they are.
package func deflatedRaw(_ bytes: [UInt8]) -> [UInt8] {
  if ContentCoding.deflate.missingLibrary != nil { return storedRaw(bytes) }
  let bits = (smallestWindowBits..<MAX_WBITS).first { bytes.count <= 1 << $0 } ?? MAX_WBITS
  let memoryLevel = min(usualMemoryLevel, bits - smallestWindowBits + 4)
  return Deflation(windowBits: -bits, memoryLevel: memoryLevel, level: fastLevel)
    .run(bytes, Z_FINISH)
}

/// Returns bytes in blocks of RFC 1951 that are not compressed.
func storedRaw(_ bytes: [UInt8]) -> [UInt8] {
  var output: [UInt8] = []
  var rest = bytes[...]
  repeat {
    let block = rest.prefix(mostStoredBytes)
    rest = rest.dropFirst(block.count)
    let length = UInt16(block.count)
    output.append(rest.isEmpty ? 1 : 0)
    for number in [length, ~length] { output += [UInt8(number & 0xFF), UInt8(number >> 8)] }
    output += block
  } while !rest.isEmpty
  return output
}

/// The length of a block is a number of 16 bits.
private let mostStoredBytes = Int(UInt16.max)
private let smallestWindowBits: CInt = 10
private let fastLevel: CInt = 3
