import Diagnostics
import Events
import Values
import Verdicts

/// A recording that a test writes line by line.
struct RecordedLines {
  private var lines: [ExchangeLine] = []
  private var numbers = ExchangeNumbers()
  private var connection = 1
  private var time: Microseconds = 0

  /// Adds a line of a connection; the one of the line before, unless it is named.
  func then(
    _ kind: Traffic.Kind, from: Traffic.Side = .server, on connection: Int? = nil,
    at time: Microseconds? = nil
  ) -> RecordedLines {
    var copy = self
    copy.connection = connection ?? self.connection
    copy.time = time ?? self.time
    let number = lines.count + 1
    let exchange = copy.numbers.number(
      of: kind, server: "api", connection: copy.connection, line: number, cause: nil)
    copy.lines.append(
      ExchangeLine(
        kind, server: "api", exchange: exchange, from: from, time: copy.time,
        place: .event(number, nil)))
    return copy
  }

  func watched(
    isWhole: Bool = true, tolerance: Microseconds = 0, declared: [DeclaredPause] = []
  ) -> TrafficWatch {
    var watch = TrafficWatch(
      RecordingEnd(isWhole: isWhole, tolerance: tolerance), declared: declared)
    for line in lines { watch.observe(line) }
    watch.finish()
    return watch
  }

  /// The ids of the broken rules, each with the numbers of its witnesses: `event-cut 2 3`.
  func found(isWhole: Bool = true, tolerance: Microseconds = 0) -> [String] {
    watched(isWhole: isWhole, tolerance: tolerance).found.map { found in
      let numbers = found.finding.witnesses.map { String($0.place.name.dropFirst("event ".count)) }
      return ([found.rule.id.rawValue] + numbers).joined(separator: " ")
    }
  }
}

extension RecordedLines {
  func get(
    _ target: String = "/", _ headers: [Exchange.Field] = [], on connection: Int? = nil,
    at time: Microseconds? = nil
  ) -> RecordedLines {
    then(
      .request(Exchange.Request(method: "GET", target: target, headers: headers, body: [])),
      from: .client, on: connection, at: time)
  }

  func post(_ json: String, type: String = "application/json") -> RecordedLines {
    then(
      .request(
        Exchange.Request(
          method: "POST", target: "/rpc", headers: [.init("Content-Type", type)],
          body: Array(json.utf8))), from: .client)
  }

  func answer(
    _ body: String, type: String = "application/json", status: Int = 200
  ) -> RecordedLines {
    then(
      .response(
        Exchange.Response(
          status: status, reason: "", headers: [.init("Content-Type", type)],
          body: Array(body.utf8))))
  }

  func stream(_ type: String = "text/event-stream") -> RecordedLines {
    then(
      .stream(
        Exchange.Response(
          status: 200, reason: "", headers: [.init("Content-Type", type)], body: [])))
  }

  func upgrade() -> RecordedLines {
    then(.upgrade(Exchange.Response(status: 101, reason: "", headers: [], body: [])))
  }

  func event(
    _ data: String = "x", id: String? = nil, retry: Int? = nil, on connection: Int? = nil
  ) -> RecordedLines {
    then(
      .event(Traffic.StreamEvent(name: nil, id: id, data: data, retry: retry)), on: connection)
  }

  func message(_ text: String, from: Traffic.Side) -> RecordedLines {
    then(.message(.string(text)), from: from)
  }

  func goodbye(_ code: Int? = nil) -> RecordedLines { then(.goodbye(code: code, reason: "")) }
}
