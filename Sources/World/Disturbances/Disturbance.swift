import TextSearch
import Values

/// Something that goes wrong at one place of a run, where nothing else goes wrong.
package enum Disturbance: Hashable, Sendable {
  /// A disturbance of one piece that travels on a connection.
  case piece(PiecePlace, PieceDisturbance)
  /// The connection is refused.
  case refusal(line: String, connection: Int)
  /// There is no network for a moment. Times are in microseconds.
  case offline(at: Int64, length: Int64)
  /// All that the endpoint sends comes in other bytes of the same meaning.
  case rewritten(line: String, PieceForm)

  /// The name of the endpoint that it strikes; nil if it strikes all.
  package var line: String? {
    switch self {
    case .piece(let place, _): place.line
    case .refusal(let line, _), .rewritten(let line, _): line
    case .offline: nil
    }
  }
}

/// The place of a piece that travels between a client and an endpoint: what it is, and its number
/// among those of its kind on the connection, from 1.
package struct PiecePlace: Hashable, Sendable {
  /// The kinds of pieces.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case request
    /// A complete answer, or the head of one whose body follows.
    case answer
    /// A part of a body: an event, a line, or a piece of an answer.
    case event
    /// A frame from the server of a WebSocket.
    case message
    /// A frame from its client.
    case sending
  }

  /// The name of the endpoint.
  package var line: String
  /// The number of the attempt to connect to the endpoint, from 1.
  package var connection: Int
  package var kind: Kind
  package var number: Int

  package init(line: String, connection: Int, kind: Kind, number: Int) {
    self.line = line
    self.connection = connection
    self.kind = kind
    self.number = number
  }
}

/// The common form of pieces whose bytes differ in decimal digits alone, such as in times.
package struct PieceLikeness: Hashable, Sendable {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  /// The hash of the head of a request. Where the two come from a socket, the body may come later.
  package private(set) var head: UInt64?
  /// True if the piece says that nothing follows, as streams of language models do.
  package let isDone: Bool
  /// True if a request may be answered with a compressed body.
  package let acceptsGzip: Bool

  /// Hashes the bytes of a piece. The hash is the same in each process, unlike that of `Hasher`.
  package init(of piece: [UInt8]) {
    isDone = piece.count < 100 && signsOfEnd.contains { piece.contains($0) }
    acceptsGzip = piece.contains(gzip)
    var lineLength = 0
    for byte in piece {
      if byte == UInt8(ascii: "\n") {
        if lineLength == 0 { head = head ?? hash }
        lineLength = 0
      } else if byte != UInt8(ascii: "\r") {
        lineLength += 1
      }
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { continue }
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }
}

/// The disturbance of a piece.
package enum PieceDisturbance: Hashable, Sendable {
  /// The connection breaks at a spot of the piece, and what is behind it is lost.
  case broken(LineBreak, Spot)
  case duplicate
  /// The piece, and all behind it, comes later by so many microseconds.
  case delay(Int64)
  /// Its bytes come one after the other, with pauses.
  case slow
  /// Another answer comes than the endpoint's, which the client may be asked to repeat after so
  /// many microseconds. A request that is answered so does not arrive.
  case answered(status: Int, retryAfter: Int64?)
  /// The client's machine sleeps for so many microseconds before it receives the piece, or after.
  case suspended(Spot, length: Int64)

  /// The ways in which a connection ends.
  package enum LineBreak: String, Sendable, CaseIterable {
    /// A reset.
    case cut
    /// An end in good order, as proxies and processes that die make it.
    case end
    /// The same, behind the end of the body: the sender ends it as if all had come.
    case close
    /// It stays open, and nothing comes any more.
    case stall
  }

  /// A spot of a piece.
  package enum Spot: String, Sendable, CaseIterable {
    case before, within, after
    case head = "in head of"
    case body = "in body of"
  }
}

extension Disturbance {
  /// The time for which the client's machine sleeps; nil if it does not.
  package var sleep: Int64? {
    if case .piece(_, .suspended(_, let length)) = self { length } else { nil }
  }
}

extension Disturbance: CustomStringConvertible {
  /// The name, such as `cut after event 3 of feed, connection 1`. `init(name:)` reads it.
  package var description: String {
    switch self {
    case .refusal(let line, let connection): "refuse connection \(connection) of \(line)"
    case .offline(let start, let length): "offline at \(text(of: start)) for \(text(of: length))"
    case .rewritten(let line, let form): "rewrite \(line) as \(form.rawValue)"
    case .piece(let place, let disturbance):
      [disturbance.verb(at: place.kind), "\(place)"].joined(separator: " ") + disturbance.rest
    }
  }

  /// Reads a name; nil if nothing is named so.
  package init?(name: String) {
    let words = name.split { $0 == " " || $0 == "," }.map { String($0) }
    let found = Disturbance.piece(words) ?? Disturbance.reading(words)
    guard let found else { return nil }
    self = found
  }

  private static func reading(_ words: [String]) -> Disturbance? {
    switch (words.first, words.count) {
    case ("refuse", 5): refusal(words)
    case ("offline", 5): offline(words)
    case ("rewrite", 4) where words[2] == "as":
      PieceForm(rawValue: words[3]).map { .rewritten(line: words[1], $0) }
    default: nil
    }
  }

  private static func refusal(_ words: [String]) -> Disturbance? {
    guard words[1] == "connection", words[3] == "of", let number = positive(words[2]) else {
      return nil
    }
    return .refusal(line: words[4], connection: number)
  }

  private static func offline(_ words: [String]) -> Disturbance? {
    guard words[1] == "at", words[3] == "for", let start = microseconds(words[2]),
      let length = microseconds(words[4])
    else { return nil }
    return .offline(at: start, length: length)
  }

  /// Reads what goes wrong with a piece such as `event 3 of feed connection 1`.
  private static func piece(_ words: [String]) -> Disturbance? {
    let numbered = words.indices.dropLast().first { index in
      PiecePlace.Kind(rawValue: words[index]) != nil && positive(words[index + 1]) != nil
    }
    guard let start = numbered, words.count >= start + 6, words[start + 2] == "of",
      words[start + 4] == "connection", let kind = PiecePlace.Kind(rawValue: words[start]),
      let number = positive(words[start + 1]), let connection = positive(words[start + 5]),
      let disturbance = PieceDisturbance(
        verb: words[..<start].joined(separator: " "), Array(words[(start + 6)...]))
    else { return nil }
    return .piece(
      PiecePlace(line: words[start + 3], connection: connection, kind: kind, number: number),
      disturbance)
  }

  private static func positive(_ text: String) -> Int? {
    Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}

// The words before a place, and those behind it.
extension PieceDisturbance {
  fileprivate func verb(at kind: PiecePlace.Kind) -> String {
    switch self {
    case .broken(.cut, .before) where kind == .request || kind == .answer: "lose"
    case .broken(let way, let spot): "\(way.rawValue) \(spot.rawValue)"
    case .duplicate: "duplicate"
    case .delay: "delay"
    case .slow: "slow"
    case .suspended(let spot, _): "suspend \(spot.rawValue)"
    case .answered(let status, _): "status \(status) for"
    }
  }

  fileprivate var rest: String {
    switch self {
    case .delay(let length): ", by \(text(of: length))"
    case .suspended(_, let length): ", for \(text(of: length))"
    case .answered(_, let pause?): ", retry after \(text(of: pause))"
    case .answered, .broken, .duplicate, .slow: ""
    }
  }

  fileprivate init?(verb: String, _ rest: [String]) {
    let words = verb.split(separator: " ").map { String($0) }
    let time = rest.last.flatMap(microseconds)
    switch (words.first, rest.dropLast().joined(separator: " ")) {
    case ("delay", "by") where words.count == 1:
      guard let time else { return nil }
      self = .delay(time)
    case ("suspend", "for") where words.count == 2:
      guard let time, let spot = Spot(rawValue: words[1]), spot == .before || spot == .after else {
        return nil
      }
      self = .suspended(spot, length: time)
    case ("status", let link) where words.count == 3 && words[2] == "for":
      guard let status = Int(words[1]), (200...599).contains(status),
        rest.isEmpty || (link == "retry after" && time != nil)
      else { return nil }
      self = .answered(status: status, retryAfter: time)
    default:
      guard rest.isEmpty, let known = PieceDisturbance.withoutTime[verb] else { return nil }
      self = known
    }
  }

  private static let withoutTime: [String: PieceDisturbance] = {
    var known: [String: PieceDisturbance] = [
      "lose": .broken(.cut, .before), "duplicate": .duplicate, "slow": .slow,
    ]
    for way in LineBreak.allCases {
      for spot in Spot.allCases { known["\(way.rawValue) \(spot.rawValue)"] = .broken(way, spot) }
    }
    return known
  }()
}

extension PiecePlace: CustomStringConvertible {
  package var description: String {
    "\(kind.rawValue) \(number) of \(line), connection \(connection)"
  }
}

private let gzip = Array("gzip".utf8)

/// The texts of events behind which nothing comes.
private let signsOfEnd = ["[DONE]", #""message_stop""#].map { Array($0.utf8) }

/// The units of times in names, the longest first, in microseconds.
private let units: [(name: String, length: Int64)] = [("s", 1_000_000), ("ms", 1_000), ("us", 1)]

private func text(of microseconds: Int64) -> String {
  let unit = units.first { microseconds % $0.length == 0 } ?? ("us", 1)
  return "\(microseconds / unit.length)\(unit.name)"
}

/// Reads a time as scenarios write it, such as `1999ms`, `1.5s` or `1h`.
private func microseconds(_ text: String) -> Int64? { try? parseDuration(text).get() }
