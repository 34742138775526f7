import Values

/// The lanes of a comparison, by number. A lane that most lines have is found by one search.
struct ReplayLanes: Sendable {
  /// The lines of a lane, as a chain, and how far they have happened again.
  struct LaneProgress: Sendable {
    private static let none: Int32 = -1
    private var next = LaneProgress.none
    private var last = LaneProgress.none
    /// True once something else came: what follows says nothing more.
    var isBroken = false

    /// The index of the line that is to happen next; nil if all have.
    var nextLine: Int? {
      get { next == LaneProgress.none ? nil : Int(next) }
      set { next = newValue.map { Int32($0) } ?? LaneProgress.none }
    }

    /// Adds a line, and returns the line before it.
    mutating func append(_ index: Int) -> Int? {
      defer { last = Int32(index) }
      if last != LaneProgress.none { return Int(last) }
      next = Int32(index)
      return nil
    }
  }

  private(set) var names: [ReplayComparison.Lane] = []
  var progress: [LaneProgress] = []
  private var numbers: [ReplayComparison.Lane: Int] = [:]
  /// By source, and by the place of a step or an assertion as a line has it: the lane; nil for a
  /// source that has none.
  private var ofSources: [Value: Int?] = [:]
  private var ofSteps: [Value: Int] = [:]
  private var ofAssertions: [Value: Int] = [:]

  /// Returns the number of a lane, which is made if there is none.
  mutating func number(of lane: ReplayComparison.Lane) -> Int {
    if let number = numbers[lane] { return number }
    numbers[lane] = names.count
    names.append(lane)
    progress.append(LaneProgress())
    return names.count - 1
  }

  /// Returns the lane of a source's events, if it is known; it may be none.
  func number(ofSource source: String) -> Int?? { ofSources[.string(source)] }

  /// Sets the lane of a source's events, and returns its number.
  mutating func set(_ lane: ReplayComparison.Lane?, ofSource source: String) -> Int? {
    let number = lane.map { self.number(of: $0) }
    ofSources[.string(source)] = .some(number)
    return number
  }

  /// Returns the lane of the step at a place, if it is known.
  func number(ofStep at: String) -> Int? { ofSteps[.string(at)] }

  /// Sets the lane of the step at a place, and returns its number.
  mutating func set(_ lane: ReplayComparison.Lane, ofStep at: String) -> Int {
    let number = number(of: lane)
    ofSteps[.string(at)] = number
    return number
  }

  /// Returns the lane of the assertions at a place, if it is known.
  func number(ofAssertion at: String) -> Int? { ofAssertions[.string(at)] }

  /// Sets the lane of the assertions at a place, and returns its number.
  mutating func set(_ lane: ReplayComparison.Lane, ofAssertion at: String) -> Int {
    let number = number(of: lane)
    ofAssertions[.string(at)] = number
    return number
  }
}
