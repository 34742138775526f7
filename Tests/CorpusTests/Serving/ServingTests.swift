import Diagnostics
import Events
import Glibc
import ScenarioEngine
import ScenarioRuns
import Synchronization
import Testing
import Values
import Verdicts

@testable import LiveWorld

/// Endpoints that are served to a client that uses none of our code.
@Suite(.serialized) struct ServingTests {
  private static let shop = """
    scenario: A shop
    timeout: 10s
    endpoints:
      api:
        http:
          - get: /tasks
            respond: { json: [1] }
          - get: /late
            respond: { status: 202, after: 200ms }
          - get: /stalled
            respond: stall
      live:
        websocket:
          - accept: { path: /room }
            script: [{ receive: hello }, { send: welcome }, { wait: forever }]
      feed:
        sse: [{ accept: { path: /news }, script: [{ event: one }, { wait: forever }] }]
    """

  @Test func `a request that is expected ends the steps well`() throws {
    let served = try Served(shop(["- expect: { api: { get: /tasks } }"])) { ports in
      [PlainClient(port: ports["api"] ?? 0)?.get("/tasks") ?? ""]
    }
    #expect(served.verdict?.outcome == .passed)
    #expect(served.answers.first?.hasSuffix("\r\n\r\n[1]") == true)
  }

  @Test func `an answer that takes its time is given after the last step as well`() throws {
    let served = try Served(shop(["- expect: { api: { get: /late } }"])) { ports in
      [PlainClient(port: ports["api"] ?? 0)?.get("/late") ?? ""]
    }
    #expect(served.verdict?.outcome == .passed)
    #expect(served.answers.first?.hasPrefix("HTTP/1.1 202 ") == true)
  }

  @Test func `a served scenario sees the machine's time`() throws {
    let text = """
      scenario: A clock
      timeout: 10s
      endpoints:
        api: { http: [{ get: /, respond: { text: "${string(now())}" } }] }
      steps: [{ expect: { api: { get: / } } }]
      """
    let served = try Served(text) { ports in
      [PlainClient(port: ports["api"] ?? 0)?.get("/") ?? ""]
    }
    let year = served.answers.first?.split(separator: "\r\n").last.flatMap { Int($0.prefix(4)) }
    #expect((year ?? 0) >= 2026)
  }

  @Test func `a client's request without an answer is reported at the end`() throws {
    let served = try Served(shop(["- expect: { api: { get: /stalled } }"])) { ports in
      [PlainClient(port: ports["api"] ?? 0)?.get("/stalled") ?? ""]
    }
    #expect(served.verdict?.outcome == .passed)
    #expect(served.verdict?.pendingAtEnd.first.map(\.name) == ["GET /stalled"])
    #expect(served.verdict?.pendingAtEnd.first.map(\.state) == ["unanswered"])
  }

  @Test func `a client that never comes is waited for as long as was said`() throws {
    let served = try Served(shop(["- expect: { api: { get: /tasks } }"]), timeout: 300_000)
    #expect(served.verdict?.failures.map(\.id) == ["not-in-time"])
    #expect((served.verdict?.duration ?? 0) >= 300_000)
  }

  @Test func `nothing was written for it, and serving goes on`() throws {
    let served = try Served(shop([])) { ports in
      ["/wrong", "/tasks"].map { PlainClient(port: ports["api"] ?? 0)?.get($0) ?? "" }
    }
    #expect(served.answers.map { String($0.prefix(12)) } == ["HTTP/1.1 404", "HTTP/1.1 200"])
    #expect(served.verdict?.failures.map(\.id) == ["unmatched-request"])
    #expect(served.told == ["unmatched-request"])
  }

  @Test func `a message that no client sent is missed in the end`() throws {
    let served = try Served(shop([])) { ports in
      let client = PlainClient(port: ports["live"] ?? 0)
      client?.send(PlainClient.webSocketOpening)
      return [client?.read(until: "\r\n\r\n") ?? ""]
    }
    #expect(served.answers.first?.hasPrefix("HTTP/1.1 101 ") == true)
    #expect(served.verdict?.failures.map(\.id) == ["step-failed"])
  }

  @Test func `one client's silence does not count where another spoke`() throws {
    let served = try Served(shop([])) { ports in
      let silent = PlainClient(port: ports["live"] ?? 0)
      silent?.send(PlainClient.webSocketOpening)
      _ = silent?.read(until: "\r\n\r\n")
      silent?.vanish()
      let client = PlainClient(port: ports["live"] ?? 0)
      client?.send(PlainClient.webSocketOpening)
      _ = client?.read(until: "\r\n\r\n")
      client?.send(bytes: PlainClient.message("hello"))
      return [client?.read(until: "welcome") ?? ""]
    }
    #expect(served.answers.first?.contains("welcome") == true)
    #expect(served.verdict?.outcome == .passed)
  }

  @Test func `another message than was expected ends the connection and fails`() throws {
    let served = try Served(shop([])) { ports in
      let client = PlainClient(port: ports["live"] ?? 0)
      client?.send(PlainClient.webSocketOpening)
      _ = client?.read(until: "\r\n\r\n")
      client?.send(bytes: PlainClient.message("good day"))
      return [client?.read(until: "not what was expected") ?? ""]
    }
    #expect(served.answers.first?.contains("not what was expected") == true)
    #expect(served.verdict?.failures.map(\.id) == ["other-message"])
  }

  @Test(arguments: [
    "\u{1}\u{2}nonsense\r\n\r\n", "GET /tas", "GET /tasks HTTP/1.1\r\nHost: here\r\n",
    "POST /tasks HTTP/1.1\r\nHost: here\r\nContent-Length: 99999999999\r\n\r\n",
  ])
  func `broken clients harm nobody`(bytes: String) throws {
    let served = try Served(shop([])) { ports in
      let broken = PlainClient(port: ports["api"] ?? 0)
      broken?.send(bytes)
      defer { broken?.vanish() }
      return [PlainClient(port: ports["api"] ?? 0)?.get("/tasks") ?? ""]
    }
    #expect(served.answers.first?.hasPrefix("HTTP/1.1 200 ") == true)
    #expect(served.verdict?.outcome == .passed)
  }

  @Test func `a head that does not come to its end is answered with 408`() throws {
    let served = try Served(shop([]), requestHeadTimeout: 30_000) { ports in
      let slow = PlainClient(port: ports["api"] ?? 0)
      slow?.send("GET /tasks HT")
      return [
        slow?.read(until: "\u{0}") ?? "", PlainClient(port: ports["api"] ?? 0)?.get("/tasks") ?? "",
      ]
    }
    #expect(served.answers.map { String($0.prefix(12)) } == ["HTTP/1.1 408", "HTTP/1.1 200"])
    #expect(served.answers.first?.contains("Connection: close\r\n") == true)
    #expect(
      served.deeds.first
        == "misunderstood(\"the head of the request did not arrive within 30ms\")")
    #expect(served.verdict?.outcome == .passed)
  }

  @Test func `each head has its own time, and a body has any`() throws {
    let served = try Served(shop([]), requestHeadTimeout: 500_000) { ports in
      let client = PlainClient(port: ports["api"] ?? 0)
      let request = "GET /tasks HTTP/1.1\r\nHost: here\r\n"
      var answers: [String] = []
      // Two halves of a head, each in time, while all of them together are not.
      client?.send(request)
      for _ in 0..<3 {
        usleep(200_000)
        client?.send("\r\n" + request)
        answers.append(client?.read(until: "[1]") ?? "")
      }
      client?.send("Content-Length: 3\r\n\r\n")
      usleep(600_000)
      client?.send("abc")
      answers.append(client?.read(until: "[1]") ?? "")
      return answers
    }
    #expect(
      served.answers.map { String($0.prefix(12)) } == Array(repeating: "HTTP/1.1 200", count: 4))
  }

  @Test func `actions of endpoints are reported as they happen`() throws {
    let served = try Served(shop([])) { ports in
      let client = PlainClient(port: ports["feed"] ?? 0)
      client?.send("GET /news HTTP/1.1\r\nHost: here\r\n\r\n")
      return [client?.read(until: "data: one") ?? ""]
    }
    let deeds = served.deeds.map { String($0.prefix { $0 != "(" }) }
    #expect(deeds.starts(with: ["streamed", "sentEvent"]))
  }

  @Test func `a port that is taken is reported before anything is served`() throws {
    let server = try #require(RealServer())
    defer { server.stop() }
    let served = try Served(shop([]), ports: ["api": server.port])
    #expect(served.refusal?.id == "port-not-available")
    #expect(served.refusal?.message.contains("somebody else listens there") == true)
  }

  @Test func `the same scenario passes with a client of ours`() throws {
    let file = Corpus.load("scenarios/serving/tasks.scenario.yaml")
    let plan = try #require(file.plans.first)
    #expect(runScenario(plan, inputs: RunInputs(seed: 1)).verdict.outcome == .passed)
  }

  private func shop(_ steps: [String]) -> String {
    let list = steps.map { "\n  " + $0 }.joined()
    return ServingTests.shop + (steps.isEmpty ? "" : "\nsteps:\(list)\n")
  }
}
