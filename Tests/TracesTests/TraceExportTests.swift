import Testing
import Traces
import Values

@Suite struct TraceExportTests {
  private static let header =
    "{\"trace\":1,\"by\":\"rehearse 0.1.0\",\"time\":\"virtual\","
    + "\"clock\":\"2000-01-01T00:00:00Z\"}"

  private static let run = trace(
    """
    {"n":1,"us":0,"kind":"step","value":{"verb":"send"}}
    {"n":2,"us":1500,"kind":"request","source":"api","cause":1,"value":{"method":"POST",\
    "path":"/a b","target":"/a%20b?x=1","query":{"x":"1"},"headers":{"host":"h",\
    "cookie":"k=v; l=w",\
    "content-type":"application/octet-stream"},"body":{"$bytes":"AAEC"}},"connection":3,\
    "from":"client"}
    {"n":3,"us":4000,"kind":"response","source":"api","cause":2,"value":{"status":302,\
    "headers":{"location":"/b","content-type":"application/json",\
    "set-cookie":["s=1; Path=/","t=2"]},\
    "body":{"b":1}},"connection":3,"from":"server"}
    {"n":4,"us":4000,"source":"page","cause":3,"value":"ready"}
    {"n":5,"us":4000,"kind":"finished","source":"page","value":null}
    """, header: header)

  @Test func `a trace of OpenTelemetry has a span for the run and one for each exchange`() throws {
    let resource = first(written(openTelemetryTrace(of: Self.run))["resourceSpans"])
    let spans = elements(first(resource?["scopeSpans"])?["spans"])
    try #require(spans.count == 2)
    #expect(spans.map { $0["name"] } == ["trace", "POST /a b"])
    #expect(spans.map { $0["kind"] } == [1, 3])
    #expect(spans.map { $0["status"] } == [["code": 0], ["code": 0]])
    #expect(spans[1]["parentSpanId"] == spans[0]["spanId"] && spans[0]["parentSpanId"] == nil)
    #expect(spans[1]["startTimeUnixNano"] == "946684800001500000")
    #expect(spans[1]["endTimeUnixNano"] == "946684800004000000")
    for span in spans {
      let ids = ["traceId", "spanId"].map { key in span[key]?.plainText ?? "" }
      #expect(ids.map { $0.count } == [32, 16])
      #expect(ids.allSatisfy { id in id.allSatisfy { $0.isHexDigit } })
    }
    let facts: [Value] = [
      ["key": "http.request.method", "value": ["stringValue": "POST"]],
      ["key": "url.path", "value": ["stringValue": "/a b"]],
      ["key": "server.address", "value": ["stringValue": "api"]],
      ["key": "http.response.status_code", "value": ["intValue": "302"]],
      ["key": "rehearse.event", "value": ["intValue": "2"]],
      ["key": "rehearse.cause", "value": ["intValue": "1"]],
    ]
    #expect(spans[1]["attributes"] == .list(facts))
    #expect(names(spans[0]) == ["step", "page emitted", "page finished"])
    #expect(names(spans[1]) == ["api response"])
  }

  @Test func `only equal runs have equal ids in a collector`() {
    let real = { (began: String, row: String) in
      trace(
        #"{"us":0,"kind":"verdict","value":"passed","hash":"00"}"#,
        header: """
          {"trace":1,"time":"real","began":"\(began)","scenario":{"title":"T","row":"\(row)"}}
          """)
    }
    let runs = [
      trace(#"{"us":0,"source":"a","value":1}"#), trace(#"{"us":0,"source":"a","value":2}"#),
      real("2026-11-26T08:00:00Z", "one"), real("2026-11-26T08:00:01Z", "one"),
      real("2026-11-26T08:00:00Z", "two"),
    ]
    #expect(Set(runs.map(identifier)).count == runs.count)
    #expect(runs.map(identifier) == runs.map(identifier))
  }

  @Test func `a trace of OpenTelemetry has no time before 1970`() {
    let old = trace(#"{"us":5}"#, header: #"{"trace":1,"clock":"1901-01-01T00:00:00Z"}"#)
    let scope = first(first(written(openTelemetryTrace(of: old))["resourceSpans"])?["scopeSpans"])
    #expect(first(scope?["spans"])?["startTimeUnixNano"] == "0")
    #expect(first(scope?["spans"])?["endTimeUnixNano"] == "5000")
  }

  @Test func `a trace without a date ends when its file was written, and keeps its ids`() {
    let run = trace("{\"us\":5}\n{\"us\":2000005}", header: #"{"trace":1}"#)
    let dated = trace(#"{"us":5}"#, header: #"{"trace":1,"clock":"2001-01-01T00:00:00Z"}"#)
    let end = Timestamp(seconds: 1_700_000_002, nanoseconds: 5_000)
    let span = { (run: TraceRun, end: Timestamp?) in
      let resource = first(written(openTelemetryTrace(of: run, endingAt: end))["resourceSpans"])
      return first(first(resource?["scopeSpans"])?["spans"])
    }
    #expect(span(run, end)?["startTimeUnixNano"] == "1700000000000000000")
    #expect(span(run, end)?["endTimeUnixNano"] == "1700000002000005000")
    #expect(span(run, end)?["traceId"] == span(run, nil)?["traceId"])
    #expect(span(dated, end)?["startTimeUnixNano"] == "978307200000000000")
    let early = Timestamp(seconds: 1)
    #expect(span(run, early)?["startTimeUnixNano"] == "0")
  }

  @Test func `what an archive has as text is text, whatever a trace has in its place`() {
    let lines = """
      {"kind":"request","source":"a","value":{"method":5,"headers":{"content-type":["x/y","z"]},\
      "body":"b"},"connection":1,"from":"client"}
      {"kind":"response","source":"a","value":{"status":302,"headers":{"location":["/b","/c"],\
      "content-type":["x/y","z"]}},"connection":1,"from":"server"}
      """
    let entry = first(written(httpArchive(of: trace(lines)))["log"]?["entries"])
    #expect(entry?["request"]?["method"] == "5")
    #expect(entry?["request"]?["postData"]?["mimeType"] == "x/y")
    #expect(entry?["response"]?["redirectURL"] == "/b")
    #expect(entry?["response"]?["content"]?["mimeType"] == "x/y")
  }

  private func identifier(_ run: TraceRun) -> String? {
    let scope = first(first(written(openTelemetryTrace(of: run))["resourceSpans"])?["scopeSpans"])
    return first(scope?["spans"])?["traceId"]?.plainText
  }

  private func names(_ span: Value) -> [String] {
    elements(span["events"]).compactMap { $0["name"]?.plainText }
  }

  private func elements(_ list: Value?) -> [Value] {
    if case .list(let elements)? = list { elements } else { [] }
  }

  private func first(_ list: Value?) -> Value? { elements(list).first }

  @Test func `a marble diagram has a row for each source and a letter for each value`() {
    #expect(
      TracesTests.lines(visitMarbles, of: Self.run) == [
        "      1.5ms 4ms", "api   a----------", "page  ------(b|)-", "",
        "a = POST /a b?x=1 {\"$bytes\":\"AAEC\"}", "b = \"ready\"",
      ])
  }

  @Test func `a marble diagram wraps, and has letters for any number of values`() {
    let lines = (0..<200).map { "{\"us\":\($0 * 1000),\"source\":\"s\",\"value\":\($0)}" }
    let made = TracesTests.lines(visitMarbles, of: trace(lines.joined(separator: "\n")))
    #expect(made.allSatisfy { $0.count <= 100 })
    #expect(made.suffix(1) == ["R3 = 199"])
  }

  @Test func `values beyond the first ten thousand have no letters of their own`() {
    let lines = (0..<10_002).map { "{\"us\":\($0 * 1000),\"source\":\"s\",\"value\":\($0)}" }
    let made = TracesTests.lines(visitMarbles, of: trace(lines.joined(separator: "\n")))
    #expect(made.suffix(2) == ["p192 = 9999", "* = any other value"])
  }

  @Test func `an archive has what the format requires of each entry`() {
    let log = written(httpArchive(of: Self.run))["log"]
    #expect(log?["version"] == "1.2")
    #expect(log?["creator"] == ["name": "rehearse", "version": "0.1.0"])
    guard case .list(let entries)? = log?["entries"], let entry = entries.first else {
      Issue.record("no entries")
      return
    }
    #expect(entry["startedDateTime"] == "2000-01-01T00:00:00.0015Z")
    #expect(entry["time"] == 2.5 && entry["cache"] == .map(ValueMap()))
    #expect(entry["timings"] == ["send": 0, "wait": 2.5, "receive": 0])
    let request = entry["request"]
    #expect(request?["url"] == "http://h/a%20b?x=1" && request?["bodySize"] == 3)
    #expect(request?["queryString"] == [["name": "x", "value": "1"]])
    #expect(
      request?["cookies"] == [["name": "k", "value": "v"], ["name": "l", "value": "w"]])
    #expect(request?["postData"]?["text"] == "AAEC")
    #expect(request?["postData"]?["_encoding"] == "base64")
    let response = entry["response"]
    #expect(response?["status"] == 302 && response?["redirectURL"] == "/b")
    #expect(
      response?["cookies"] == [["name": "s", "value": "1"], ["name": "t", "value": "2"]])
    #expect(
      response?["content"] == ["size": 7, "mimeType": "application/json", "text": "{\"b\":1}"])
    for member in ["httpVersion", "headers", "headersSize", "bodySize"] {
      #expect(request?[member] != nil && response?[member] != nil)
    }
  }

  @Test func `an answer of bytes is Base64, and a large one comes from its file`() {
    let text = Array("\"a text\"".utf8)
    let hash = SHA256.digest(of: text)
    let bodies = ["{\"$bytes\":\"AAEC\"}", "{\"$body\":\"\(hash)\",\"bytes\":9}"].map { body in
      let run = trace(
        """
        {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"from":"client"}
        {"kind":"response","source":"api","value":{"status":200,"body":\(body)},"from":"server"}
        """)
      let archive = written(
        httpArchive(of: run) { $0 == hash ? .read(text, path: $0) : nil })
      guard case .list(let entries)? = archive["log"]?["entries"] else { return Value.null }
      return entries.first?["response"]?["content"] ?? .null
    }
    #expect(bodies[0]["text"] == "AAEC" && bodies[0]["encoding"] == "base64")
    #expect(bodies[1]["text"] == "a text" && bodies[1]["encoding"] == nil)
  }
}
