/// Scenarios in which a mock sends bytes that are nearly those of its protocol. The same seed gives
/// the same bytes.
struct HostileBytes {
  enum Kind: String, CaseIterable {
    case sse, ndjson, websocket
  }

  private let kind: Kind
  private var mutation: ScenarioMutation

  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    mutation = ScenarioMutation(seed: seed &* 3 &+ UInt64(kind.rawValue.utf8.count))
  }

  /// Returns a scenario whose client connects, receives damaged bytes in pieces, and nothing more.
  mutating func scenario() -> String {
    let pieces = pieces().map { "{ hex: \"\(hexadecimal($0))\" }" }
    return """
      scenario: Hostile bytes
      endpoints:
        feed:
          \(kind.rawValue):
            - accept: {}
              script: [{ bytes: [\(pieces.joined(separator: ", "))] }, { wait: 1s }, drop]
      connections: { it: { \(kind.rawValue): { endpoint: feed, path: / }, idle: 10s } }
      steps:
        - ignore: [feed, it, it.state]
        - connect: it
        - wait: 1m
        - check: has(it.state.disconnected)
      """
  }

  private mutating func pieces() -> [[UInt8]] {
    var bytes: [UInt8] = []
    for _ in 0...mutation.random(4) { bytes += whole() }
    for _ in 0...mutation.random(4) { damage(&bytes) }
    var pieces: [[UInt8]] = []
    while !bytes.isEmpty {
      let size = min(bytes.count, 1 + mutation.random(mutation.random(2) == 0 ? 4 : 400))
      pieces.append(Array(bytes.prefix(size)))
      bytes.removeFirst(size)
    }
    return pieces.isEmpty ? [[0]] : pieces
  }

  /// Returns a valid message.
  private mutating func whole() -> [UInt8] {
    let messages =
      switch kind {
      case .sse: HostileBytes.events
      case .ndjson: HostileBytes.lines
      case .websocket: HostileBytes.frames
      }
    return messages[mutation.random(messages.count)]
  }

  private static let events = [
    "data: one\n\n", "id: 7\nevent: price\ndata: {\"price\":41}\n\n", ": comment\n\n",
    "retry: 99999999999999999999\n\n", "\u{FEFF}data: bom\r\n\r\n", "data\rdata\r\r", "id: \0\n\n",
    "data: ünïcödé\n\n", "data: [[[[[[[[[[[[[[\n\n",
  ].map { Array($0.utf8) }

  private static let lines = [
    "{\"a\":1}\n", "[1,2,3]\r\n", "\n", "\"text\"\n", "null\n", "1e400\n",
    "{\"a\":{\"a\":{\"a\":[]}}}\n",
    "\"\\ud800\"\n", "18446744073709551616\n",
  ].map { Array($0.utf8) }

  private static let frames: [[UInt8]] = [
    [0x81, 2, 0x68, 0x69], [0x82, 1, 0xFF], [0x89, 0], [0x8A, 3, 1, 2, 3], [0x88, 2, 3, 0xE8],
    [0x88, 0], [0x01, 1, 0x61], [0x80, 1, 0x62], [0x81, 126, 0, 3, 0x61, 0x62, 0x63],
    [0x81, 127, 0, 0, 0, 0, 0, 0, 0, 1, 0x61],
    [0x81, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255],
    [0xC1, 1, 0x61], [0x83, 0], [0x81, 0x81, 1, 2, 3, 4, 0x61], [0x81, 2, 0xC3, 0x28],
  ]

  private mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let at = mutation.random(bytes.count)
    let end = min(bytes.count, at + mutation.random(12))
    switch mutation.random(6) {
    case 0: bytes.removeSubrange(at..<end)
    case 1: bytes.insert(contentsOf: bytes[at..<end], at: mutation.random(bytes.count))
    case 2: bytes[at] ^= 1 << UInt8(mutation.random(8))
    case 3: bytes[at] = UInt8(mutation.random(256))
    case 4: bytes.removeSubrange(at...)
    default:
      let byte = UInt8(mutation.random(256))
      bytes.insert(contentsOf: repeatElement(byte, count: mutation.random(300)), at: at)
    }
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
