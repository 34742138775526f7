import Testing
import Traces
import Values

/// An index of lines says the same as the lines themselves.
@Suite struct TraceScanTests {
  /// Lines of all forms. The reader of whole lines knows what each is.
  private static let lines = [
    #"{"n":1,"us":5,"kind":"emitted","source":"a","value":{"b":[1,-2.5,true,null,"é\n"]}}"#,
    #"{"us":6,"source":"a","value":1e3}"#, #"{ "n" : 3, "value": {"z":1,"a":2} }"#,
    #"{"n":4,"us":3,"kind":"step","at":"a:1:2","value":{"branch":0}}"#,
    #"{"n":5,"kind":"new-kind","source":"é\u00e9","more":[]}"#,
    #"{"n":9,"us":7,"kind":"request","source":"api","connection":1,"from":"client","seen":2}"#,
    #"{"n":9,"us":8,"kind":"verdict","value":{},"settled":true,"hash":"x"}"#,
  ]

  /// Lines that no reader takes.
  private static let broken = [
    #"{"n":1,"n":2}"#, #"{"value":{"a":1,"a":2}}"#, #"{"us":01}"#, #"{"us":1,}"#, #"{"n":"1"}"#,
    #"{"value":1e999}"#, #"{"value":"\ud800"}"#, #"{"value":"\x"}"#, #"{"from":"nobody"}"#,
    "{\"value\":\"\u{1}\"}", #"{"value":[1,2}"#, #"{"settled":1}"#, #"[1]"#, #"{"n":1}x"#,
    #"{"us":-5}"#, #"{"value":-}"#, #"{"value":1.}"#, #"{"value":nul}"#, #"{"kind":7}"#,
    #"{"at":null}"#,
  ]

  @Test func `an indexed line has the number, time, kind and source of the line`() throws {
    let text = (["{\"trace\":1}"] + Self.lines).map { $0 + "\n" }.joined()
    let run = try #require(ReadTrace(Array(text.utf8)).onlyRun)
    let read = TraceReader.read(Array(text.utf8)).compactMap {
      if case .line(let entry) = $0 { entry } else { nil }
    }
    #expect(Array(run.entries) == read)
    for (index, entry) in read.enumerated() {
      #expect(run.entries.number(of: index) == entry.number)
      #expect(run.entries.time(of: index) == entry.time)
      #expect(run.entries.kind(of: index) == entry.line.knownKind)
      #expect(run.entries.source(of: index) == entry.line.source)
      #expect(run.entries.at(of: index) == entry.line.at)
    }
    #expect(run.index(of: 9) == 5)
  }

  @Test(arguments: broken)
  func `a line that cannot be read is a problem of the index too`(line: String) {
    let bytes = Array("{\"trace\":1}\n\(line)\n".utf8)
    let problems = TraceReader.read(bytes).compactMap {
      if case .problem(let problem) = $0 { problem } else { nil }
    }
    #expect(problems.count == 1)
    #expect(ReadTrace(bytes).problems == problems)
  }

  @Test func `bytes that are not UTF-8 are a problem of the index too`() {
    let bytes = Array("{\"trace\":1}\n{\"value\":\"".utf8) + [0xFF] + Array("\"}\n".utf8)
    #expect(ReadTrace(bytes).problems.count == 1)
  }

  @Test func `zeros that a killed run left are not part of its trace`() throws {
    let text = "{\"trace\":1}\n{\"n\":1,\"us\":0}\n{\"n\":2,\"us"
    let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: 200_000)
    let run = try #require(ReadTrace(bytes).onlyRun)
    #expect(run.entries.count == 1)
    #expect(run.cut?.line == 3)
    #expect(TraceBytes(bytes).count == text.utf8.count)
  }
}
