import Testing

@testable import Protocols

struct `a frame on the wire` {
  @Test(
    arguments: [
      (WebSocketFrame(.text, bytes("Hello")), nil, [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]),
      (
        WebSocketFrame(.text, bytes("Hello")), 0x37FA_213D,
        [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
      ),
      (WebSocketFrame(.text, bytes("Hel"), isFinal: false), nil, [0x01, 0x03, 0x48, 0x65, 0x6C]),
      (WebSocketFrame(.continuation, bytes("lo")), nil, [0x80, 0x02, 0x6C, 0x6F]),
      (WebSocketFrame(.ping), nil, [0x89, 0x00]),
      (WebSocketFrame(.pong), 0x0102_0304, [0x8A, 0x80, 1, 2, 3, 4]),
      (.close(code: 1000, reason: "x"), nil, [0x88, 0x03, 0x03, 0xE8, 0x78]),
      (.close(code: nil), nil, [0x88, 0x00]),
      (WebSocketFrame(WebSocketOpcode(rawValue: 0x3), [9], reservedBits: 5), nil, [0xD3, 1, 9]),
    ] as [(WebSocketFrame, UInt32?, [UInt8])])
  func `stands as RFC 6455 shows it, or as a script wants it`(
    frame: WebSocketFrame, key: UInt32?, expected: [UInt8]
  ) {
    #expect(frame.encoded(maskKey: key) == expected)
  }

  @Test(
    arguments: [
      (0, [0x82, 0]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]),
      (0xFFFF, [0x82, 126, 0xFF, 0xFF]), (0x1_0000, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] as [(Int, [UInt8])])
  func `states its length in as few bytes as possible`(length: Int, head: [UInt8]) {
    let encoded = WebSocketFrame(.binary, zeros(length)).encoded()
    #expect(encoded.starts(with: head))
    #expect(encoded.count == head.count + length)
  }

  @Test(arguments: 0...33)
  func `is masked byte by byte with the key, whatever its length`(length: Int) {
    let key: [UInt8] = [0xA1, 0x02, 0xF3, 0x44]
    let payload = (0..<length).map { UInt8($0 * 7) }
    let encoded = WebSocketFrame(.binary, payload).encoded(maskKey: 0xA102_F344)
    #expect(Array(encoded[2..<6]) == key)
    #expect(Array(encoded[6...]) == payload.indices.map { payload[$0] ^ key[$0 % 4] })
  }

  @Test func `a message is one frame`() {
    #expect(
      WebSocketPayload.text("é").encoded(maskKey: nil)
        == WebSocketFrame(.text, bytes("é")).encoded())
    #expect(
      WebSocketPayload.binary([1, 2]).encoded(maskKey: 7)
        == WebSocketFrame(.binary, [1, 2]).encoded(maskKey: 7))
  }
}

func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
