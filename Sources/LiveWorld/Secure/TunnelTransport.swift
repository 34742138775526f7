import World

/// What a proxy is asked, so that it leads somewhere and then stays out of it.
package struct TunnelRequest: Sendable, Equatable {
  /// `host:port`.
  package var target: String
  /// `name:password` for the proxy.
  package var credentials: String?

  package init(to target: String, credentials: String? = nil) {
    self.target = target
    self.credentials = credentials
  }

  /// What stands in the header `Proxy-Authorization`.
  package var authorization: String? {
    credentials.map { "Basic " + base64(Array($0.utf8)) }
  }

  fileprivate var bytes: [UInt8] {
    var text = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n"
    if let authorization { text += "Proxy-Authorization: \(authorization)\r\n" }
    return Array((text + "\r\n").utf8)
  }
}

/// A connection through a proxy: connected when the proxy is connected to the other side.
final class TunnelTransport: Transport {
  var connection: Int { inner.connection }

  var onEvent: ((TransportEvent) -> Void)? {
    get { isOpen ? inner.onEvent : waiting }
    set { if isOpen { inner.onEvent = newValue } else { waiting = newValue } }
  }

  var isReceiving: Bool {
    get { isOpen ? inner.isReceiving : receivesLater }
    set { if isOpen { inner.isReceiving = newValue } else { receivesLater = newValue } }
  }

  private let inner: any Transport
  private let request: TunnelRequest
  private var isOpen = false
  private var waiting: ((TransportEvent) -> Void)?
  private var receivesLater = true
  private var early: [[UInt8]] = []
  private var isShutEarly = false
  private var head: [UInt8] = []

  /// More than this is no answer of a proxy.
  private static let largestHead = 64 << 10

  init(_ inner: any Transport, _ request: TunnelRequest) {
    self.inner = inner
    self.request = request
    inner.onEvent = { [weak self] event in self?.take(event) }
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    if isOpen { return inner.send(bytes) }
    early.append(bytes)
    return true
  }

  func shutDownWriting() {
    if isOpen { inner.shutDownWriting() } else { isShutEarly = true }
  }

  func abort() {
    waiting = nil
    inner.abort()
  }

  func close() {
    waiting = nil
    if isOpen { inner.close() } else { inner.abort() }
  }

  private func take(_ event: TransportEvent) {
    switch event {
    case .connected: inner.send(request.bytes)
    case .received(let bytes):
      head += bytes
      readHead()
    case .ended: refuse("it left without an answer")
    case .failed: fail(event)
    case .writable: break
    }
  }

  private func readHead() {
    guard let end = endOfHead() else {
      if head.count > TunnelTransport.largestHead { refuse("its answer is no end") }
      return
    }
    let line = String(decoding: head.prefix { $0 != 13 && $0 != 10 }, as: UTF8.self)
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].count == 3,
      words[1].hasPrefix("2")
    else { return refuse(line) }
    open(with: Array(head[end...]))
  }

  private func endOfHead() -> Int? {
    guard head.count >= 4 else { return nil }
    return (4...head.count).first { head[($0 - 4)..<$0].elementsEqual([13, 10, 13, 10]) }
  }

  /// From here on the proxy is not there any more.
  private func open(with rest: [UInt8]) {
    isOpen = true
    head = []
    inner.onEvent = waiting
    inner.isReceiving = receivesLater
    for bytes in early { inner.send(bytes) }
    early = []
    if isShutEarly { inner.shutDownWriting() }
    let told = waiting
    waiting = nil
    told?(.connected)
    if !rest.isEmpty { told?(.received(rest)) }
  }

  private func refuse(_ answer: String) {
    inner.abort()
    fail(.failed(.proxyRefused(answer)))
  }

  private func fail(_ event: TransportEvent) {
    let told = waiting
    waiting = nil
    told?(event)
  }
}

private func base64(_ bytes: [UInt8]) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for place in 0..<4 {
      let letter = letters[bits >> (18 - 6 * place) & 63]
      text.append(place <= group.count ? letter : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}
