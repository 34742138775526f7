import CCompression
import TextSearch

/// The state of Zstandard for expanding; it must be freed.
final class ZstdExpansion: @unchecked Sendable {
  private let state = ZSTD_createDCtx()

  init() {
    // RFC 9659: what a server may ask for, so that a few bytes cannot reserve very many.
    _ = ZSTD_DCtx_setParameter(state, ZSTD_d_windowLogMax, largestWindow)
  }

  deinit { ZSTD_freeDCtx(state) }

  func run(_ input: inout UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) -> Expander.Status
  {
    var from = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    let capacity = Expander.pieceBytes
    var isFull = false
    let result = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { piece in
      var to = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
      let result = ZSTD_decompressStream(state, &to, &from)
      output.append(contentsOf: piece[..<to.pos])
      isFull = to.pos == to.size
      return result
    }
    input = UnsafeBufferPointer(rebasing: input.dropFirst(from.pos))
    if ZSTD_isError(result) != 0 { return .broken }
    if result == 0 { return .complete }
    return isFull || !input.isEmpty ? .mayGoOn : .needsMore
  }
}

/// 8 MiB, as a power of two.
private let largestWindow: CInt = 23

/// The state of Zstandard for compressing; it must be freed.
final class ZstdCompression: @unchecked Sendable {
  private let state = ZSTD_createCCtx()

  deinit { ZSTD_freeCCtx(state) }

  func run(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBytes { input in
      var from = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Expander.pieceBytes) { piece in
        var rest = 0
        repeat {
          var to = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
          rest = ZSTD_compressStream2(state, &to, &from, isLast ? ZSTD_e_end : ZSTD_e_flush)
          output.append(contentsOf: piece[..<to.pos])
        } while rest > 0 && ZSTD_isError(rest) == 0
      }
    }
    return output
  }
}
