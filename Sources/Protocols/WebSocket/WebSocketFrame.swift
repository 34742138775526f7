import TextSearch

/// The kind of a frame: four bits; some combinations are reserved.
package struct WebSocketOpcode: RawRepresentable, Sendable, Equatable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let continuation = WebSocketOpcode(rawValue: 0x0)
  package static let text = WebSocketOpcode(rawValue: 0x1)
  package static let binary = WebSocketOpcode(rawValue: 0x2)
  package static let close = WebSocketOpcode(rawValue: 0x8)
  package static let ping = WebSocketOpcode(rawValue: 0x9)
  package static let pong = WebSocketOpcode(rawValue: 0xA)

  /// True for frames about the connection; they may come between the frames of a message.
  package var isControl: Bool { rawValue & 0x8 != 0 }
}

/// One frame as it is sent, by the rules or against them.
package struct WebSocketFrame: Sendable, Equatable {
  package var opcode: WebSocketOpcode
  package var payload: [UInt8]
  /// False for a part of a message that continues in another frame.
  package var isFinal: Bool
  /// The three bits of extensions, with RSV1 as the highest; they must be zero without an
  /// extension.
  package var reservedBits: UInt8

  package init(
    _ opcode: WebSocketOpcode, _ payload: [UInt8] = [], isFinal: Bool = true,
    reservedBits: UInt8 = 0
  ) {
    self.opcode = opcode
    self.payload = payload
    self.isFinal = isFinal
    self.reservedBits = reservedBits
  }

  /// Returns a close frame; without a code it is empty.
  package static func close(code: Int?, reason: String = "") -> WebSocketFrame {
    guard let code else { return WebSocketFrame(.close) }
    let high = UInt8(truncatingIfNeeded: code >> 8)
    return WebSocketFrame(.close, [high, UInt8(truncatingIfNeeded: code)] + Array(reason.utf8))
  }

  /// Returns the bytes of the frame, masked if there is a key.
  package func encoded(maskKey: UInt32? = nil) -> [UInt8] {
    let flags = (isFinal ? 0x80 : 0) | (reservedBits & 0x7) << 4
    return payload.withUnsafeBytes { payload in
      encode(payload, firstByte: flags | opcode.rawValue & 0xF, maskKey: maskKey)
    }
  }
}

extension WebSocketPayload {
  /// Returns the bytes of the message in one frame; a text is not copied before.
  func encoded(maskKey: UInt32?) -> [UInt8] {
    switch self {
    case .text(var text):
      text.withUTF8 { text in
        encode(UnsafeRawBufferPointer(text), firstByte: 0x81, maskKey: maskKey)
      }
    case .binary(let bytes):
      bytes.withUnsafeBytes { encode($0, firstByte: 0x82, maskKey: maskKey) }
    }
  }
}

/// The bytes of the longest head: ten for the flags and the length, four for the key.
private let longestHeadBytes = 14

private func encode(
  _ payload: UnsafeRawBufferPointer, firstByte: UInt8, maskKey: UInt32?
) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: longestHeadBytes + payload.count) { buffer, count in
    let bytes = UnsafeMutableRawBufferPointer(buffer)
    bytes[0] = firstByte
    count = 1 + writeLength(payload.count, isMasked: maskKey != nil, to: bytes)
    if let maskKey {
      bytes.storeBytes(of: maskKey.bigEndian, toByteOffset: count, as: UInt32.self)
      count += 4
    }
    let body = UnsafeMutableRawBufferPointer(rebasing: bytes[count..<(count + payload.count)])
    if !payload.isEmpty { body.copyMemory(from: payload) }
    if let maskKey { mask(body, with: maskKey) }
    count += payload.count
  }
}

/// Writes the length after the first byte in as few bytes as possible; returns their number.
private func writeLength(
  _ length: Int, isMasked: Bool, to bytes: UnsafeMutableRawBufferPointer
) -> Int {
  let flag: UInt8 = isMasked ? 0x80 : 0
  switch length {
  case ...125:
    bytes[1] = flag | UInt8(length)
    return 1
  case ...0xFFFF:
    bytes[1] = flag | 126
    bytes.storeBytes(of: UInt16(length).bigEndian, toByteOffset: 2, as: UInt16.self)
    return 3
  default:
    bytes[1] = flag | 127
    bytes.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
    return 9
  }
}

/// Masks eight bytes at a time: the key has four bytes, so two of it fit.
private func mask(_ bytes: UnsafeMutableRawBufferPointer, with key: UInt32) {
  let wide = (UInt64(key) << 32 | UInt64(key)).bigEndian
  var offset = 0
  while offset + 8 <= bytes.count {
    let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    bytes.storeBytes(of: word ^ wide, toByteOffset: offset, as: UInt64.self)
    offset += 8
  }
  while offset < bytes.count {
    bytes[offset] ^= UInt8(truncatingIfNeeded: key >> UInt32(24 - offset % 4 * 8))
    offset += 1
  }
}
