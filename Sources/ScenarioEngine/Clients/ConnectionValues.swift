import LiveConnections
import Protocols
import ScenarioPlan
import Values

/// Returns the value of an event stream's state in scenarios.
func stateValue(_ state: EventStreamState) -> Value {
  switch state {
  case .notConnected: "notConnected"
  case .connecting: "connecting"
  case .connected: "connected"
  case .disconnected(let end): ["disconnected": endValue(end)]
  }
}

private func endValue(_ end: EventStreamEnd) -> Value {
  switch end {
  case .manuallyDisconnected: "manuallyDisconnected"
  case .terminated: "terminated"
  case .streamEnded: "streamEnded"
  case .streamError(let error): ["streamError": errorValue(error)]
  }
}

private func errorValue(_ error: EventStreamError) -> Value {
  switch error {
  case .status(let status, let reason): ["status": .int(status), "reason": .string(reason)]
  case .contentType(let type):
    ["reason": "wrongContentType", "contentType": type.map { .string($0) } ?? .null]
  case .contentEncoding(let name): unknownContentEncoding(name)
  case .connection(let failure): failureValue(failure)
  case .request(let problem): ["reason": "invalidRequest", "problem": .string(problem)]
  case .redirect(let problem): ["reason": "redirect", "problem": .string(problem)]
  case .idleTimeout: "idleTimeout"
  case .eventTooLarge: "eventTooLarge"
  case .loopStopped: "loopStopped"
  }
}

/// Returns the error of a body that is compressed in a way that is not understood.
func unknownContentEncoding(_ name: String) -> Value {
  ["reason": "unknownContentEncoding", "contentEncoding": .string(name)]
}

/// Returns the value of a WebSocket's state in scenarios.
func stateValue(_ state: WebSocketState) -> Value {
  switch state {
  case .notConnected: "notConnected"
  case .connecting: "connecting"
  case .connected(subprotocol: nil): "connected"
  case .connected(let name?): ["connected": .string(name)]
  case .disconnected(let end): ["disconnected": endValue(end)]
  }
}

private func endValue(_ end: WebSocketEnd) -> Value {
  switch end {
  case .manuallyDisconnected: "manuallyDisconnected"
  case .terminated: "terminated"
  case .failedToConnect(let error): ["failedToConnect": errorValue(error)]
  case .connectionLost(let error): ["connectionLost": errorValue(error)]
  }
}

private func errorValue(_ error: WebSocketError) -> Value {
  switch error {
  case .status(let status, let reason): ["status": .int(status), "reason": .string(reason)]
  case .handshake(let problem): ["handshake": .string(problem)]
  case .connection(let failure): failureValue(failure)
  case .request(let problem): ["reason": "invalidRequest", "problem": .string(problem)]
  case .unexpectedDisconnection(let code, let reason):
    ["unexpectedDisconnection": ["code": .int(code), "reason": .string(reason)]]
  case .receiveFailed(let problem): ["receiveFailed": .string(problem)]
  case .pongTimeout: "pongTimeout"
  case .idleTimeout: "idleTimeout"
  case .loopStopped: "loopStopped"
  }
}

/// Why there is no connection any more, as `error` shows it.
func failureValue(_ failure: ConnectionFailure) -> Value {
  var map = ValueMap()
  map["reason"] = .string(failure.reason)
  if let problem = failure.problem { map["problem"] = .string(problem) }
  if let message = failure.message { map["message"] = .string(message) }
  return .map(map)
}

/// `{ id: 7, event: price, data: {…}, lastEventId: 7 }`: without `id` and `retry` where the event
/// has none of its own.
func eventValue(_ event: ServerSentEvent) -> Value {
  var map = ValueMap(minimumCapacity: 4)
  if let id = event.id { map["id"] = .string(id) }
  map["event"] = .string(event.event)
  map["data"] = payloadValue(event.data)
  map["lastEventId"] = .string(event.lastEventID)
  if let retry = event.retry { map["retry"] = .int(retry) }
  return .map(map)
}

/// Returns the value of what arrived on a stream: an event, or the line that it stands for.
func arrivedValue(_ event: ServerSentEvent, on connection: ConnectionPlan) -> Value {
  switch connection.kind {
  case .lines: lineValue(event.data)
  case .eventStream, .webSocket: eventValue(event)
  }
}

/// Returns the value of a WebSocket's message.
func messageValue(_ message: WebSocketPayload) -> Value {
  switch message {
  case .text(let text): payloadValue(text)
  case .binary(let bytes): .bytes(bytes)
  }
}

/// A text that is a JSON object or array is shown decoded; an object keeps the text for `$text`.
func payloadValue(_ text: String) -> Value {
  let first = text.utf8.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
  guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
    case .success(let value) = parseJSON(Array(text.utf8), refusingDuplicateKeys: true)
  else { return .string(text) }
  if case .map(let map) = value { return .map(map.sent(as: text)) }
  return value
}

/// The JSON value on a line; a line that is no JSON is the text it is.
func lineValue(_ text: String) -> Value {
  switch parseJSON(Array(text.utf8), refusingDuplicateKeys: true) {
  case .success(.map(let map)): .map(map.sent(as: text))
  case .success(let value): value
  case .failure: .string(text)
  }
}

/// The text that stands for a payload on the wire: text as it is, anything else as JSON.
func payloadText(_ value: Value) -> String {
  if case .string(let text) = value { text } else { value.json() }
}
