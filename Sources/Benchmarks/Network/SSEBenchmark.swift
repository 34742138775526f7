import Glibc
import Protocols

/// Measures reading and writing of event streams, in megabytes per second of processor time.
///
/// The bytes arrive in pieces of 16 KiB, and an event is 50 bytes long. `decode` has a target of
/// 500 MB/s.
func sseBenchmark() {
  measureDecoding("decode") { "data: " + padded(#"{"price":\#($0 % 1000)"#, to: 42) + "\n\n" }
  measureDecoding("decode-crlf") {
    "data: " + padded(#"{"price":\#($0 % 1000)"#, to: 40) + "\r\n\r\n"
  }
  measureDecoding("decode-all-fields") {
    padded("id: \(100_000 + $0)\nevent: tick\ndata: ", to: 48) + "\n\n"
  }
  measureEncoding()
}

private let pieceBytes = 16 << 10
private let events = 40_000

private func measureDecoding(_ figure: String, _ event: (Int) -> String) {
  let bytes = (0..<events).flatMap { Array(event($0).utf8) }
  precondition(bytes.count == events * 50)
  let pieces = stride(from: 0, to: bytes.count, by: pieceBytes).map {
    Array(bytes[$0..<min($0 + pieceBytes, bytes.count)])
  }
  report(figure, bytes: bytes.count) {
    var decoder = SSEDecoder()
    return pieces.reduce(0) { $0 + decoder.receive($1).count }
  }
}

private func measureEncoding() {
  let messages = (0..<events).map {
    SSEMessage(data: padded(#"{"price":\#($0 % 1000)"#, to: 42))
  }
  report("encode", bytes: events * 50) {
    messages.reduce(0) { count, message in
      guard case .success(let bytes) = message.encoded() else { return count }
      return count + bytes.count / 50
    }
  }
}

private func padded(_ text: String, to count: Int) -> String {
  text + String(repeating: "x", count: count - text.utf8.count)
}

/// Prints the best of many runs: other work of the machine can only add time.
private func report(_ figure: String, bytes: Int, _ work: () -> Int) {
  var best = Double.infinity
  for _ in 0..<100 {
    let start = processorSeconds()
    precondition(work() == events)
    best = min(best, processorSeconds() - start)
  }
  printFigure("sse", figure, (Double(bytes) / best / 1e6).rounded(), "MB/s")
}

private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
