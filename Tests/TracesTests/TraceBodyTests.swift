import Testing
import Traces
import Values

@Suite struct TraceBodyTests {
  @Test func `the innermost large value has a file of its own, and is read back`() throws {
    let text = String(repeating: "x", count: TraceLimit.valueBytes + 1)
    let value: Value = ["status": 200, "body": ["items": .string(text)]]
    var writer = TraceWriter()
    let output = writer.write(TraceLine(.response, value))
    let body = try #require(output.bodies.first)
    #expect(output.bodies.count == 1)
    #expect(output.bytes.count < 300)
    #expect(body.hash == SHA256.digest(of: body.bytes))

    let items = TraceReader.read(Array("{\"trace\":1}\n".utf8) + output.bytes)
    guard case .line(let entry)? = items.last else {
      Issue.record("\(items)")
      return
    }
    let resolver = TraceResolver(body: { $0 == body.hash ? body.bytes : nil })
    #expect(try entry.line.value?.decoded(resolver).get() == value)
  }

  @Test func `a value may stay in its line`() {
    let text = String(repeating: "x", count: TraceLimit.valueBytes + 1)
    var writer = TraceWriter()
    let output = writer.write(TraceLine(.emitted, .string(text)), splits: false)
    #expect(output.bodies.isEmpty && output.bytes.count > TraceLimit.valueBytes)
  }

  @Test func `the hash is that of what is compared`() {
    func hash(_ lines: [TraceLine]) -> String? {
      var writer = TraceWriter()
      var header = TraceHeader()
      (header.isVirtual, header.sides) = (true, ValueMap([("api", "client")]))
      _ = writer.write(header)
      for line in lines { _ = writer.write(line) }
      let last = writer.write(TraceLine(.verdict, ["outcome": "passed"])).bytes
      return String(decoding: last, as: UTF8.self)
    }
    var answer = TraceLine(.response, source: "api", 1, at: 5)
    answer.from = .server
    var request = TraceLine(.request, source: "api", 1, at: 5)
    request.from = .client
    let emitted = TraceLine(.emitted, source: "a", 1, at: 5)
    #expect(hash([emitted]) == hash([TraceLine(.idle), emitted, answer]))
    #expect(hash([emitted]) != hash([emitted, request]))
    #expect(hash([emitted]) != hash([TraceLine(.emitted, source: "a", 1, at: 6)]))
  }
}
