/// The lanes of a comparison, by number. A lane that most lines have is found by one search.
struct ReplayLanes: Sendable {
  /// The lines of a lane, and how many of them have happened again.
  struct LaneProgress: Sendable {
    /// The indices of the lines. A large trace has one for nearly each.
    var lines: [Int32] = []
    var next = 0
    /// True once something else came: what follows says nothing more.
    var isBroken = false

    /// The index of the line that is to happen next; nil if all have.
    var nextLine: Int? { next < lines.count ? Int(lines[next]) : nil }
  }

  private(set) var names: [ReplayComparison.Lane] = []
  var progress: [LaneProgress] = []
  private var numbers: [ReplayComparison.Lane: Int] = [:]
  /// By source, and by the place of a step as a line has it: the lane; nil for one that has none.
  private var ofSources: [String: Int?] = [:]
  private var ofSteps: [String: Int] = [:]

  /// Returns the number of a lane, which is made if there is none.
  mutating func number(of lane: ReplayComparison.Lane) -> Int {
    if let number = numbers[lane] { return number }
    numbers[lane] = names.count
    names.append(lane)
    progress.append(LaneProgress())
    return names.count - 1
  }

  /// Returns the lane of a source's events, if it is known; it may be none.
  func number(ofSource source: String) -> Int?? { ofSources[source] }

  /// Sets the lane of a source's events, and returns its number.
  mutating func set(_ lane: ReplayComparison.Lane?, ofSource source: String) -> Int? {
    let number = lane.map { self.number(of: $0) }
    ofSources[source] = .some(number)
    return number
  }

  /// Returns the lane of the step at a place, if it is known.
  func number(ofStep at: String) -> Int? { ofSteps[at] }

  /// Sets the lane of the step at a place, and returns its number.
  mutating func set(_ lane: ReplayComparison.Lane, ofStep at: String) -> Int {
    let number = number(of: lane)
    ofSteps[at] = number
    return number
  }

  /// True if inputs that were recorded later wait for the lines of a lane.
  func areAwaited(_ number: Int) -> Bool {
    switch names[number] {
    case .source, .program: !progress[number].isBroken
    case .step, .exchange, .connection: true
    case .assertion, .verdict: false
    }
  }
}
