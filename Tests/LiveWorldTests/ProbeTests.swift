import Testing
import World

@testable import LiveWorld

/// A probe of whether a program can be reached.
@Suite struct ProbeTests {
  private let world: Loopback

  init() throws { world = try Loopback() }

  @Test func `of a port ends its connection without a reset`() throws {
    let found = try outcome(request: nil) { _ in }
    #expect("\(found)" == "connected")
    let server = try #require(world.accepted.first)
    #expect(world.run { server.isOver })
    #expect(server.lines == ["ended"])
  }

  @Test func `of a URL reads the answer to its end`() throws {
    let found = try outcome(request: Array("GET / HTTP/1.1\r\n\r\n".utf8)) { server in
      server.then = { [world, unowned server] event in
        guard case .received = event else { return }
        server.send("HTTP/1.1 200 OK\r\n\r\n")
        world.scheduler.schedule(after: 20_000, phase: .source) {
          server.send("the rest")
          server.transport.shutDownWriting()
        }
      }
    }
    #expect("\(found)".hasPrefix("answered"))
    let server = try #require(world.accepted.first)
    #expect(world.run { server.isOver })
    #expect(server.lines == ["ended"])
  }

  /// Probes a server of this machine.
  private func outcome(
    request: [UInt8]?, _ setUp: @escaping (Party) -> Void
  ) throws -> ProbeOutcome {
    try #require(world.listen(at: "server", nil, setUp))
    let port = try #require(world.network.port(of: "server"))
    let launcher = ProcessLauncher(on: world.loop)
    var outcome: ProbeOutcome?
    launcher.probe(port: port, request: request) { outcome = $0 }
    #expect(world.run { outcome != nil })
    return try #require(outcome)
  }
}
