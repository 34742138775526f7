import Values

/// The differences between two runs, aligned by source and order. The first one comes first.
///
/// Numbers of events and connections are names within a trace, and are not compared.
package struct TraceDifferences: Sendable {
  package struct Difference: Sendable {
    package enum Change: Sendable, Equatable {
      /// Both sides have an event here, with another value.
      case value
      /// The same event came at another time: so many microseconds later in B.
      case time(Microseconds)
      case onlyInA
      case onlyInB
    }

    package var change: Change
    package var a: TraceReader.Entry?
    package var b: TraceReader.Entry?
    /// The parts of the value that differ, each as `headers.etag: A 1, B 2`.
    package var parts: [String] = []
    /// The number of later events that came later by the same time.
    package var followers = 0
    /// For an event that only B has: the line of the event in A behind which it comes, of those at
    /// its time; 0 if it is the first.
    fileprivate(set) var lineBefore = 0
  }

  /// The places of an event in both runs, perhaps with another value.
  fileprivate struct Match: Sendable {
    var b: Int
    var a: Int
    var time: Microseconds
  }

  package private(set) var differences: [Difference] = []
  /// The members of the header that differ. They explain differences and are none.
  package let headers: [TraceHeaderMember]
  /// The number of events that were compared, on the side that has more.
  package let compared: Int
  /// The hash of both traces, if they have the same.
  package let hash: String?
  let comparesTimes: Bool
  /// The events that both runs have; in the end, in the order of B.
  private var matches: [Match] = []
  let a: TraceRun
  let b: TraceRun
  /// The compared content of lines: the same as in a replay, without the time of day.
  private let content = ComparedContent(ignored: TraceDifferences.ignoredHeaders)
  /// Those that a replay does not compare, and those that say when an answer came.
  static let ignoredHeaders = ReplayRules.ignoredHeaders.union(["date", "keep-alive"])
  private let noise: ReplayNoise
  /// By entry of A: its exchange, if there is noise.
  private let exchanges: (all: RecordedExchanges, ofEntries: [Int: Int])?

  /// The most lines of a source that are aligned by their values; more are aligned by their order.
  package static let mostAligned = 1_000

  /// - Parameter noise: The places at which values of one type are equal.
  package init(_ a: TraceRun, _ b: TraceRun, noise: ReplayNoise = ReplayNoise()) {
    (self.a, self.b) = (a, b)
    self.noise = noise
    let all = noise.isEmpty ? nil : RecordedExchanges(a) { _ in true }
    exchanges = all.map { ($0, $0.ofEntries) }
    comparesTimes = a.header.isVirtual == true && b.header.isVirtual == true
    headers = TraceDifferences.comparedMembers.filter {
      a.header.json(of: $0) != b.header.json(of: $0)
    }
    let (first, second) = (a.lanes, b.lanes)
    compared = max(
      first.values.reduce(0) { $0 + $1.count }, second.values.reduce(0) { $0 + $1.count })
    let hashes = [a, b].map { $0.entries.last?.line.hash }
    hash = hashes[0] == hashes[1] ? hashes[0] : nil
    for name in Set(first.keys).union(second.keys) {
      align(first[name] ?? [], second[name] ?? [])
    }
    placeAdditions()
    differences = differences.sorted { position($0) < position($1) }
    foldShifts()
  }

  private static let comparedMembers: [TraceHeaderMember] = [
    .scenario, .files, .time, .worlds, .sides, .programs, .seed, .clock, .vars, .spellings,
    .options,
  ]

  /// By time, then in the order of A. What A does not have comes where it comes in B.
  private func position(_ difference: Difference) -> (Microseconds, Int, Int) {
    let time = min(difference.a?.time ?? .max, difference.b?.time ?? .max)
    guard let a = difference.a else {
      return (time, difference.lineBefore, difference.b?.place.line ?? .max)
    }
    return (time, a.place.line, 0)
  }

  /// Finds the event of A behind which each event comes that A does not have.
  private mutating func placeAdditions() {
    defer { matches = [] }
    guard differences.contains(where: { $0.a == nil }) else { return }
    matches.sort { $0.b < $1.b }
    for index in differences.indices where differences[index].a == nil {
      guard let addition = differences[index].b else { continue }
      let before = matches.lastBefore(line: addition.place.line)
      if let before, before.time == addition.time { differences[index].lineBefore = before.a }
    }
  }

  /// A clock that is shifted from some event on is one difference.
  private mutating func foldShifts() {
    var folded: [Difference] = []
    var shifts: [Microseconds: Int] = [:]
    for difference in differences {
      if case .time(let shift) = difference.change {
        if let index = shifts[shift] {
          folded[index].followers += 1
          continue
        }
        shifts[shift] = folded.count
      }
      folded.append(difference)
    }
    differences = folded
  }
}

extension TraceRun {
  /// The indices of the lines that are compared, by what emitted them. No line is read for it.
  fileprivate var lanes: [Value: [Int]] {
    var lanes: [Value: [Int]] = [:]
    for index in entries.indices {
      guard let kind = entries.kind(of: index), kind.comparison != .never else { continue }
      let lane = entries.source(of: index) ?? "(\(kind.rawValue))"
      lanes[.string(lane), default: []].append(index)
    }
    return lanes
  }
}

extension [TraceDifferences.Match] {
  /// Returns the last match whose event comes before a line of B; the matches have the order of B.
  fileprivate func lastBefore(line: Int) -> TraceDifferences.Match? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].b < line { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? self[low - 1] : nil
  }
}

extension TraceDifferences {
  private mutating func align(_ a: [Int], _ b: [Int]) {
    let begin = zip(a, b).prefix { hasSameContent($0, $1) }.count
    let rest = (a[begin...], b[begin...])
    let end = zip(rest.0.reversed(), rest.1.reversed()).prefix { hasSameContent($0, $1) }.count
    for (one, other) in zip(a[..<begin], b) { compareTimes(one, other) }
    alignMiddle(Array(rest.0.dropLast(end)), Array(rest.1.dropLast(end)))
    for (one, other) in zip(a.suffix(end), b.suffix(end)) { compareTimes(one, other) }
  }

  private mutating func alignMiddle(_ a: [Int], _ b: [Int]) {
    guard max(a.count, b.count) <= TraceDifferences.mostAligned else { return pair(a, b) }
    for part in aligned(a, b, by: { hasSameContent($0, $1) }) {
      switch part {
      case .same(let i, let j): compareTimes(a[i], b[j])
      case .gap(let gone, let new): pair(Array(a[gone]), Array(b[new]))
      }
    }
  }

  /// Holds events against each other by their order.
  private mutating func pair(_ a: [Int], _ b: [Int]) {
    for (one, other) in zip(a, b) {
      if hasSameContent(one, other) {
        compareTimes(one, other)
      } else {
        match(one, other)
        add(.value, one, other)
      }
    }
    for one in a.dropFirst(b.count) { add(.onlyInA, one, nil) }
    for other in b.dropFirst(a.count) { add(.onlyInB, nil, other) }
  }

  private mutating func match(_ one: Int, _ other: Int) {
    matches.append(
      Match(
        b: b.entries.line(of: other), a: a.entries.line(of: one), time: b.entries.time(of: other)))
  }

  private mutating func compareTimes(_ one: Int, _ other: Int) {
    match(one, other)
    let (first, second) = (a.entries.time(of: one), b.entries.time(of: other))
    guard comparesTimes, first != second else { return }
    add(.time(second - first), one, other)
  }

  private mutating func add(_ change: Difference.Change, _ one: Int?, _ other: Int?) {
    var difference = Difference(
      change: change, a: one.map { a.entries[$0] }, b: other.map { b.entries[$0] })
    if change == .value, let one, let other {
      let (first, second) = values(one, other)
      difference.parts = content.differences(first, second, sides: ("A", "B"))
    }
    differences.append(difference)
  }

  private func hasSameContent(_ one: Int, _ other: Int) -> Bool {
    if a.entries.isWrittenAlike(at: one, as: b.entries, at: other) { return true }
    let (first, second) = (a.entries[one].line, b.entries[other].line)
    guard first.kind == second.kind, first.from == second.from else { return false }
    let (old, new) = values(one, other)
    // Either recording may have names of secrets.
    return isMatch(old, new) || isMatch(new, old)
  }

  /// Returns what is compared of two lines; noise has its value in A.
  private func values(_ one: Int, _ other: Int) -> (Value, Value) {
    let (first, second) = (a.entries[one].line, b.entries[other].line)
    let values = (content.value(of: first, like: first), content.value(of: second, like: first))
    guard let exchanges, let source = first.source, let kind = first.knownKind else {
      return values
    }
    let request = exchanges.ofEntries[one].map {
      a.entries[exchanges.all.request(of: $0)].line.value?.json
    }
    let scope = NoiseScope(
      source, kind, method: request??["method"]?.plainText, path: request??["path"]?.plainText)
    var passed = PassedNoise()
    return (values.0, passed.settled(values.1, toward: values.0, in: scope, by: noise))
  }
}
