import Protocols
import TextSearch
import Values

/// The place of a value in an answer, or in the messages of a conversation: the keys and numbers
/// on the way to it.
typealias ValuePlace = [Value]

/// The values of answers that later requests use, and the names under which they are captured.
struct ImportCaptures {
  /// By exchange: the names of captured values, by their places.
  private(set) var names: [Int: [ValuePlace: String]] = [:]
  /// By exchange: what is captured of the header `Location` of its answer.
  private(set) var locations: [Int: CapturedLocation] = [:]
  /// By text: the value that a server issued first.
  private var issued: [Value: Issued] = [:]
  /// The values that clients sent first. They know them, so that nothing has to be captured.
  private var said: Set<Value> = []
  /// By exchange: the names that its request uses.
  private(set) var used: [Int: [String]] = [:]

  private struct Issued {
    var exchange: Int
    var place: ValuePlace
    /// The part of the path of a `Location`, in place of a place in the body.
    var segment: LocationSegment?
    var value: Value
    var time: Microseconds
    /// True if it came over a connection, whose messages have times of their own.
    var isMessage: Bool
    var hint: String
    var name: String?
  }

  init(_ flow: ImportedFlow, _ names: inout ImportNames) {
    for (number, exchange) in flow.exchanges.enumerated() {
      for use in exchange.uses { note(use, of: number, at: exchange.time, &names) }
      issue(exchange, number)
    }
  }

  /// Returns the name of a value that a server issued before; nil for any other.
  func name(for value: Value, before exchange: Int) -> String? {
    guard let known = issued[.string(value.plainText)], known.value == value,
      known.exchange < exchange
    else { return nil }
    return known.name
  }

  /// Returns the name of a value that a server issued before and that has this text.
  func name(forText text: String, before exchange: Int) -> String? {
    issued[.string(text)].flatMap { $0.exchange < exchange ? $0.name : nil }
  }

  private mutating func note(
    _ use: Value, of exchange: Int, at time: Microseconds, _ stageNames: inout ImportNames
  ) {
    let text = use.plainText
    guard var known = issued[.string(text)], !known.isMessage || known.time < time else {
      said.insert(.string(text))
      return
    }
    let name = known.name ?? stageNames.name(known.hint, or: "issued")
    known.name = name
    issued[.string(text)] = known
    if let segment = known.segment {
      let location = locations[known.exchange]
      let header = location?.name ?? stageNames.name("location", or: "location")
      locations[
        known.exchange, default: CapturedLocation(name: header, hasQuery: segment.hasQuery)
      ].segments[segment.number] = name
    } else {
      names[known.exchange, default: [:]][known.place] = name
    }
    used[exchange, default: []].append(name)
  }

  private mutating func issue(_ exchange: ImportedExchange, _ number: Int) {
    for leaf in exchange.leaves where leaf.isIssued {
      let text = leaf.value.plainText
      guard issued[.string(text)] == nil, !said.contains(.string(text)) else { continue }
      issued[.string(text)] = Issued(
        exchange: number, place: leaf.place, value: leaf.value, time: leaf.time,
        isMessage: exchange.isConversation, hint: leaf.hint(in: exchange.request.path))
    }
    for segment in exchange.issuedSegments {
      guard issued[.string(segment.text)] == nil, !said.contains(.string(segment.text)) else {
        continue
      }
      issued[.string(segment.text)] = Issued(
        exchange: number, place: [], segment: segment, value: .string(segment.text),
        time: exchange.time, isMessage: false, hint: segment.owner + " id")
    }
  }
}

/// The captures from the header `Location`, which names a new resource.
struct CapturedLocation {
  /// The name of the whole header.
  var name: String
  var hasQuery: Bool
  /// By part of its text between slashes: the name.
  var segments: [Int: String] = [:]
}

/// A part of the path of a `Location` that its server may have made.
private struct LocationSegment {
  var text: String
  /// The number of slashes before it in the whole header.
  var number: Int
  /// The kind of thing with this id, by the part before it.
  var owner: String
  var hasQuery: Bool
}

/// A scalar of an answer or a message.
private struct Leaf {
  var place: ValuePlace
  var value: Value
  var time: Microseconds

  /// True if a server made the value, as far as its key and its form tell.
  var isIssued: Bool {
    guard let key = place.last(where: { $0.isText })?.plainText else { return false }
    if case .string(let text) = value, text.isPlaceholder { return true }
    let last = key.lowercased()
    let isName =
      last == "id" || key.hasSuffix("Id") || key.hasSuffix("ID") || last.hasSuffix("_id")
      || ["token", "session", "cursor", "csrf", "nonce", "uuid", "code"].contains {
        last.hasSuffix($0)
      }
    switch value {
    case .int: return isName
    case .string(let text):
      return isName && !text.isEmpty
        || text.utf8.count >= 12 && text.contains(where: \.isNumber)
          && !text.contains(" ")
    default: return false
    }
  }

  /// The words for its name: an `id` below `/tasks` is a `taskId`.
  func hint(in path: String) -> String {
    let key = place.last { $0.isText }?.plainText ?? "value"
    guard key.lowercased() == "id" else { return key }
    let owner = place.dropLast().last { $0.isText }?.plainText
    let word =
      owner ?? path.split(separator: "/").last { !$0.contains(where: \.isNumber) }
      .map(String.init) ?? "the"
    return singular(word) + " id"
  }
}

private func singular(_ word: String) -> String {
  if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
  return word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
}

extension ImportedExchange {
  fileprivate var isConversation: Bool {
    if case .conversation = answer { true } else { false }
  }

  /// The parts of the path of a `Location` that look like ids: those with digits, and the last one
  /// of what was created.
  fileprivate var issuedSegments: [LocationSegment] {
    guard case .response(let response) = answer,
      let field = response.headers.first(where: { $0.name.lowercased() == "location" })
    else { return [] }
    // The fragment and the query are no parts of the path, and a host is none either.
    let path = field.value.prefix { $0 != "?" && $0 != "#" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let first = field.value.contains("://") ? 3 : 0
    return parts.indices.dropFirst(first).compactMap { number in
      let text = parts[number]
      let isCreated = response.status == 201 && number == parts.count - 1
      let looksMade = text.contains(where: \.isNumber) && !text.isVersion || text.isPlaceholder
      guard !text.isEmpty, isCreated || looksMade else { return nil }
      let owner = number > first ? singular(parts[number - 1]) : ""
      return LocationSegment(
        text: text, number: number, owner: owner.contains(where: \.isNumber) ? "" : owner,
        hasQuery: path.count < field.value.count)
    }
  }

  /// The values that the client sent.
  var uses: [Value] {
    var values: [Value] = HTTPTarget(request.path).segments.map { .string($0) }
    values += request.query.map { .string($0.value) }
    values += request.headers.kept.flatMap { field in
      [Value.string(field.value)]
        + field.value.split(separator: " ").dropFirst().prefix(1)
        .map { .string(String($0)) }
    }
    switch request.body {
    case .json(let json): values += scalars(of: json).map(\.value)
    case .form(let fields): values += fields.map { .string($0.value) }
    case .text, .bytes, nil: break
    }
    if case .conversation(let conversation) = answer {
      for message in conversation.messages where message.isFromClient {
        values += scalars(of: message.data).map(\.value)
      }
    }
    return values
  }

  fileprivate var leaves: [Leaf] {
    switch answer {
    case .none: return []
    case .response(let response):
      guard case .json(let json)? = response.body else { return [] }
      return scalars(of: json).map { Leaf(place: $0.place, value: $0.value, time: time) }
    case .conversation(let conversation):
      return conversation.messages.enumerated().flatMap { number, message in
        message.isFromClient
          ? []
          : scalars(of: message.data).map {
            Leaf(place: [.int(number)] + $0.place, value: $0.value, time: message.time)
          }
      }
    }
  }
}

/// Returns the scalars inside a value, with the way to each.
func scalars(of value: Value, at place: ValuePlace = []) -> [(place: ValuePlace, value: Value)] {
  switch value {
  case .list(let elements):
    elements.enumerated().flatMap { scalars(of: $1, at: place + [.int($0)]) }
  case .map(let map): map.flatMap { scalars(of: $0.value, at: place + [$0.key]) }
  case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
    .optional:
    [(place, value)]
  }
}

extension Value {
  var isText: Bool { if case .string = self { true } else { false } }
}

extension String {
  /// True for the version of an interface, as paths have it: `v1`.
  fileprivate var isVersion: Bool {
    first == "v" && count <= 3 && dropFirst().allSatisfy(\.isNumber)
  }
}
