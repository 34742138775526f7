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

  package private(set) var differences: [Difference] = []
  /// The members of the header that differ. They explain differences and are none.
  package let headers: [TraceHeaderMember]
  /// The number of events that were compared, on the side that has more.
  package let compared: Int
  /// The hash of both traces, if they have the same.
  package let hash: String?
  let comparesTimes: Bool
  /// True if both sides of conversations are shown beside the events of sources.
  package var showsConversations = false
  /// By entry of B: the entry of A that is the same event, perhaps with another value, counted from
  /// 1; 0 for none.
  private var matches: [UInt32] = []
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
    matches = Array(repeating: 0, count: b.entries.count)
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
    let additions = differences.indices.filter { differences[$0].a == nil }.sorted {
      (differences[$0].b?.place.line ?? 0) < (differences[$1].b?.place.line ?? 0)
    }
    var (next, last) = (0, Int?.none)
    for addition in additions {
      guard let event = differences[addition].b else { continue }
      while next < matches.count, b.entries.line(of: next) < event.place.line {
        if matches[next] > 0 { last = next }
        next += 1
      }
      guard let last, b.entries.time(of: last) == event.time else { continue }
      differences[addition].lineBefore = a.entries.line(of: Int(matches[last]) - 1)
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
  fileprivate var lanes: [Value: [UInt32]] {
    var lanes: [Value: [UInt32]] = [:]
    for index in entries.indices {
      guard let kind = entries.kind(of: index), kind.comparison != .never else { continue }
      let lane = entries.source(of: index) ?? "(\(kind.rawValue))"
      lanes[.string(lane), default: []].append(UInt32(index))
    }
    return lanes
  }
}

extension TraceDifferences {
  private mutating func align(_ a: [UInt32], _ b: [UInt32]) {
    let shorter = 0..<min(a.count, b.count)
    let begin = shorter.first { !hasSameContent(Int(a[$0]), Int(b[$0])) } ?? shorter.count
    let rest = 0..<(shorter.count - begin)
    let end =
      rest.first { !hasSameContent(Int(a[a.count - 1 - $0]), Int(b[b.count - 1 - $0])) }
      ?? rest.count
    for (one, other) in zip(a[..<begin], b) { compareTimes(Int(one), Int(other)) }
    let middle = [a, b].map { $0[begin...].dropLast(end).map { Int($0) } }
    alignMiddle(middle[0], middle[1])
    for (one, other) in zip(a.suffix(end), b.suffix(end)) { compareTimes(Int(one), Int(other)) }
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

  private mutating func match(_ one: Int, _ other: Int) { matches[other] = UInt32(one) + 1 }

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
