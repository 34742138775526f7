import CCompression
import TextSearch

/// The state of Brotli for expanding; it must be freed.
final class BrotliExpansion: @unchecked Sendable {
  /// Stands for no state while another one is taken out.
  static let none = BrotliExpansion(nil)

  private let state: OpaquePointer?

  convenience init() { self.init(BrotliDecoderCreateInstance(nil, nil, nil)) }

  private init(_ state: OpaquePointer?) { self.state = state }

  deinit { BrotliDecoderDestroyInstance(state) }

  func run(_ input: inout UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) -> Expander.Status
  {
    var next = input.baseAddress
    var rest = input.count
    let capacity = Expander.pieceBytes
    let result = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { piece in
      var place = piece.baseAddress
      var room = piece.count
      let result = BrotliDecoderDecompressStream(state, &rest, &next, &room, &place, nil)
      output.append(contentsOf: piece[..<(piece.count - room)])
      return result
    }
    input = UnsafeBufferPointer(rebasing: input.suffix(rest))
    switch result {
    case BROTLI_DECODER_RESULT_SUCCESS: return .complete
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
      // It asks for input even if there is more output than there was room for.
      return BrotliDecoderHasMoreOutput(state) == BROTLI_FALSE ? .needsMore : .mayGoOn
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return .mayGoOn
    default: return .broken
    }
  }
}

/// The state of Brotli for compressing; it must be freed.
final class BrotliCompression: @unchecked Sendable {
  private let state = BrotliEncoderCreateInstance(nil, nil, nil)

  init() { BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, usualQuality) }

  deinit { BrotliEncoderDestroyInstance(state) }

  func run(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    let operation = isLast ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_FLUSH
    var output: [UInt8] = []
    bytes.withUnsafeBufferPointer { input in
      var next = input.baseAddress
      var rest = input.count
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Expander.pieceBytes) { piece in
        repeat {
          var place = piece.baseAddress
          var room = piece.count
          let works = BrotliEncoderCompressStream(
            state, operation, &rest, &next, &room, &place, nil)
          output.append(contentsOf: piece[..<(piece.count - room)])
          if works == BROTLI_FALSE { return }
        } while rest > 0 || BrotliEncoderHasMoreOutput(state) != BROTLI_FALSE
      }
    }
    return output
  }
}

/// The highest quality takes long, and few servers use it for answers that they make.
private let usualQuality: UInt32 = 5
