import Values

/// A bound on what an invariant keeps of the events so far.
enum InvariantLimit {
  /// Every answer is compared with all of them.
  case unanswered
  /// Every event is compared with all of them.
  case open
  case keys
  case counted

  var value: Int {
    switch self {
    case .unanswered, .open: 2_000
    case .keys, .counted: 100_000
    }
  }

  var name: String {
    switch self {
    case .unanswered: "unanswered-events"
    case .open: "open-intervals"
    case .keys: "keys-of-invariant"
    case .counted: "counted-events"
    }
  }

  var message: String {
    switch self {
    case .unanswered: "at most this many events may wait for what they lead to"
    case .open: "at most this many times may lie `between` two events at once"
    case .keys: "an invariant keeps events with at most this many different captures"
    case .counted: "at most this many events may lie in the time of a `count`"
    }
  }
}

/// A state for each key: the captured values that events share.
struct KeyedState<State> {
  private(set) var byKey: [[Value]: State] = [:]
  /// The number of keys at which those that matter no more are removed. It grows with the keys that
  /// stay, so that each key is looked at a fixed number of times.
  private var nextSweep = 1_024

  subscript(key: [Value]) -> State? { byKey[key] }

  /// Sets the state of a key; false if there are too many keys.
  mutating func set(
    _ state: State, for key: [Value], removing isOver: (State) -> Bool
  ) -> Bool {
    update(key, from: state, removing: isOver) { $0 = state }
  }

  /// Changes the state of a key where it lies; false if there are too many keys.
  mutating func update(
    _ key: [Value], from initial: State, removing isOver: (State) -> Bool,
    _ change: (inout State) -> Void
  ) -> Bool {
    if byKey.count >= nextSweep, byKey[key] == nil {
      byKey = byKey.filter { !isOver($0.value) }
      nextSweep = min(max(1_024, 2 * byKey.count), InvariantLimit.keys.value)
      if byKey.count >= InvariantLimit.keys.value { return false }
    }
    change(&byKey[key, default: initial])
    return true
  }

  mutating func remove(_ key: [Value]) { byKey[key] = nil }
}
