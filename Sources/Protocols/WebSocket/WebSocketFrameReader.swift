import CWslay
import TextSearch

/// A reader of frames by wslay, which unmasks them and checks their heads.
///
/// It is a final class because wslay keeps its address and calls back through it. We do not use
/// wslay's reader of messages: it does not report which rule was broken, and answers pings by
/// itself.
final class WebSocketFrameReader {
  /// A part of a frame's payload, with the head of its frame.
  struct Piece {
    var isFinal: Bool
    var reservedBits: UInt8
    var opcode: WebSocketOpcode
    var isMasked: Bool
    var payloadLength: UInt64
    /// The bytes, valid only until the next piece is read.
    var bytes: UnsafeBufferPointer<UInt8>
  }

  enum Reading {
    case piece(Piece)
    case needsMore
    /// A frame with a head that breaks a rule; nothing can be read after it.
    case malformed
  }

  private var context: wslay_frame_context_ptr?
  private var input: [UInt8] = []
  private var offset = 0

  init() {
    var callbacks = wslay_frame_callbacks()
    callbacks.recv_callback = { buffer, length, _, reader in
      guard let buffer, let reader else { return -1 }
      let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: length)
      return Unmanaged<WebSocketFrameReader>.fromOpaque(reader).takeUnretainedValue().fill(bytes)
    }
    let status = wslay_frame_context_init(
      &context, &callbacks, Unmanaged.passUnretained(self).toOpaque())
    precondition(status == 0, "there is no memory left for a WebSocket")
  }

  deinit { wslay_frame_context_free(context) }

  /// Sets the bytes for the next pieces.
  func feed(_ bytes: [UInt8]) {
    input = bytes
    offset = 0
  }

  func next() -> Reading {
    var part = wslay_frame_iocb()
    let length = wslay_frame_recv(context, &part)
    guard length >= 0 else {
      input = []
      offset = 0
      return length == Int(WSLAY_ERR_WANT_READ.rawValue) ? .needsMore : .malformed
    }
    let bytes = UnsafeBufferPointer(start: part.data, count: length)
    return .piece(
      Piece(
        isFinal: part.fin != 0, reservedBits: part.rsv,
        opcode: WebSocketOpcode(rawValue: part.opcode), isMasked: part.mask != 0,
        payloadLength: part.payload_length, bytes: bytes))
  }

  /// Fills the buffer of wslay; without bytes, wslay waits for more.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, input.count - offset)
    input.withUnsafeBytes { input in
      buffer.copyBytes(from: input[offset..<(offset + count)])
    }
    offset += count
    return count
  }
}
