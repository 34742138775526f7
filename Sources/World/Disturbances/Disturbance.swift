import Values

/// Something that goes wrong at one place of a run, where nothing else goes wrong.
package enum Disturbance: Hashable, Sendable {
  /// A disturbance of one piece that travels on a connection.
  case piece(PiecePlace, PieceDisturbance)
  /// The connection is refused.
  case refusal(line: String, connection: Int)
  /// There is no network for a moment. Times are in microseconds.
  case offline(at: Int64, length: Int64)
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

  /// Hashes the bytes of a piece. The hash is the same in each process, unlike that of `Hasher`.
  package init(of piece: [UInt8]) {
    for byte in piece where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }
}

/// The disturbance of a piece.
package enum PieceDisturbance: Hashable, Sendable {
  /// The connection breaks, and the piece with all behind it is lost.
  case cutBefore
  /// The connection breaks in the middle of the piece.
  case cutWithin
  case cutAfter
  case duplicate
  /// The piece, and all behind it, comes later by so many microseconds.
  case delay(Int64)
}

extension Disturbance: CustomStringConvertible {
  /// The name, such as `cut after event 3 of feed, connection 1`. `init(name:)` reads it.
  package var description: String {
    switch self {
    case .refusal(let line, let connection): "refuse connection \(connection) of \(line)"
    case .offline(let start, let length): "offline at \(text(of: start)) for \(text(of: length))"
    case .piece(let place, .cutBefore) where place.kind == .request || place.kind == .answer:
      "lose \(place)"
    case .piece(let place, .cutBefore): "cut before \(place)"
    case .piece(let place, .cutWithin): "cut within \(place)"
    case .piece(let place, .cutAfter): "cut after \(place)"
    case .piece(let place, .duplicate): "duplicate \(place)"
    case .piece(let place, .delay(let length)): "delay \(place), by \(text(of: length))"
    }
  }

  /// Reads a name; nil if nothing is named so.
  package init?(name: String) {
    let words = name.split { $0 == " " || $0 == "," }.map { String($0) }
    let found = Disturbance.reading(words[...])
    guard let found else { return nil }
    self = found
  }

  private static func reading(_ words: ArraySlice<String>) -> Disturbance? {
    let words = Array(words)
    guard let verb = words.first else { return nil }
    switch (verb, words.count) {
    case ("refuse", 5): return refusal(words)
    case ("offline", 5): return offline(words)
    case ("lose", 7): return piece(words.dropFirst(), .cutBefore)
    case ("duplicate", 7): return piece(words.dropFirst(), .duplicate)
    case ("delay", 9):
      guard words[7] == "by", let length = microseconds(words[8]) else { return nil }
      return piece(words[1..<7], .delay(length))
    case ("cut", 8):
      let cuts: [String: PieceDisturbance] = [
        "before": .cutBefore, "within": .cutWithin, "after": .cutAfter,
      ]
      return cuts[words[1]].flatMap { piece(words.dropFirst(2), $0) }
    default: return nil
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

  /// Reads `event 3 of feed connection 1`.
  private static func piece(
    _ words: ArraySlice<String>, _ disturbance: PieceDisturbance
  ) -> Disturbance? {
    let words = Array(words)
    guard words.count == 6, let kind = PiecePlace.Kind(rawValue: words[0]), words[2] == "of",
      words[4] == "connection", let number = positive(words[1]), let connection = positive(words[5])
    else { return nil }
    let place = PiecePlace(line: words[3], connection: connection, kind: kind, number: number)
    return .piece(place, disturbance)
  }

  private static func positive(_ text: String) -> Int? {
    Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}

extension PiecePlace: CustomStringConvertible {
  package var description: String {
    "\(kind.rawValue) \(number) of \(line), connection \(connection)"
  }
}

/// The units of times in names, the longest first, in microseconds.
private let units: [(name: String, length: Int64)] = [("s", 1_000_000), ("ms", 1_000), ("us", 1)]

private func text(of microseconds: Int64) -> String {
  let unit = units.first { microseconds % $0.length == 0 } ?? ("us", 1)
  return "\(microseconds / unit.length)\(unit.name)"
}

/// Reads a time as scenarios write it, such as `1999ms`, `1.5s` or `1h`.
private func microseconds(_ text: String) -> Int64? { try? parseDuration(text).get() }
