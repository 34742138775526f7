/// The phase of a secure connection: it decides what the connection may still do.
///
/// Each function takes what happened and returns what is to be done; the transport does it.
enum TLSPhase {
  /// The two sides agree on keys. What the owner does meanwhile waits.
  case handshake(EarlyCalls)
  case open(Writing, Reading)
  case closed

  enum Writing { case open, ended }

  enum Reading {
    case open
    /// The connection below has ended; decoded bytes and the other side's goodbye may still wait.
    case cutShort
    /// The other side said goodbye.
    case ended
  }
}

// What the phase says.
extension TLSPhase {
  var isHandshake: Bool {
    switch self {
    case .handshake: true
    case .open, .closed: false
    }
  }

  var isClosed: Bool {
    switch self {
    case .closed: true
    case .handshake, .open: false
    }
  }

  /// True if bytes of the other side may still be decoded.
  var canRead: Bool {
    switch self {
    case .open(_, .open), .open(_, .cutShort): true
    case .open, .handshake, .closed: false
    }
  }

  /// True if the connection below ended without the other side's goodbye.
  var isCutShort: Bool {
    switch self {
    case .open(_, .cutShort): true
    case .open, .handshake, .closed: false
    }
  }
}

// What the owner does.
extension TLSPhase {
  enum Sending {
    case early(EarlyCalls.Sent)
    case write, refused
  }

  mutating func send(_ bytes: [UInt8]) -> Sending {
    switch self {
    case .handshake(var calls):
      // The phase lets go of the bytes, so that appending does not copy them.
      self = .closed
      let sent = calls.send(bytes)
      self = .handshake(calls)
      return .early(sent)
    case .open(.open, _): return .write
    case .open, .closed: return .refused
    }
  }

  /// Ends sending; true if the goodbye is to be said now.
  mutating func shutDownWriting() -> Bool {
    switch self {
    case .handshake(var calls):
      calls.shutDownWriting()
      self = .handshake(calls)
      return false
    case .open(.open, let reading):
      self = .open(.ended, reading)
      return true
    case .open, .closed: return false
    }
  }

  enum Closing {
    case nothing, later
    case now(saysGoodbye: Bool)
  }

  mutating func close() -> Closing {
    switch self {
    case .handshake(var calls):
      let isFirst = calls.close()
      self = .handshake(calls)
      return isFirst ? .later : .nothing
    case .open(let writing, _): return .now(saysGoodbye: writing == .open)
    case .closed: return .nothing
    }
  }
}

// What happens below.
extension TLSPhase {
  /// Opens the connection and returns what the owner did before; nil if it was open already.
  mutating func established() -> EarlyCalls? {
    guard case .handshake(let calls) = self else { return nil }
    self = .open(.open, .open)
    return calls
  }

  /// Notes that the connection below has ended; true if that ends the handshake.
  mutating func innerEnded() -> Bool {
    switch self {
    case .handshake: return true
    case .open(let writing, .open): self = .open(writing, .cutShort)
    case .open, .closed: break
    }
    return false
  }

  mutating func receivedGoodbye() {
    if case .open(let writing, _) = self { self = .open(writing, .ended) }
  }
}
