import Protocols
import ScenarioEngine
import ScenarioPlan
import Traces
import Values

extension JudgedExchange {
  /// Reads the exchange of a `request` step as a trace has it; nil if the line has none.
  init?(_ line: TraceLine, endpoints: [String: EndpointID]) {
    guard let json = line.value?.json, json["as"] == "exchanged",
      let exchange = json["exchange"], case .list(let hops)? = exchange["hops"],
      case .int(let began)? = exchange["began"], case .int(let ended)? = exchange["ended"]
    else { return nil }
    let read = hops.compactMap { JudgedExchange.Hop($0, endpoints) }
    guard read.count == hops.count else { return nil }
    self.init(hops: read, began: Microseconds(began), ended: Microseconds(ended), reads: [])
    guard case .list(let values)? = json["values"] else { return }
    reads = values.map { value in
      if case .success(let decoded) = TraceValue(json: value).decoded() { decoded } else { .null }
    }
  }
}

extension JudgedExchange.Hop {
  fileprivate init?(_ json: Value, _ endpoints: [String: EndpointID]) {
    guard case .string(let source)? = json["source"], let endpoint = endpoints[source],
      let request = json["request"], case .string(let method)? = request["method"]
    else { return nil }
    let message = TraceMessage(json: request)
    let response = json["response"].flatMap { response -> HTTPResponse? in
      guard case .int(let status)? = response["status"] else { return nil }
      let message = TraceMessage(json: response)
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
