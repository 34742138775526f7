import Protocols
import TestKit
import Testing
import Values

/// What a scenario, or a `rehearse.yaml` above it, says of the parts of traces: each of the four
/// lists, in each of the two places.
@Suite struct PartsOfTracesTests {
  /// Where the lists stand.
  enum Place: CaseIterable { case scenario, configuration }

  private static let key = "Zk7x93abQw21Lm45"
  private static let path = "traces/a.parts.trace.jsonl"

  private func rehearse(_ words: [String]) throws -> (code: Int32?, said: String) {
    let command = try #require(SpawnedCommand(words))
    return (command.exitCode(), command.said)
  }

  /// Writes a scenario with its lists, which may be empty.
  private func write(
    _ folder: TemporaryFolder, _ lists: String, in place: Place, port: UInt16, _ steps: String
  ) throws {
    let traces = lists.isEmpty ? "" : "traces: { \(lists) }\n"
    let scenario = """
      scenario: Parts
      \(place == .scenario ? traces : "")\
      endpoints: { api: { url: "http://127.0.0.1:\(port)" } }
      steps:
      \(steps)

      """
    let isWritten =
      folder.write("a.scenario.yaml", scenario)
      && folder.write("rehearse.yaml", place == .configuration ? traces : "")
    try #require(isWritten)
  }

  /// Records the steps against a server that answers as the request says.
  private func recorded(
    _ folder: TemporaryFolder, _ lists: String, in place: Place, _ steps: String
  ) throws -> (port: UInt16, trace: String) {
    let server = try #require(
      RealServer { request in
        let id = request.http.body.contains(UInt8(ascii: "2")) ? 2 : 1
        let body =
          #"{"id":\#(id),"page":{"key":"\#(Self.key)"},"user":{"email":"ann@shop.example"}}"#
        let headers: HTTPHeaders = ["Content-Type": "application/json", "X-Trip": "trip-7"]
        return .response(HTTPResponse(status: 200, headers: headers, body: Array(body.utf8)))
      })
    defer { server.stop() }
    try write(folder, lists, in: place, port: server.port, steps)
    let (code, said) = try rehearse(
      ["run", folder.file("a.scenario.yaml"), "--against", "real", "--record"])
    try #require(code == 0, "\(said)")
    return (server.port, try #require(folder.text(Self.path)))
  }

  private static let get = "  - request: { endpoint: api, get: /a, expect: { status: 200 } }"

  @Test(arguments: Place.allCases)
  func `what is to be kept is recorded as it is`(place: Place) throws {
    let plain = try recorded(try TemporaryFolder(), "", in: place, Self.get).trace
    #expect(!plain.contains("x-trip") && !plain.contains(Self.key), "\(plain)")
    let folder = try TemporaryFolder()
    let kept = try recorded(folder, "keep: [X-Trip, body.page.key]", in: place, Self.get).trace
    #expect(kept.contains("\"x-trip\":\"trip-7\"") && kept.contains(Self.key), "\(kept)")
  }

  @Test(arguments: Place.allCases)
  func `what is to be hidden has a name alone, and is replayed`(place: Place) throws {
    let plain = try recorded(try TemporaryFolder(), "", in: place, Self.get).trace
    #expect(plain.contains("ann@shop.example"))
    let folder = try TemporaryFolder()
    let hidden = try recorded(folder, "hide: [body.user.email]", in: place, Self.get).trace
    #expect(!hidden.contains("ann@shop.example") && hidden.contains("‹email#1›"), "\(hidden)")
    let (code, said) = try rehearse(["replay", folder.file(Self.path)])
    #expect(code == 0, "\(said)")
  }

  private static func post(_ sent: String) -> String {
    "  - request: { endpoint: api, post: /a, headers: { X-Sent: \(sent) }, "
      + "json: { id: 1, at: \(sent) }, expect: { status: 200 } }"
  }

  @Test(arguments: Place.allCases, [true, false])
  func `what is to be ignored is not compared, and all else is`(place: Place, ignores: Bool) throws
  {
    let folder = try TemporaryFolder()
    let lists = ignores ? "ignore: [X-Sent, body.at]" : ""
    let port = try recorded(folder, lists, in: place, Self.post("one")).port
    try write(folder, lists, in: place, port: port, Self.post("two"))
    let (code, said) = try rehearse(["replay", folder.file(Self.path)])
    #expect(code == (ignores ? 0 : 1), "\(said)")
    try write(
      folder, lists, in: place, port: port, Self.post("two").replacing("id: 1", with: "id: 3"))
    let other = try rehearse(["replay", folder.file(Self.path)])
    #expect(other.code == 1 && other.said.contains("body"), "\(other.said)")
  }

  private static func call(_ id: Int, at time: String) -> String {
    "  - request: { endpoint: api, post: /a, json: { id: \(id), at: \(time) }, "
      + "expect: { json: { id: \(id) } } }"
  }

  @Test(arguments: Place.allCases, [true, false])
  func `what is to be matched chooses the recorded answer`(place: Place, matches: Bool) throws {
    let folder = try TemporaryFolder()
    let lists = matches ? "match: [method, path, body.id]" : ""
    let calls = [Self.call(1, at: "noon"), Self.call(2, at: "noon")].joined(separator: "\n")
    let port = try recorded(folder, lists, in: place, calls).port
    let others = [Self.call(2, at: "dusk"), Self.call(1, at: "dusk")].joined(separator: "\n")
    try write(folder, lists, in: place, port: port, others)
    let (code, said) = try rehearse(
      ["run", folder.file("a.scenario.yaml"), "--against", "trace:" + folder.file(Self.path)])
    #expect(code == (matches ? 0 : 1), "\(said)")
  }
}
