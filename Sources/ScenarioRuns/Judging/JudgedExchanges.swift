import Protocols
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values

extension JudgedExchange {
  /// Reads the exchange of a `request` step as a trace has it; nil if the line has none.
  ///
  /// - Parameter lineOf: Returns the line with a number, which the exchange may refer to.
  init?(
    _ line: TraceLine, endpoints: [String: EndpointID], _ lineOf: (Int) -> TraceLine?
  ) {
    guard let json = line.value?.json, json["as"] == "exchanged",
      let exchange = json["exchange"], case .list(let hops)? = exchange["hops"],
      case .int(let began)? = exchange["began"], case .int(let ended)? = exchange["ended"]
    else { return nil }
    let read = hops.compactMap { JudgedExchange.Hop($0, endpoints, lineOf) }
    guard read.count == hops.count else { return nil }
    self.init(hops: read, began: Microseconds(began), ended: Microseconds(ended), reads: [])
    guard case .list(let values)? = json["values"] else { return }
    reads = values.map { value in
      if case .success(let decoded) = TraceValue(json: value).decoded() { decoded } else { .null }
    }
  }
}

extension JudgedExchange.Hop {
  fileprivate init?(
    _ json: Value, _ endpoints: [String: EndpointID], _ lineOf: (Int) -> TraceLine?
  ) {
    /// A message is a line of its own, or stands here.
    func line(_ json: Value?) -> TraceLine? {
      if case .int(let number)? = json { return lineOf(number) }
      return json.map { json in
        var line = TraceLine()
        (line.value, line.text) = (
          TraceValue(json: json), json["text"].map { TraceValue(json: $0) }
        )
        return line
      }
    }
    guard let request = line(json["request"]),
      let source = request.source ?? json["source"]?.plainText, let endpoint = endpoints[source],
      case .string(let method)? = request.value?.json["method"]
    else { return nil }
    let message = TraceMessage(request)
    let response = line(json["response"]).flatMap { response -> HTTPResponse? in
      guard case .int(let status)? = response.value?.json["status"] else { return nil }
      let message = TraceMessage(response)
      return HTTPResponse(
        status: status, headers: HTTPHeaders(message), body: message.bodyBytes)
    }
    self.init(
      endpoint: endpoint,
      request: HTTPRequest(
        method: method, target: message.target, headers: HTTPHeaders(message),
        body: message.bodyBytes), response: response)
  }
}

extension TraceMessage {
  var bodyBytes: [UInt8] {
    switch body() {
    case nil: []
    case .text(let text)?: Array(text.utf8)
    case .bytes(let bytes)?: bytes
    }
  }
}

extension HTTPHeaders {
  init(_ message: TraceMessage) {
    self.init()
    for field in message.headers { add(field.name, field.value) }
  }
}

extension TraceRun {
  /// Returns whether it is a run of this scenario, and names it.
  func isOf(_ plan: ScenarioPlan, _ files: TracedFiles) -> Bool {
    header.scenario?.title != nil
      && scenario(among: [plan], TracedSteps(files.sources)) != nil
  }
}
