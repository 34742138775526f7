import Glibc
import Licensing
import LiveWorld
import Testing

/// A server on this machine that answers one connection with given bytes.
private final class OneAnswerServer: Sendable {
  let port: UInt16
  private let listener: Int32

  init(_ answer: String?) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        _ = bind(listener, place, size)
        _ = listen(listener, 1)
        _ = getsockname(listener, place, &size)
      }
    }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    guard let answer else { return }
    let thread = startThread {
      let connection = accept(listener, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      _ = read(connection, &bytes, bytes.count)
      _ = write(connection, answer, answer.utf8.count)
      close(connection)
    }
    if let thread { pthread_detach(thread) }
  }

  deinit { close(listener) }
}

@MainActor
@Suite struct SocketTransportTests {
  private func response(
    _ url: String, timeout: Duration = .seconds(30)
  ) async -> Result<LicenseResponse, LicenseTransportError> {
    let transport = SocketLicenseTransport()
    let request = LicenseRequest(
      method: "POST", url: url, headers: [(name: "Accept", value: "application/json")],
      body: Array("{}".utf8), timeout: timeout)
    var token: Any?
    let result = await withCheckedContinuation { continuation in
      token = transport.send(request) { continuation.resume(returning: $0) }
    }
    withExtendedLifetime(token) {}
    return result
  }

  @Test func `a request over a socket has its answer`() async {
    let server = OneAnswerServer("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}")
    let result = await response("http://127.0.0.1:\(server.port)/api/activate")
    #expect(result == .success(LicenseResponse(status: 201, text: "{}")))
  }

  @Test func `an answer that is cut off, and a server that is missing, are failures`() async {
    let server = OneAnswerServer("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}")
    let results = [
      await response("http://127.0.0.1:\(server.port)/"), await response("http://127.0.0.1:1/"),
      await response("nowhere"),
    ]
    for result in results { #expect(throws: LicenseTransportError.self) { try result.get() } }
  }

  @Test func `a server that does not answer ends the request after its time`() async {
    let server = OneAnswerServer(nil)
    let result = await response(
      "http://127.0.0.1:\(server.port)/", timeout: .milliseconds(20))
    #expect(result == .failure(LicenseTransportError("the server did not answer in time")))
  }

  @Test func `a transport of an async function passes its answer and its error`() async {
    struct Refusal: Error {}
    for fails in [false, true] {
      let transport = AsyncLicenseTransport { _ in
        if fails { throw Refusal() }
        return LicenseResponse(status: 200)
      }
      let request = LicenseRequest(method: "GET", url: "https://licenses.example/")
      var token: Any?
      let result = await withCheckedContinuation { continuation in
        token = transport.send(request) { continuation.resume(returning: $0) }
      }
      withExtendedLifetime(token) {}
      #expect((try? result.get()) == (fails ? nil : LicenseResponse(status: 200)))
    }
  }
}
