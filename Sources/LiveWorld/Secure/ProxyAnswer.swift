/// The head of a proxy's answer to CONNECT, read as it arrives.
struct ProxyAnswer {
  enum Reading: Equatable {
    case incomplete
    /// The proxy is connected; the bytes after the head come from the other side.
    case opened(rest: [UInt8])
    /// The proxy refuses, with these words.
    case refused(String)
  }

  /// The longest head that is accepted.
  static let largestHead = 64 << 10
  private static let endOfHead: [UInt8] = [13, 10, 13, 10]

  private var head: [UInt8] = []

  mutating func receive(_ bytes: [UInt8]) -> Reading {
    // The end may have begun in the bytes before.
    let start = max(0, head.count - 3)
    head += bytes
    guard let end = end(from: start) else {
      return head.count > ProxyAnswer.largestHead ? .refused("its answer has no end") : .incomplete
    }
    let line = String(decoding: head.prefix { $0 != 13 && $0 != 10 }, as: UTF8.self)
    return isSuccess(line) ? .opened(rest: Array(head[end...])) : .refused(line)
  }

  private func end(from start: Int) -> Int? {
    guard head.count >= start + 4 else { return nil }
    return (start + 4...head.count).first {
      head[$0 - 4..<$0].elementsEqual(ProxyAnswer.endOfHead)
    }
  }

  private func isSuccess(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 2)
    return words.count >= 2 && words[0].hasPrefix("HTTP/1.") && words[1].count == 3
      && words[1].hasPrefix("2")
  }
}
