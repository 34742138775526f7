import CWarden

/// A small kernel with threads that wake each other, for the rules by which rest is found.
///
/// Between two looks it takes steps at random, so that each order of looks and steps comes up.
struct RestModel {
  enum State { case running, goingToSleep, asleep, waking, stopped, ending, gone }
  enum Action {
    case wake(Int)
    case send(Int)
    case end
  }

  struct Thread {
    var state = State.asleep
    var actions: [Action] = []
    var runs: UInt = 0
    /// How often it was woken without having slept since.
    var calls = 0
  }

  private(set) var threads: [Thread]
  /// The threads to which something is under way.
  private var underWay: [Int] = []
  private var random: UInt64
  private var hasStopped = false

  init(_ actions: [[Action]], seed: UInt64) {
    threads = actions.map { Thread(actions: $0) }
    threads[0].state = .running
    random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// Whether nothing will happen by itself any more.
  var isAtRest: Bool {
    underWay.isEmpty && threads.allSatisfy { $0.state == .asleep || $0.state == .gone }
  }

  private mutating func chance(_ most: Int) -> Int {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return Int(random % UInt64(most))
  }

  /// Takes some steps, as other processors do between two looks.
  mutating func goOn() {
    for _ in 0..<[0, 0, 0, 1, 1, 2, 3][chance(7)] { step() }
  }

  private mutating func step() {
    if !underWay.isEmpty, chance(2) == 0 {
      wake(underWay.removeFirst())
      return
    }
    let able = threads.indices.filter {
      ![.asleep, .stopped, .gone].contains(threads[$0].state)
    }
    if !able.isEmpty { step(able[chance(able.count)]) }
  }

  private mutating func step(_ at: Int) {
    switch threads[at].state {
    case .asleep, .stopped, .gone: break
    case .ending:
      threads[at].state = .gone
      // Its parent hears of it.
      hasStopped = true
      if at > 0 { wake(0) }
    case .waking:
      threads[at].state = .running
      threads[at].runs += 1
      threads[at].calls -= 1
    case .goingToSleep:
      if threads[at].calls > 0 {
        threads[at].calls -= 1
        threads[at].state = .running
      } else {
        threads[at].state = .asleep
      }
    case .running: act(at)
    }
  }

  private mutating func act(_ at: Int) {
    guard !threads[at].actions.isEmpty else {
      threads[at].state = .goingToSleep
      return
    }
    switch threads[at].actions.removeFirst() {
    case .wake(let other): wake(other)
    case .send(let other): underWay.append(other)
    case .end:
      threads[at].state = .stopped
      hasStopped = true
      return
    }
    threads[at].state = .goingToSleep
  }

  private mutating func wake(_ at: Int) {
    guard ![.gone, .ending, .stopped].contains(threads[at].state) else { return }
    threads[at].calls += 1
    if threads[at].state == .asleep { threads[at].state = .waking }
  }

  // What the looks see.

  func runs(_ at: Int) -> UInt { threads[at].runs }

  /// The look waits until a thread that is going to sleep is off its processor.
  mutating func isOff(_ at: Int) -> Bool {
    if threads[at].state == .goingToSleep { step(at) }
    return threads[at].state != .running
  }

  func isAsleep(_ at: Int) -> Bool {
    switch threads[at].state {
    case .asleep, .goingToSleep, .stopped, .ending, .gone: true
    case .running, .waking: false
    }
  }

  var isOneEnding: Bool { threads.contains { $0.state == .ending } }
  var hasBytesUnderWay: Bool { !underWay.isEmpty }

  /// The end of a process stops it first.
  mutating func handleStops() -> Bool {
    for at in threads.indices where threads[at].state == .stopped { threads[at].state = .ending }
    defer { hasStopped = false }
    return hasStopped
  }
}

/// The model that the looks of this thread see.
nonisolated(unsafe) private var model = RestModel([[]], seed: 1)

private func looking<Result>(_ look: (inout RestModel) -> Result) -> Result {
  model.goOn()
  return look(&model)
}

private let eyes = cwarden_eyes(
  thread_count: { Int32(model.threads.count) },
  runs: { at in looking { $0.runs(Int(at)) } },
  is_off: { at in looking { $0.isOff(Int(at)) ? 1 : 0 } },
  is_asleep: { at in looking { $0.isAsleep(Int(at)) ? 1 : 0 } },
  handle_stops: { looking { $0.handleStops() ? 1 : 0 } },
  is_one_ending: { looking { $0.isOneEnding ? 1 : 0 } },
  has_bytes_under_way: { looking { $0.hasBytesUnderWay ? 1 : 0 } })

/// Looks until rest is found, and returns whether there was rest; nil if none was found.
func findsRest(_ actions: [[RestModel.Action]], seed: UInt64, without rule: UInt32) -> Bool? {
  model = RestModel(actions, seed: seed)
  var busy: Int32 = -1
  for _ in 0..<1_000 {
    if withUnsafePointer(to: eyes, { cwarden_are_at_rest($0, rule, &busy) }) != 0 {
      return model.isAtRest
    }
    model.goOn()
  }
  return nil
}
