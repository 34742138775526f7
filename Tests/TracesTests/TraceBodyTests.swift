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
    let resolver = TraceResolver(body: { $0 == body.hash ? .read(body.bytes, path: $0) : nil })
    #expect(try entry.line.value?.decoded(resolver).get() == value)
  }

  static let large = String(repeating: "x", count: TraceLimit.valueBytes)

  @Test(
    arguments: [
      .bytes([UInt8](repeating: 7, count: TraceLimit.valueBytes)), ["$set": .string(large)],
      ["$body": .string(large), "bytes": 1], [.string(large), [.string(large)]],
      .optional([.string(large)]), [.int(1): .string(large)],
    ] as [Value])
  func `a large value of each encoding is read back`(value: Value) throws {
    var bodies: [TraceBody] = []
    let line = TraceValue(value).split(into: &bodies)
    let files = Dictionary(bodies.map { ($0.hash, $0.bytes) }, uniquingKeysWith: { one, _ in one })
    #expect(!bodies.isEmpty && line.json.json().utf8.count < 1000)
    let resolver = TraceResolver(body: { hash in files[hash].map { .read($0, path: hash) } })
    #expect(try line.decoded(resolver).get() == value)
  }

  private static func reference(_ hash: String) -> String { "{\"$body\":\"\(hash)\",\"bytes\":9}" }

  private static func problem(_ hash: String, _ files: [String: String]) -> TraceBodyProblem? {
    let json: Value = ["$body": .string(hash), "bytes": 9]
    let read = TraceValue(json: json).withBodies { hash in
      files[hash].map { .read(Array($0.utf8), path: hash) }
    }
    if case .failure(let problem) = read { return problem }
    return nil
  }

  @Test func `a file that is not the recorded one is named with both hashes`() {
    let actual = SHA256.digest(of: Array("2".utf8))
    let expected = SHA256.digest(of: Array("1".utf8))
    #expect(
      Self.problem(expected, [expected: "2"])
        == .changed(path: expected, expected: expected, actual: actual))
    #expect(Self.problem(expected, [expected: "1"]) == nil)
    #expect(Self.problem(expected, [:]) == .noFolder(hash: expected))
  }

  @Test func `files that name each other are refused, since their hashes cannot be right`() {
    let (one, two) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
    let circle = [one: Self.reference(two), two: Self.reference(one)]
    guard case .changed(path: one, _, _)? = Self.problem(one, circle) else {
      Issue.record("\(String(describing: Self.problem(one, circle)))")
      return
    }
  }

  /// Returns a chain of files: each has the text that is made of a reference to the one before.
  private static func chain(
    _ length: Int, from first: String, _ next: (String) -> String
  ) -> (hash: String, files: [String: String]) {
    var hash = SHA256.digest(of: Array(first.utf8))
    var files = [hash: first]
    for _ in 0..<length {
      let text = next(reference(hash))
      hash = SHA256.digest(of: Array(text.utf8))
      files[hash] = text
    }
    return (hash, files)
  }

  @Test func `files in files are limited in their depth and in their size`() {
    let deep = Self.chain(2_000, from: "1") { $0 }
    #expect(Self.problem(deep.hash, deep.files) == .nestedTooDeeply)
    let wide = Self.chain(4, from: "\"\(Self.large)\"") { reference in
      "[" + Array(repeating: reference, count: 1000).joined(separator: ",") + "]"
    }
    #expect(Self.problem(wide.hash, wide.files) == .tooLarge)
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
