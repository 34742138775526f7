import Events
import ScenarioPlan
import Values

/// The emitted values of all sources, and those that are not accounted for yet.
///
/// Events of one source are accounted for in their order only, so that a source needs only a
/// cursor. All emissions lie in one array; those of one source are linked both ways.
struct EmissionBuffer {
  /// An emitted value, or the end of a stream.
  struct Emission {
    /// The event's place in the log.
    var sequence: EventID
    var time: Microseconds
    var source: SourceID
    var value: Value
    /// The next and the previous emission of this source, by place in the buffer; -1: none.
    var next: Int32
    var previous: Int32
    var isAccountedFor = false
    /// True if a step has made it and accounts for it itself.
    var isOfStep = false
    /// Nil for a plain event.
    var ending: Ending?

    var isCompletion: Bool { ending == .completion }
  }

  /// The end of a stream. An error must be accounted for, completion need not be.
  enum Ending: UInt8 {
    case completion, failure
  }

  /// The attention that a scenario pays to a source.
  enum Attention: UInt8 {
    case none
    /// An `expect` that was reached names the source: its events must be accounted for.
    case watched
    /// The step `ignore` names the source after that: its events need not be accounted for.
    case ignored
  }

  /// The cursor of one source.
  struct Track {
    /// The first emission that has not been accounted for, or -1.
    var head: Int32 = -1
    var last: Int32 = -1
    var attention = Attention.none
    /// The branch whose open `expect` names this source.
    var owner: BranchID?
    /// The place of the source's sequence, in a map.
    var chain: Int32 = 0
    /// The number of events of this source that are still awaited, in a list.
    var remaining: Int32 = 0
    /// The last emission that an entry with `skip` passes over before its turn, in a list; or -1.
    var passedEarly: Int32 = -1
    /// The emission the source ended with, after which nothing comes, or -1.
    var ending: Int32 = -1
  }

  private(set) var emissions: [Emission] = []
  var tracks: PerID<SourcePlan, Track>
  /// The time of the last emission of any source.
  private(set) var lastTime: Microseconds = 0
  /// True once any source has ended.
  private(set) var hasEndings = false

  init(_ sources: Table<SourcePlan>) {
    tracks = PerID(repeating: Track(), for: sources)
    // As many as fit into a kilobyte: the allocator is far slower with more.
    emissions.reserveCapacity(16)
  }

  /// Notes an emission that no expectation asks for.
  mutating func pass(at time: Microseconds) { lastTime = time }

  mutating func append(_ source: SourceID, _ value: Value, sequence: EventID, time: Microseconds) {
    lastTime = time
    let place = Int32(truncatingIfNeeded: emissions.count)
    let last = tracks[source].last
    emissions.append(
      Emission(
        sequence: sequence, time: time, source: source, value: value, next: -1, previous: last))
    if last >= 0 { emissions[Int(last)].next = place }
    tracks[source].last = place
    if tracks[source].head < 0 { tracks[source].head = place }
  }

  /// Keeps an emission that is accounted for already; no expectation sees it.
  mutating func pass(_ source: SourceID, _ value: Value, sequence: EventID, time: Microseconds) {
    lastTime = time
    emissions.append(
      Emission(
        sequence: sequence, time: time, source: source, value: value, next: -1, previous: -1,
        isAccountedFor: true, isOfStep: true))
  }

  /// The last emission of a source that a step accounts for itself.
  func lastOfStep(_ source: SourceID) -> Emission? {
    emissions.last { $0.source == source && $0.isOfStep }
  }

  /// The end of a source: its error, or that it is complete.
  mutating func finish(
    _ source: SourceID, error: Value?, sequence: EventID, time: Microseconds
  ) {
    let value = error.map { Value.map(ValueMap([(.string("error"), $0)])) } ?? completedValue
    append(source, value, sequence: sequence, time: time)
    let place = emissions.count - 1
    emissions[place].ending = error == nil ? .completion : .failure
    tracks[source].ending = Int32(truncatingIfNeeded: place)
    hasEndings = true
  }

  /// Returns the error or the completion that ended a source.
  func ending(of source: SourceID) -> Emission? {
    let place = tracks[source].ending
    return place < 0 ? nil : emissions[Int(place)]
  }

  /// The first emission of a source that has not been accounted for.
  func next(of source: SourceID) -> Int? {
    let head = tracks[source].head
    return head < 0 ? nil : Int(head)
  }

  /// Returns a source's first emission that a list has not reached: neither accounted for nor
  /// passed over before its turn.
  func nextInList(of source: SourceID) -> Int? {
    let passed = tracks[source].passedEarly
    guard passed >= 0, let head = next(of: source) else { return next(of: source) }
    let following = emissions[Int(passed)].next
    return following < 0 ? nil : max(head, Int(following))
  }

  /// The last emission of a source, if it has not been accounted for.
  func last(of source: SourceID) -> Int? {
    tracks[source].head < 0 ? nil : Int(tracks[source].last)
  }

  /// Moves a source's cursor past its next emission.
  mutating func account(_ source: SourceID) {
    let head = tracks[source].head
    guard head >= 0 else { return }
    emissions[Int(head)].isAccountedFor = true
    tracks[source].head = emissions[Int(head)].next
  }

  /// Moves a source's cursor past all that came before an event.
  mutating func account(_ source: SourceID, before sequence: EventID) {
    while let place = next(of: source), emissions[place].sequence < sequence { account(source) }
  }

  /// The emissions of a source since an event that have not been accounted for, the latest first.
  func unaccounted(of source: SourceID, since sequence: EventID) -> UnaccountedBackwards {
    UnaccountedBackwards(buffer: self, source: source, since: sequence)
  }

  /// All emissions of a source that have not been accounted for, in order; completion needs none.
  func unaccounted(of source: SourceID) -> [Emission] {
    var found: [Emission] = []
    var place = tracks[source].head
    while place >= 0 {
      if !emissions[Int(place)].isCompletion { found.append(emissions[Int(place)]) }
      place = emissions[Int(place)].next
    }
    return found
  }

  /// Everything so far is past and gone, as it is for `finally`.
  mutating func startAfresh() {
    for source in tracks.indices { tracks[source] = Track(ending: tracks[source].ending) }
  }
}

extension EmissionBuffer.Emission {
  /// Makes one that no other is linked to.
  init(_ source: SourceID, _ value: Value, _ event: Event) {
    self.init(
      sequence: event.sequence, time: event.time, source: source, value: value, next: -1,
      previous: -1)
  }
}

/// Walks a source's unaccounted emissions from the last one back to an event.
struct UnaccountedBackwards: Sequence, IteratorProtocol {
  private let buffer: EmissionBuffer
  private var place: Int32
  private let head: Int32
  private let since: EventID

  init(buffer: EmissionBuffer, source: SourceID, since: EventID) {
    self.buffer = buffer
    self.since = since
    head = buffer.tracks[source].head
    place = head < 0 ? -1 : buffer.tracks[source].last
  }

  mutating func next() -> EmissionBuffer.Emission? {
    while place >= 0, place >= head {
      let emission = buffer.emissions[Int(place)]
      guard emission.sequence >= since else { return nil }
      place = emission.previous
      if !emission.isCompletion { return emission }
    }
    return nil
  }
}
