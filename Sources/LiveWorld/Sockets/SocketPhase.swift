import World

/// The phase of one end of a connection over a socket: it decides what the end may still do.
///
/// Each function takes what happened and returns what is to be done; the transport does it.
enum SocketPhase: Equatable {
  case connecting(Stage, Writing)
  case open(Writing, Reading)
  /// The owner has left.
  case closing(Closing)
  case closed

  enum Stage: Equatable {
    /// The addresses of a name are looked up.
    case lookup
    case handshake
  }

  enum Writing: Equatable {
    case open
    /// The sender was asked to wait.
    case full
    /// The end follows when all is written.
    case ending
    case ended
    /// The system accepts no more. The reason is reported when nothing is left to read.
    case broken(TransportFailure)
  }

  enum Reading: Equatable {
    case idle
    /// The system may have bytes.
    case ready
    case ended
  }

  enum Closing: Equatable {
    /// No connection yet; bytes that were sent wait for it.
    case connecting(Stage)
    /// The end follows when all is written.
    case goodbye
    /// The reset follows when all has arrived.
    case reset
  }
}

// What the phase says.
extension SocketPhase {
  var canSend: Bool {
    switch self {
    case .connecting(_, .open), .connecting(_, .full), .open(.open, _), .open(.full, _): true
    case .connecting, .open, .closing, .closed: false
    }
  }

  /// True if the sender does not have to wait.
  var hasRoom: Bool {
    switch self {
    case .connecting(_, .open), .open(.open, _): true
    case .connecting, .open, .closing, .closed: false
    }
  }

  /// True if bytes may be handed to the system.
  var canWrite: Bool {
    switch self {
    case .open, .closing(.goodbye), .closing(.reset): true
    case .connecting, .closing(.connecting), .closed: false
    }
  }

  var canRead: Bool {
    switch self {
    case .open(_, .ready): true
    case .open, .connecting, .closing, .closed: false
    }
  }

  /// True if the other side may still send something that the owner will receive.
  var expectsBytes: Bool {
    switch self {
    case .open(_, .idle), .open(_, .ready): true
    case .open, .connecting, .closing, .closed: false
    }
  }

  /// True if the other side has ended, so that only a failure can still be reported.
  var hasReceivedEnd: Bool {
    switch self {
    case .open(_, .ended): true
    case .open, .connecting, .closing, .closed: false
    }
  }

  var isConnecting: Bool {
    switch self {
    case .connecting, .closing(.connecting): true
    case .open, .closing, .closed: false
    }
  }

  /// True if this end has nothing more to send, its end included.
  var hasSentAll: Bool {
    switch self {
    case .open(.ended, _), .closing(.reset), .closed: true
    case .connecting, .open, .closing: false
    }
  }

  var writeFailure: TransportFailure? {
    switch self {
    case .connecting(_, .broken(let failure)), .open(.broken(let failure), _): failure
    case .connecting, .open, .closing, .closed: nil
    }
  }
}

// What the owner does.
extension SocketPhase {
  /// Notes how many bytes wait after sending.
  mutating func sent(waiting: Int) {
    if waiting > MemoryPipe.window, hasRoom { setWriting(.full) }
  }

  /// Ends sending; false if it has ended already.
  mutating func shutDownWriting() -> Bool {
    guard canSend else { return false }
    setWriting(.ending)
    return true
  }

  /// Begins to close; false if closing has begun already.
  mutating func close() -> Bool {
    switch self {
    case .connecting(let stage, _): self = .closing(.connecting(stage))
    case .open: self = .closing(.goodbye)
    case .closing, .closed: return false
    }
    return true
  }

  enum Abort { case nothing, reset, resetWhenArrived }

  mutating func abort(hasArrived: @autoclosure () -> Bool) -> Abort {
    switch self {
    case .closing(.reset), .closed: return .nothing
    case .connecting, .closing(.connecting): return .reset
    case .open, .closing(.goodbye):
      if hasArrived() { return .reset }
      self = .closing(.reset)
      return .resetWhenArrived
    }
  }

  private mutating func setWriting(_ writing: Writing) {
    switch self {
    case .connecting(let stage, _): self = .connecting(stage, writing)
    case .open(_, let reading): self = .open(writing, reading)
    case .closing, .closed: break
    }
  }
}

// What happens while connecting.
extension SocketPhase {
  enum LookedUp { case nothing, connect, end }

  /// Decides whether to connect when the addresses are known: the owner may have left meanwhile.
  func lookedUp(hasUnsent: Bool) -> LookedUp {
    switch self {
    case .connecting(.lookup, _): .connect
    case .closing(.connecting(.lookup)): hasUnsent ? .connect : .end
    case .connecting, .open, .closing, .closed: .nothing
    }
  }

  mutating func beganHandshake() {
    switch self {
    case .connecting(_, let writing): self = .connecting(.handshake, writing)
    case .closing(.connecting): self = .closing(.connecting(.handshake))
    case .open, .closing, .closed: break
    }
  }

  mutating func connected() {
    switch self {
    case .connecting(_, let writing): self = .open(writing, .idle)
    case .closing(.connecting): self = .closing(.goodbye)
    case .open, .closing, .closed: break
    }
  }
}

// What the system reports.
extension SocketPhase {
  enum Flushed { case nothing, notifyWritable, shutDown, shutDownAndEnd, skipReceivedAndEnd }

  /// Decides what follows when the system has accepted all but some bytes.
  mutating func flushed(waiting: Int) -> Flushed {
    switch self {
    case .open(.full, let reading) where waiting <= MemoryPipe.window / 2:
      self = .open(.open, reading)
      return .notifyWritable
    case .open(.ending, let reading) where waiting == 0:
      self = .open(.ended, reading)
      return reading == .ended ? .shutDownAndEnd : .shutDown
    case .closing(.goodbye) where waiting == 0: return .skipReceivedAndEnd
    case .connecting, .open, .closing, .closed: return .nothing
    }
  }

  enum WritingBroke { case read, fail, end }

  /// Decides what follows when the system accepts no more: what was received before comes first.
  mutating func writingBroke(_ failure: TransportFailure) -> WritingBroke {
    switch self {
    case .open(_, .ended), .connecting: return .fail
    case .open:
      self = .open(.broken(failure), .ready)
      return .read
    case .closing, .closed: return .end
    }
  }

  /// Notes that the system may have bytes; false if nobody reads them.
  mutating func becameReadable() -> Bool {
    guard case .open(let writing, let reading) = self, reading != .ended else { return false }
    if reading == .idle { self = .open(writing, .ready) }
    return true
  }

  /// Notes that the system has no bytes; returns the failure that is to be reported now.
  mutating func readAll() -> TransportFailure? {
    guard case .open(let writing, .ready) = self else { return nil }
    self = .open(writing, .idle)
    return writeFailure
  }

  enum Ended {
    case fail(TransportFailure)
    case notify, notifyAndEnd
  }

  /// Decides what follows the end of what the other side sent.
  mutating func receivedEnd() -> Ended {
    guard case .open(let writing, _) = self else { return .notify }
    if case .broken(let failure) = writing { return .fail(failure) }
    self = .open(writing, .ended)
    return writing == .ended ? .notifyAndEnd : .notify
  }

  /// Keeps a failure of reading until the bytes that came before it are delivered.
  mutating func readingBroke(_ failure: TransportFailure) {
    guard case .open(_, let reading) = self, writeFailure == nil else { return }
    self = .open(.broken(failure), reading)
  }
}
