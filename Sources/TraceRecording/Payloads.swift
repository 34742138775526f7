import Events
import Values

/// A text as a value, and the text itself if the value does not have all of it.
struct Payload {
  var value: Value
  var text: String?

  /// A text that is a JSON object or array is shown decoded.
  init(text: String) {
    let first = text.utf8.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    self.init(text, isJSON: isJSON)
  }

  /// A line is a JSON value of any kind, if it is one.
  init(line: String) { self.init(line, isJSON: true) }

  init(body: [UInt8], isJSON: Bool) {
    if let text = String(validating: body, as: UTF8.self) {
      self.init(text, isJSON: isJSON)
    } else {
      self.init(.bytes(body))
    }
  }

  private init(_ value: Value) { self.value = value }

  private init(_ text: String, isJSON: Bool) {
    value = .string(text)
    guard isJSON, case .success(let json) = parseJSON(text) else { return }
    value = json
    if case .string = json {
      self.text = text
    } else if json.json(sortedKeys: true) != text {
      self.text = text
    }
  }
}

/// Returns whether a text may be that of one of some values. One that is no JSON always may.
func isText(_ text: String, ofOneOf values: [Value?]) -> Bool {
  guard case .success(let json) = parseJSON(text) else { return true }
  return values.contains(json)
}

/// The messages that were shown last, as lines have them. A `request` step shows the messages whose
/// lines the trace has already.
final class KnownMessages {
  let bodies = KnownBodies()
  @exclusivity(unchecked) var requests = RecentMessages<Exchange.Request>()
  @exclusivity(unchecked) var responses = RecentMessages<Exchange.Response>()
}

/// The last few messages of one kind, with what lines have of them.
struct RecentMessages<Sent: ShownMessage> {
  private var entries: [(sent: Sent, message: TrafficLines.Message)] = []
  private let most = 4

  subscript(sent: Sent) -> TrafficLines.Message? {
    entries.first { $0.sent.isShown(as: sent) }?.message
  }

  mutating func keep(_ message: TrafficLines.Message, of sent: Sent) {
    if entries.count >= most { entries.removeFirst() }
    entries.append((sent, message))
  }
}

/// A message of an exchange. Not all that is known of it is in a trace.
protocol ShownMessage {
  /// Returns whether both are the same in a trace.
  func isShown(as other: Self) -> Bool
}

extension Exchange.Request: ShownMessage {
  func isShown(as other: Exchange.Request) -> Bool {
    target == other.target && method == other.method && headers == other.headers
      && body == other.body
  }
}

extension Exchange.Response: ShownMessage {
  func isShown(as other: Exchange.Response) -> Bool {
    status == other.status && headers == other.headers && body == other.body
  }
}

/// The bodies that were read last. A server often answers the same.
final class KnownBodies {
  private static let most = 8
  private static let mostBytes = 64 << 10
  @exclusivity(unchecked) private var bodies: [(bytes: [UInt8], payload: Payload)] = []
  @exclusivity(unchecked) private var next = 0

  /// Returns what a body stands for. Only JSON takes long to read.
  func payload(of body: [UInt8], isJSON: Bool) -> Payload {
    guard isJSON, body.count <= KnownBodies.mostBytes else {
      return Payload(body: body, isJSON: isJSON)
    }
    if let known = bodies.first(where: { $0.bytes == body }) { return known.payload }
    let payload = Payload(body: body, isJSON: true)
    if bodies.count < KnownBodies.most {
      bodies.append((body, payload))
    } else {
      bodies[next] = (body, payload)
      next = (next + 1) % KnownBodies.most
    }
    return payload
  }
}
