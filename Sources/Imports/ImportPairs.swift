import Protocols
import Values

/// The exchanges of two recordings that are the same step of one flow.
///
/// The same request may have been made several times, with other bodies or in another order. So the
/// most alike are paired first, and of those that are equally alike the first ones. Values that a
/// server issued in the flow are equal, since each run gets its own.
struct ImportPairs {
  /// How much two requests must have in common, the most first.
  private enum Layer: CaseIterable {
    case body, query, path, form
  }

  /// By exchange of the first recording: that of the second.
  private(set) var second: [Int?]
  /// The exchanges of the second recording that have no counterpart.
  private(set) var unpaired: [Int]

  init(_ first: ImportedFlow, _ other: ImportedFlow) {
    let left = first.steps
    let right = other.steps
    second = [Int?](repeating: nil, count: left.count)
    unpaired = Array(right.indices)
    for layer in Layer.allCases {
      for number in left.indices where second[number] == nil {
        let found = unpaired.firstIndex { isSame(left[number], right[$0], layer) }
        if let found { second[number] = unpaired.remove(at: found) }
      }
    }
  }

  private func isSame(_ left: FlowStep, _ right: FlowStep, _ layer: Layer) -> Bool {
    guard left.method == right.method, left.kind == right.kind else { return false }
    if layer == .form { return left.hasFormOf(right) }
    guard left.server == right.server, left.segments == right.segments else { return false }
    switch layer {
    case .body: return left.query == right.query && left.body == right.body
    case .query: return left.query == right.query
    case .path, .form: return true
    }
  }
}

/// The properties that distinguish the exchanges of a flow.
private struct FlowStep {
  var method: String
  var server: String
  /// The parts of the path; an issued one is nil.
  var segments: [String?]
  var query: [ImportedField]
  var body: ImportedBody?
  /// The kind of its conversation; nil for a request with an answer or without one.
  var kind: ImportedConversation.Kind?

  init(_ exchange: ImportedExchange, _ number: Int, _ captures: ImportCaptures) {
    let isIssued = { captures.name(forText: $0, before: number) != nil }
    method = exchange.request.method
    server = exchange.server
    segments = HTTPTarget(exchange.request.path).segments.map { isIssued($0) ? nil : $0 }
    query = exchange.request.query.map {
      ImportedField($0.name, isIssued($0.value) ? "" : $0.value)
    }
    body = exchange.request.body?.withoutIssued(isIssued)
    if case .conversation(let conversation) = exchange.answer { kind = conversation.kind }
  }

  /// Returns whether the paths differ only in what looks like ids, or have a part in common.
  func hasFormOf(_ other: FlowStep) -> Bool {
    guard segments.count == other.segments.count else { return false }
    let alike = zip(segments, other.segments)
    if alike.allSatisfy({ $0 == $1 || $0.mayBeID && $1.mayBeID }) { return true }
    return alike.contains { $0 != nil && $0 != "" && $0 == $1 }
  }
}

extension String? {
  fileprivate var mayBeID: Bool { self?.contains(where: \.isNumber) ?? true }
}

extension ImportedFlow {
  fileprivate var steps: [FlowStep] {
    var names = ImportNames()
    let captures = ImportCaptures(self, &names)
    return exchanges.enumerated().map { FlowStep($1, $0, captures) }
  }
}

extension ImportedBody {
  fileprivate func withoutIssued(_ isIssued: (String) -> Bool) -> ImportedBody {
    switch self {
    case .json(let json): .json(json.withoutIssued(isIssued))
    case .form(let fields):
      .form(fields.map { ImportedField($0.name, isIssued($0.value) ? "" : $0.value) })
    case .text, .bytes: self
    }
  }
}

extension Value {
  fileprivate func withoutIssued(_ isIssued: (String) -> Bool) -> Value {
    switch self {
    case .list(let elements): .list(elements.map { $0.withoutIssued(isIssued) })
    case .map(let map): .map(ValueMap(map.map { ($0.key, $0.value.withoutIssued(isIssued)) }))
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      isIssued(plainText) ? .null : self
    }
  }
}
