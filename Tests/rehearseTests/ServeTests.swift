import Diagnostics
import Testing
import Values
import Verdicts

@testable import ScenarioRuns
@testable import rehearse

@Suite struct ServeTests {
  private static let plain = ServeArguments(
    scenarios: ScenarioChoice(
      selectors: [Selector(text: "a.yaml", selection: .path("a.yaml"))], tags: TagFilter()))

  private static func serve(_ change: (inout ServeArguments) -> Void) -> Command {
    var arguments = plain
    change(&arguments)
    return .serve(arguments)
  }

  @Test(arguments: [
    ("serve a.yaml", serve { _ in }),
    ("serve a.yaml --port 8080", serve { $0.ports = [.init(endpoint: nil, port: 8080)] }),
    (
      "serve a.yaml --port a=1 --port=b=65535",
      serve { $0.ports = [.init(endpoint: "a", port: 1), .init(endpoint: "b", port: 65535)] }
    ),
    (
      "serve a.yaml --port A=B::c=80",
      serve { $0.ports = [.init(endpoint: "A=B::c", port: 80)] }
    ),
    (
      "serve a.yaml b.yaml",
      serve {
        $0.scenarios.selectors.append(Selector(text: "b.yaml", selection: .path("b.yaml")))
      }
    ),
    ("serve a.yaml --forever -q", serve { ($0.isEndless, $0.isQuiet) = (true, true) }),
    ("serve a.yaml --host ::1", serve { $0.host = "::1" }),
    ("serve a.yaml --cors", serve { $0.allowsOtherOrigins = true }),
    ("serve a.yaml --timeout 1m30s", serve { $0.timeout = 90_000_000 }),
    (
      "serve a.yaml --log - --record",
      serve { ($0.log, $0.record) = (.output(json: false), .init()) }
    ),
    ("serve a.yaml --ports-file p --log l", serve { ($0.portsFile, $0.log) = ("p", .file("l")) }),
    (
      "serve a.yaml --tls --cert-out c",
      serve { ($0.isSecure, $0.certificateFile) = (true, "c") }
    ),
  ])
  func `a command line says what is served how`(line: String, command: Command) throws {
    #expect(try parseArguments(words(line)).get() == command)
  }

  @Test(arguments: [
    ("serve", "missing-argument"),
    ("serve a --port 0", "bad-option-value"), ("serve a --port 65536", "bad-option-value"),
    ("serve a --port =80", "bad-option-value"), ("serve a --port a=+80", "bad-option-value"),
    ("serve a --timeout 30", "bad-option-value"), ("serve a --timeout 0s", "bad-option-value"),
    ("serve a --cert-out c", "bad-option-value"),
    ("serve a --forever --timeout 1s", "options-contradict"),
    ("serve a --tag b", "unknown-option"),
  ])
  func `a command line that makes no sense is refused`(line: String, id: String) {
    #expect(parseArguments(words(line)).problem?.diagnostic.id.rawValue == id)
  }

  @Test(arguments: [
    ([PortSetting(endpoint: nil, port: 80)], ["api"], ["api": UInt16(80)]),
    ([PortSetting(endpoint: "b", port: 80)], ["a", "b"], ["b": 80]),
    ([], ["a", "b"], [:]),
    ([PortSetting(endpoint: nil, port: 80)], ["a", "b"], nil),
    ([PortSetting(endpoint: "c", port: 80)], ["a", "b"], nil),
    ([PortSetting(endpoint: "a", port: 80), PortSetting(endpoint: "a", port: 81)], ["a"], nil),
  ])
  func `a port is for one endpoint`(
    settings: [PortSetting], endpoints: [String], ports: [String: UInt16]?
  ) {
    let named = try? portsByName(settings, endpoints).get()
    #expect(named == ports)
  }

  private static let places = [
    ServedPlace(name: "api", port: 80, isSecure: false, speaksWebSocket: false),
    ServedPlace(name: "live", port: 81, isSecure: true, speaksWebSocket: true),
  ]

  @Test func `each endpoint is a line with its addresses`() {
    #expect(
      text(of: ServeTests.places, certificateFile: "c.pem") == """
        api   http://127.0.0.1:80
        live  https://127.0.0.1:81  wss://127.0.0.1:81
        certificate  c.pem

        """)
  }

  @Test func `an address of IPv6 stands in brackets`() {
    var place = ServeTests.places[1]
    place.host = "::1"
    #expect(place.url == "https://[::1]:81" && place.webSocketURL == "wss://[::1]:81")
  }

  @Test func `the file of ports is a map by the names of the endpoints`() throws {
    let value = try parseJSON(Array(portsJSON(of: ServeTests.places).utf8)).get()
    #expect(value["api"] == ["url": "http://127.0.0.1:80", "port": 80])
    #expect(value["live"]?["webSocket"] == "wss://127.0.0.1:81")
  }

  @Test(arguments: [
    ("- network: { faults: { reset: 1 } }", "network-of-others"), ("- wait: 1ms", nil),
    ("- suspend: 1ms", "network-of-others"),
    ("- parallel: [[{ network: offline }], [{ wait: 1ms }]]", "network-of-others"),
  ])
  func `a network that others do not use is reported`(step: String, id: String?) throws {
    let text = "scenario: A\nendpoints: { api: { http: [{ get: /, respond: stall }] } }\nsteps:\n  "
    let file = loadScenarios(SourceFile(path: "a.yaml", text: text + step))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    #expect(Diagnostic.networkOfOthers(in: plan)?.id.rawValue == id)
  }

  @Test func `the last line is the verdict`() {
    let verdict = Verdict(.passed, assertionsReached: 1, assertionsMet: 1, duration: 1_500_000)
    #expect(servedVerdict(verdict, title: "A\u{1B}") == "passed  A␛  1 assertion met in 1.5s\n")
  }
}
