import Glibc
import TestKit
import Testing

/// What is computed from secrets in several expressions, one after the other.
@Suite struct CarriedSecretsTests {
  private static let shop = """
    scenario: A shop asks who it is
    vars:
      user: ann
      password: { value: "open-sesame-77", secret: true }
    graph:
      pair: { computed: "user + ':' + password" }
      code: { computed: base64.encode(bytes(pair)) }
      half: ""
      size: { computed: size(code) }
      greeting: { computed: "'hello ' + pair.split(':')[0]" }
    endpoints:
      shop:
        http:
          - post: /login
            respond: { json: { token: "tk-5512-Zx81" } }
          - get: /cart
            respond: { json: { items: 3 } }
    steps:
      - set: { half: "${code.substring(4)}" }
      - let: { twice: half.upperAscii() }
      - request:
          endpoint: shop
          post: /login
          headers: { X-Code: "${code}", X-Half: "${half.lowerAscii()}", X-Twice: "${twice + '!'}" }
          expect: { json: { token: { $as: token, $secret: true } } }
      - let: { reversed: token.reverse() }
      - request: { endpoint: shop, get: /cart, headers: { X-Back: "${reversed.upperAscii()}" } }
      - log: "${greeting} ${twice} ${size} ${reversed}"
      - check: size == 24

    """

  /// What leaves the program must not contain any of these: Base64 of `ann:open-sesame-77`, parts
  /// of it in other letters, and the token in other orders.
  private static let hidden = [
    "open-sesame-77", "YW5uOm9wZW4tc2VzYW1lLTc3", "Om9wZW4tc2VzYW1lLTc3", "om9wzw4tc2vzyw1lltc3",
    "OM9WZW4TC2VZYW1LLTC3", "tk-5512-Zx81", "18xZ-2155-kt", "18XZ-2155-KT",
  ]

  @Test func `what is computed from a secret by way of nodes is shown nowhere`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("shop.scenario.yaml", Self.shop))
    let command = try #require(
      SpawnedCommand([
        "run", folder.file("shop.scenario.yaml"), "--record", "--verbose", "--format", "human",
        "--format", "json=" + folder.file("report.json"),
      ]))
    #expect(command.exitCode() == 0, "\(command.said)")
    let trace = try #require(folder.text("traces/shop.a-shop-asks-who-it-is.trace.jsonl"))
    let report = try #require(folder.text("report.json"))
    for part in [command.said, trace, report] {
      for secret in Self.hidden { #expect(!part.contains(secret), "\(secret) is in \(part)") }
    }
    #expect(trace.contains("‹computed#"), "\(trace)")
    #expect(trace.contains("hello ann"), "\(trace)")
  }

  @Test func `a captured secret has the name of its capture in a trace`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("shop.scenario.yaml", Self.shop))
    let command = try #require(
      SpawnedCommand(["run", folder.file("shop.scenario.yaml"), "--record"]))
    #expect(command.exitCode() == 0, "\(command.said)")
    let path = "traces/shop.a-shop-asks-who-it-is.trace.jsonl"
    let trace = try #require(folder.text(path))
    #expect(trace.contains("{\"token\":\"‹token›\"}"), "\(trace)")
    // A trace of an older version has numbers in place of names.
    #expect(folder.write(path, trace.replacing("‹token›", with: "‹secret#9›")))
    let replay = try #require(SpawnedCommand(["replay", folder.file(path)]))
    #expect(replay.exitCode() == 0, "\(replay.said)")
  }
}
