import Glibc
import Protocols
import World

/// Measures messages sent, echoed and received in memory: framing, masking and parsing at both
/// ends.
func webSocketBenchmark() {
  for (size, count) in [(16, 500_000), (1024, 200_000), (65_536, 10_000)] {
    let message = WebSocketMessage.binary([UInt8](repeating: 0x61, count: size))
    let seconds = best { Echo().run(message, count) }
    figure("echo-\(size)-bytes", Double(count) / seconds, "1/s")
  }
  for (size, count) in [(1024, 100_000), (65_536, 2_000)] {
    let message = WebSocketMessage.text(String(repeating: "grüße ", count: size / 8))
    let seconds = best { Echo().run(message, count) }
    figure("echo-\(size)-bytes-text", Double(count) / seconds, "1/s")
  }
  figure("frames-read", framesRead(), "1/s")
  socketEchoBenchmark()
}

/// Measures small masked frames, as many as fit in one read of a socket.
private func framesRead() -> Double {
  let frame = WebSocketFrame(.text, Array("hello, world".utf8)).encoded(maskKey: 0x1234_5678)
  let perPiece = 65_536 / frame.count
  let piece = Array(repeatElement(frame, count: perPiece).joined())
  let pieces = 200
  let seconds = best {
    let server = WebSocketConnection(role: .server)
    var delivered = 0
    for _ in 0..<pieces { delivered += server.on(.bytesReceived(piece)).count }
    precondition(delivered == pieces * perPiece)
  }
  return Double(pieces * perPiece) / seconds
}

/// A client, and a server that echoes what it receives.
private final class Echo {
  private let client: WebSocketConnection
  private let server = WebSocketConnection(role: .server)
  private var received = 0

  init() {
    let keys = Keys()
    client = WebSocketConnection(role: .client) { keys.next() }
  }

  func run(_ message: WebSocketMessage, _ count: Int) {
    for _ in 0..<count {
      for case .send(let bytes) in client.on(.messageSent(message)) { serve(bytes) }
    }
    precondition(received == count)
  }

  private func serve(_ bytes: [UInt8]) {
    for case .deliver(let message) in server.on(.bytesReceived(bytes)) {
      for case .send(let bytes) in server.on(.messageSent(message)) {
        received += client.on(.bytesReceived(bytes)).count
      }
    }
  }

  private final class Keys {
    private var chance = SeededRandom(seed: 1)

    func next() -> UInt32 { UInt32(truncatingIfNeeded: chance.next()) }
  }
}

/// Returns the best of some runs: other work of the machine can only add time.
private func best(_ work: () -> Void) -> Double {
  var best = Double.infinity
  for _ in 0..<3 {
    let start = now()
    work()
    best = min(best, now() - start)
  }
  return best
}

private func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func figure(_ name: String, _ value: Double, _ unit: String) {
  print(#"{"benchmark":"websocket","figure":"\#(name)","value":\#(value),"unit":"\#(unit)"}"#)
}
