import Glibc
import TestKit
import Testing
import TextSearch

/// Values of a recording that a scenario may not have as they are: ids, secrets.
@Suite struct ImportedValuesTests {
  private static let shop = """
    scenario: A shop
    vars:
      key: { value: "key-of-the-shop", secret: true }
      pw: { value: "pass-word-1", secret: true }
    endpoints:
      shop:
        http:
          - post: /orders
            respond: { status: 201, headers: { Location: "http://shop/v1/orders/o-7781?x=1" } }
          - { get: "/v1/orders/{id}", respond: { json: { ok: true } } }
          - post: /v1/orders/{id}/pay
            respond: { status: 201, headers: { Location: /receipts/last } }
          - { get: /receipts/last, respond: { json: { echo: "${request.query.key}" } } }
          - { post: /note, respond: { text: ok } }
    steps:
      - request:
          endpoint: shop
          post: /orders
          headers: { X-Api-Key: "${key}" }
          json: { a: "to ${key}!", k: "${key}" }
      - request:
          endpoint: shop
          get: /v1/orders/o-7781
          auth: { basic: { user: "a'b", password: "${pw}" } }
      - request: { endpoint: shop, post: /v1/orders/o-7781/pay, form: { key: "${key}" } }
      - request: { endpoint: shop, get: /receipts/last, query: { key: "${key}" } }
      - request: { endpoint: shop, post: /note, text: "$${key};b" }

    """

  @Test func `an id in a Location is captured, and a secret is a variable wherever it is sent`()
    throws
  {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.scenario.yaml", Self.shop)
    try #require(isWritten)
    let run = ["run", folder.file("a.scenario.yaml"), "--record=" + folder.file("traces")]
    let recorded = try #require(SpawnedCommand(run))
    try #require(recorded.exitCode() == 0, "\(recorded.said)")
    let path = folder.file("b.scenario.yaml")
    let trace = folder.file("traces/a.a-shop.trace.jsonl")
    let imported = try #require(SpawnedCommand(["import", trace, "--write", path]))
    try #require(imported.exitCode() == 0, "\(imported.said)")
    let text = try #require(folder.text("b.scenario.yaml"))
    let parts = [
      "headers: { Location: { $as: location } }", "location.split('?')[0].split('/')[5]",
      "get: \"/v1/orders/${orderId}\"", "post: \"/v1/orders/${orderId}/pay\"",
      "get: \"/receipts/${receiptId}\"", "a: \"to ${key}!\"", "k: \"${key}\"",
      "Basic ${base64.encode('a\\\\'b:' + pw)}", "form: { key: \"${key}\" }",
      "query: { key: \"${key}\" }", "echo: \"${key}\"",
    ]
    for part in parts { #expect(text.contains(part), "\(part) is not in\n\(text)") }
    for variables in [[], ["--var", "key=another-key", "--var", "pw=another-one"]] {
      let run = try #require(SpawnedCommand(["run", path] + variables))
      #expect(run.exitCode() == 0, "\(run.said)\n\(text)")
      #expect(!run.said.contains("warning"), "\(run.said)")
    }
  }

  /// Two recordings of three searches, in another order; then an order with an id of its own.
  private static func archive(_ words: [String], id: Int, _ times: [Int]) -> String {
    let searches = words.map { word in
      entry("POST", "/search", "{\\\"q\\\":\\\"\(word)\\\"}", "{\\\"found\\\":\\\"\(word)s\\\"}")
    }
    let order = entry("POST", "/orders", "{}", "{\\\"id\\\":\(id)}")
    let reads = times.map { entry("GET", "/orders/\(id)", "", "{\\\"at\\\":\($0)}") }
    return "{\"log\":{\"entries\":[" + (searches + [order] + reads).joined(separator: ",\n") + "]}}"
  }

  private static func entry(_ method: String, _ path: String, _ body: String, _ answer: String)
    -> String
  {
    let data = ",\"postData\":{\"mimeType\":\"application/json\",\"text\":\"\(body)\"}"
    let url = "http://shop.example" + path
    return """
      {"request":{"method":"\(method)","url":"\(url)"\(body.isEmpty ? "" : data)},
      "response":{"status":200,"content":{"mimeType":"application/json","text":"\(answer)"}}}
      """
  }

  @Test func `requests that came in another order are compared with their own counterparts`() throws
  {
    let folder = try TemporaryFolder()
    let isWritten =
      folder.write("a.har", Self.archive(["cat", "dog", "eel"], id: 41, [1, 2]))
      && folder.write("b.har", Self.archive(["eel", "cat", "dog"], id: 42, [3, 2]))
    try #require(isWritten)
    let imported = try #require(
      SpawnedCommand(["import", folder.file("a.har"), folder.file("b.har")]))
    #expect(imported.exitCode() == 0)
    for word in ["cats", "dogs", "eels"] {
      #expect(imported.said.contains("json: { found: \(word) } }"), "\(imported.said)")
    }
    #expect(imported.said.contains("json: { at: { $like: 1 } }"), "\(imported.said)")
    #expect(imported.said.contains("json: { at: 2 }"), "\(imported.said)")
  }
}
