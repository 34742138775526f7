/// Carries out the disturbances of one run, and reports the places that it passes.
package final class LineDisturber {
  private var disturbances: [Disturbance]
  /// Receives each piece that arrives at a line, before it travels; nil if nobody notes them.
  package var onPiece: ((PiecePlace, PieceLikeness) -> Void)?
  /// Receives each attempt to connect for which there is no network.
  package var onUnreachable: ((_ line: String, _ connection: Int) -> Void)?
  /// Receives the place of a delayed piece before which a client left its connection. A longer
  /// delay of the piece would make the same run.
  package var onUnread: ((PiecePlace) -> Void)?

  /// Lets the client's machine sleep now, or after all that happens at this instant.
  package var onSuspend: ((PieceDisturbance.Spot, _ length: Int64) -> Void)?

  package init(_ disturbances: [Disturbance]) { self.disturbances = disturbances }

  /// Adds a disturbance while the run goes on.
  package func add(_ disturbance: Disturbance) { disturbances.append(disturbance) }

  /// Returns whether an attempt to connect is refused.
  package func refuses(_ line: String, connection: Int) -> Bool {
    disturbances.contains(.refusal(line: line, connection: connection))
  }

  /// Returns what disturbs one connection.
  ///
  /// - Parameters:
  ///   - number: The number of the attempt to connect.
  ///   - line: The name of the endpoint.
  ///   - findsPieces: True if bytes arrive as a system of sockets has joined and cut them.
  package func connection(
    _ number: Int, of line: String, findsPieces: Bool
  ) -> ConnectionDisturber {
    let connection = ConnectionDisturber(
      self, PieceCounter(line: line, connection: number), findsPieces)
    for case .rewritten(line, let form) in disturbances where form != .gzip {
      connection.rewriter = PieceRewriter(form, isInRealTime: findsPieces)
    }
    return connection
  }

  fileprivate func disturbance(of piece: [UInt8], at place: PiecePlace) -> PieceDisturbance? {
    onPiece?(place, PieceLikeness(of: piece))
    for case .piece(place, let disturbance) in disturbances { return disturbance }
    return nil
  }
}

/// Carries out the disturbances of one connection.
package final class ConnectionDisturber {
  private let run: LineDisturber
  private var counter: PieceCounter
  /// Nil where bytes arrive in the pieces in which they were sent.
  private var finder: PieceFinder?
  var isInRealTime: Bool { finder != nil }
  /// Gives what the server sends another form; nil if it comes as it is.
  fileprivate(set) var rewriter: PieceRewriter?
  /// The piece that is delayed, and when it will come.
  private var delayed: (place: PiecePlace, due: Int64)?

  fileprivate init(_ run: LineDisturber, _ counter: PieceCounter, _ findsPieces: Bool) {
    self.run = run
    self.counter = counter
    finder = findsPieces ? PieceFinder() : nil
  }

  /// Returns the pieces that bytes complete which have arrived.
  func arrived(_ bytes: [UInt8], _ direction: LineDirection) -> [[UInt8]] {
    guard finder != nil else { return [bytes] }
    if direction == .toServer {
      guard counter.isUpgraded else { return [bytes] }
      finder?.readFrames()
    }
    return finder?.take(bytes) ?? []
  }

  /// Returns the pieces that come instead of one; nil if it passes as it is.
  func rewritten(_ piece: [UInt8], _ direction: LineDirection) -> [[UInt8]]? {
    direction == .toClient ? rewriter?.pieces(of: piece) : nil
  }

  /// Returns the bytes of a piece that will not be completed.
  func takeRest() -> [UInt8]? { finder?.takeRest() }

  /// Returns what goes wrong with a piece; nil if it passes.
  func disturbance(
    of piece: [UInt8], _ direction: LineDirection, at now: Int64
  ) -> PieceDisturbance? {
    guard let place = counter.place(of: piece, direction) else { return nil }
    let disturbance = run.disturbance(of: piece, at: place)
    if case .delay(let length) = disturbance {
      let (due, overflow) = now.addingReportingOverflow(length)
      delayed = (place, overflow ? .max : due)
    }
    return disturbance
  }

  func suspend(_ spot: PieceDisturbance.Spot, for length: Int64) { run.onSuspend?(spot, length) }

  /// Notes that there is no network for the connection.
  func noteUnreachable() { run.onUnreachable?(counter.line, counter.connection) }

  /// Notes that the client leaves.
  func noteDeparture(at now: Int64) {
    if let delayed, now < delayed.due { run.onUnread?(delayed.place) }
    delayed = nil
  }
}

/// Counts the pieces of a connection by their kinds.
struct PieceCounter {
  let line: String
  let connection: Int
  private var counts: [(kind: PiecePlace.Kind, count: Int)] = []
  /// True once the server has agreed to a WebSocket.
  private(set) var isUpgraded = false

  init(line: String, connection: Int) {
    self.line = line
    self.connection = connection
  }

  /// Returns the place of the next piece; nil if it carries nothing that a client would miss.
  mutating func place(of piece: [UInt8], _ direction: LineDirection) -> PiecePlace? {
    guard let kind = kind(of: piece, direction) else { return nil }
    return PiecePlace(line: line, connection: connection, kind: kind, number: count(kind))
  }

  // There are few kinds, and the hash of one would take longer than all of them.
  private mutating func count(_ kind: PiecePlace.Kind) -> Int {
    guard let known = counts.firstIndex(where: { $0.kind == kind }) else {
      counts.append((kind, 1))
      return 1
    }
    counts[known].count += 1
    return counts[known].count
  }

  private mutating func kind(
    of piece: [UInt8], _ direction: LineDirection
  ) -> PiecePlace.Kind? {
    switch direction {
    case .toServer:
      if isUpgraded { return piece.isDataFrame ? .sending : nil }
      return piece.beginsRequest ? .request : nil
    case .toClient:
      if isUpgraded { return piece.isDataFrame ? .message : nil }
      guard piece.starts(with: "HTTP/".utf8) else { return piece.isContent ? .event : nil }
      isUpgraded = piece.starts(with: "HTTP/1.1 101".utf8)
      return .answer
    }
  }
}

extension [UInt8] {
  /// True for a frame with data: of a text, of bytes, or a continuation.
  fileprivate var isDataFrame: Bool { first.map { $0 & 0x0f <= 2 } ?? false }

  /// True if a request begins here: a method in capitals.
  fileprivate var beginsRequest: Bool {
    let method = prefix { $0 != UInt8(ascii: " ") }
    return !method.isEmpty && method.count < Swift.min(count, 20)
      && method.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// False for the end of a body, and for comments of a stream, which keep it open.
  fileprivate var isContent: Bool {
    guard let lineEnd = firstIndex(of: UInt8(ascii: "\n")) else { return true }
    // A chunk begins with its size.
    let isChunk = prefix(lineEnd).dropLast().allSatisfy { $0.isHexadecimalDigit } && lineEnd > 1
    let content = isChunk ? self[(lineEnd + 1)...] : self[...]
    if isChunk, self[0] == UInt8(ascii: "0") { return false }
    return content.first != UInt8(ascii: ":")
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
