import Testing
import Traces
import Values

/// The Trace Event Format, by the rules that its viewers keep.
@Suite struct ChromeTraceTests {
  /// A flow from the scenario to an endpoint and on to a node; many lines of one time, in a chain
  /// of causes; a cause that the trace does not have, and one that comes later.
  private static let run: TraceRun = {
    var lines = [
      #"{"n":1,"us":0,"kind":"step","value":{"verb":"send"}}"#,
      #"{"n":2,"us":1500,"kind":"request","source":"api","cause":1,"value":{},"from":"client"}"#,
      #"{"n":3,"us":4000,"source":"page","cause":2,"value":"ready"}"#,
      #"{"n":4,"us":4000,"kind":"finished","source":"page","cause":99}"#,
      #"{"n":5,"us":4001,"source":"page","cause":6}"#,
    ]
    lines += (6..<3006).map { "{\"n\":\($0),\"us\":4002,\"source\":\"s\",\"cause\":\($0 - 1)}" }
    return trace(lines.joined(separator: "\n"))
  }()

  private static let events: [Value] = {
    if case .list(let events)? = written(chromeTrace(of: run))["traceEvents"] { events } else { [] }
  }()

  private static func events(_ phase: Value) -> [Value] { events.filter { $0["ph"] == phase } }

  @Test func `each event has the members that its phase requires, and no other phase occurs`() {
    for event in Self.events {
      #expect(isText(event["name"]) && isInteger(event["pid"]) && isInteger(event["tid"]))
      switch event["ph"] {
      case "M":
        let argument = event["name"] == "thread_sort_index" ? "sort_index" : "name"
        #expect(event["args"]?[argument] != nil)
      case "X":
        #expect(isTime(event["ts"]) && isTime(event["dur"]) && isText(event["cat"]))
        guard case .map? = event["args"] else {
          Issue.record("`args` is an object")
          continue
        }
      case "s", "f":
        #expect(isTime(event["ts"]) && isInteger(event["id"]) && event["cat"] == "cause")
      default: Issue.record("unknown phase of \(event.json())")
      }
    }
    #expect(Self.events("f").allSatisfy { $0["bp"] == "e" })
    #expect(Self.events("s").allSatisfy { $0["bp"] == nil })
  }

  @Test func `each lane is named once, before it is used`() {
    let names = Self.events("M").filter { $0["name"] == "thread_name" }
    #expect(names.map { $0["args"]?["name"] } == ["scenario", "api", "page", "s"])
    #expect(names.map { $0["tid"] } == [1, 2, 3, 4])
    let first = Self.events.firstIndex { $0["ph"] != "M" } ?? 0
    #expect(!Self.events[first...].contains { $0["ph"] == "M" })
  }

  @Test func `lanes with numbers come in the order of their numbers`() {
    let names = ["s10", "s2", "s1", "s02", "s2b", "s", "a10.x9", "a9.x10", "é"]
    let lines = names.map { "{\"us\":0,\"source\":\"\($0)\"}" }.joined(separator: "\n")
    let document = written(chromeTrace(of: trace(lines)))
    guard case .list(let events)? = document["traceEvents"] else { return }
    let lanes = events.filter { $0["name"] == "thread_name" }.compactMap {
      $0["args"]?["name"]?.plainText
    }
    #expect(
      lanes == ["scenario", "a9.x10", "a10.x9", "s", "s1", "s02", "s2", "s2b", "s10", "é"])
  }

  @Test func `the events of a lane come one after the other, and none is inside of another`() {
    var ends: [Value: Int] = [:]
    for event in Self.events("X") {
      guard let lane = event["tid"], let begin = nanoseconds(event["ts"]) else { continue }
      #expect(begin >= ends[lane] ?? 0)
      ends[lane] = begin + (nanoseconds(event["dur"]) ?? 0)
    }
    // Each has a nanosecond at least, or a viewer takes it for a part of the next one.
    #expect(Self.events("X").allSatisfy { nanoseconds($0["dur"]) ?? 0 > 0 })
    // The times stay those of the trace, to the microsecond, unless that has too many lines.
    #expect(
      zip(Self.run.entries, Self.events("X")).allSatisfy { entry, event in
        guard let time = number(event["ts"]) else { return false }
        return Int(time) == entry.time || entry.time == 4002 && time < 4005
      })
  }

  @Test func `each flow begins and ends inside of an event of its lane, and leads forwards`() {
    var open: [Value: Double] = [:]
    var event: Value?
    for next in Self.events {
      guard next["ph"] == "s" || next["ph"] == "f" else {
        event = next
        continue
      }
      // Viewers take the event that began last in this lane.
      #expect(next["tid"] == event?["tid"] && next["ts"] == event?["ts"])
      guard let id = next["id"], let time = number(next["ts"]) else { continue }
      if next["ph"] == "s" {
        #expect(open.updateValue(time, forKey: id) == nil)
      } else {
        #expect(open.removeValue(forKey: id).map { $0 <= time } == true)
      }
    }
    #expect(open.isEmpty)
    #expect(Self.events("f").count == 2 + 3000)
  }

  @Test func `the last line is long enough that what happened at the end stands inside of a view`()
  {
    let lines = [0, 0, 64000].map { "{\"us\":\($0),\"source\":\"s\"}" }
    let made = Self.complete(trace(lines.joined(separator: "\n")))
    #expect(made.map { number($0["ts"]) } == [0, 0.5, 64000])
    #expect(made.map { number($0["dur"]) } == [0.5, 0.5, 1000])
    // A single time has no margin, and neither does nothing.
    #expect(Self.complete(trace("{\"us\":5}")).map { $0["dur"] } == [1])
    #expect(Self.complete(trace("")).isEmpty)
  }

  @Test func `viewers are asked for nanoseconds, so that none rounds times to microseconds`() {
    #expect(written(chromeTrace(of: Self.run))["displayTimeUnit"] == "ns")
  }

  @Test func `lines of one time do not reach into the next one`() {
    let lines = (0..<5000).map { "{\"us\":\($0 < 4000 ? 1 : 3),\"source\":\"s\"}" }
    let times = Self.complete(trace(lines.joined(separator: "\n"))).map { nanoseconds($0["ts"]) }
    #expect(times.prefix(4000).allSatisfy { (1000..<3000).contains($0 ?? 0) })
    #expect(times.suffix(1000).map { $0 } == (3000..<4000).map { $0 })
  }

  @Test func `times beyond those of viewers keep their order`() {
    let dates = ["0001-01-01T00:00:00Z", "2026-11-26T08:00:00Z", "2026-11-26T08:00:01Z"]
    let lines = dates.map { "{\"time\":\"\($0)\",\"source\":\"s\"}" }
    let times = Self.complete(trace(lines.joined(separator: "\n"))).compactMap {
      nanoseconds($0["ts"])
    }
    #expect(times.count == 3 && times.first == 0 && times == times.sorted())
  }

  @Test func `no name is empty, and the run has the name of its row`() {
    let header = #"{"trace":1,"scenario":{"title":"Prices","row":"second"}}"#
    let named = written(chromeTrace(of: trace(#"{"us":0,"source":""}"#, header: header)))
    guard case .list(let events)? = named["traceEvents"] else { return }
    let names = events.filter { $0["name"] == "thread_name" || $0["name"] == "process_name" }
    #expect(names.map { $0["args"]?["name"] } == ["Prices [second]", "scenario", "\"\""])
  }

  private static func complete(_ run: TraceRun) -> [Value] {
    guard case .list(let events)? = written(chromeTrace(of: run))["traceEvents"] else { return [] }
    return events.filter { $0["ph"] == "X" }
  }

  private func isText(_ value: Value?) -> Bool {
    if case .string? = value { true } else { false }
  }

  private func isInteger(_ value: Value?) -> Bool {
    if case .int? = value { true } else { false }
  }

  private func isTime(_ value: Value?) -> Bool { number(value).map { $0 >= 0 } ?? false }

  /// Viewers round to nanoseconds.
  private func nanoseconds(_ value: Value?) -> Int? {
    number(value).map { Int(($0 * 1000).rounded()) }
  }

  private func number(_ value: Value?) -> Double? {
    switch value {
    case .int(let number)?: Double(number)
    case .double(let number)?: number
    default: nil
    }
  }
}
