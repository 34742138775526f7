import Values

/// An event of a trace, with its members as they stand in the line.
package struct TraceLine: Sendable, Equatable {
  /// The kind of a line. A name that is not in the table is kept.
  package enum Kind: Sendable, Equatable {
    case known(TraceKind)
    case other(String)
  }

  package var number: Int?
  package var time: Microseconds?
  /// The time of day, which other programs write in place of `us`.
  package var timestamp: Timestamp?
  /// Nil if the line has none, which stands for `emitted`.
  package var writtenKind: Kind?
  package var source: String?
  package var cause: Int?
  package var value: TraceValue?
  package var text: TraceValue?
  package var connection: Int?
  package var from: TraceSide?
  /// True for what a client of the scenario sent to an endpoint that was served. It is no input: it
  /// happens again by itself.
  package var isOwn = false
  package var seen: Int?
  package var at: String?
  /// The identity of the step or the assertion.
  package var step: String?
  package var run: Int?
  package var isSettled = false
  package var hash: String?
  /// The members that this version does not know, in the order of their line.
  package var others = ValueMap()

  package init() {}

  package init(
    _ kind: TraceKind, source: String? = nil, _ value: Value? = nil, at time: Microseconds? = nil
  ) {
    writtenKind = .known(kind)
    self.source = source
    if let value { self.value = TraceValue(value) }
    self.time = time
  }

  package var kind: Kind { writtenKind ?? .known(.emitted) }

  /// The kind; nil if this version does not know it.
  package var knownKind: TraceKind? { if case .known(let kind) = kind { kind } else { nil } }
}

extension TraceLine.Kind {
  package init(_ name: String) { self = TraceKind(rawValue: name).map(Self.known) ?? .other(name) }

  package var name: String {
    switch self {
    case .known(let kind): kind.rawValue
    case .other(let name): name
    }
  }
}

extension TraceLine {
  /// The JSON of a member; nil if the line does not have it.
  package func json(of member: TraceMember) -> Value? {
    switch member {
    case .n: number.map { .int($0) }
    case .us: time.map { .int(Int($0)) }
    case .time: timestamp.map { .string($0.text) }
    case .kind: writtenKind.map { .string($0.name) }
    case .source: source.map { .string($0) }
    case .cause: cause.map { .int($0) }
    case .value: value?.json
    case .text: text?.json
    case .connection: connection.map { .int($0) }
    case .from: from.map { .string($0.rawValue) }
    case .own: isOwn ? true : nil
    case .seen: seen.map { .int($0) }
    case .at: at.map { .string($0) }
    case .step: step.map { .string($0) }
    case .run: run.map { .int($0) }
    case .settled: isSettled ? true : nil
    case .hash: hash.map { .string($0) }
    }
  }

  /// Sets a member from its JSON. Returns false if it has another form.
  mutating func set(_ member: TraceMember, _ json: Value) -> Bool {
    switch member.form {
    case .integer: if case .int(let number) = json { return set(member, number) }
    case .microseconds:
      if case .int(let number) = json, number >= 0 { return set(member, number) }
    case .text: if case .string(let text) = json { return set(member, text) }
    case .side:
      guard case .string(let text) = json, let side = TraceSide(rawValue: text) else { break }
      from = side
      return true
    case .flag:
      guard case .bool(let flag) = json else { break }
      if member == .own { isOwn = flag } else { isSettled = flag }
      return true
    case .timestamp:
      guard let time = Timestamp(logged: json) else { break }
      timestamp = time
      return true
    case .anyValue: return set(member, TraceValue(json: json))
    }
    return false
  }

  private mutating func set(_ member: TraceMember, _ number: Int) -> Bool {
    switch member {
    case .n: self.number = number
    case .us: time = Microseconds(number)
    case .cause: cause = number
    case .connection: connection = number
    case .seen: seen = number
    case .run: run = number
    case .time, .kind, .source, .value, .text, .from, .own, .at, .step, .settled, .hash:
      return false
    }
    return true
  }

  private mutating func set(_ member: TraceMember, _ text: String) -> Bool {
    switch member {
    case .kind: writtenKind = Kind(text)
    case .source: source = text
    case .at: at = text
    case .step: step = text
    case .hash: hash = text
    case .n, .us, .time, .cause, .value, .text, .connection, .from, .own, .seen, .run, .settled:
      return false
    }
    return true
  }

  private mutating func set(_ member: TraceMember, _ value: TraceValue) -> Bool {
    if member == .text { text = value } else { self.value = value }
    return true
  }
}
