import Values

/// The choice of the recorded exchange that answers a request.
///
/// The first unused one by the strictest rule; each is used once, unless they repeat. Of each
/// recorded request only hashes are kept. One that fits is read from the trace, to be sure.
package struct ExchangeChooser: Sendable {
  private struct Candidate: Sendable {
    var prints: RequestPrints
    /// The next one in its group.
    var next: Int32 = ExchangeChooser.none
  }

  /// The requests of one endpoint with one method and path, or with a path that contains a secret.
  private struct Group: Sendable {
    let first: Int32
    var firstUnused: Int32
    var last: Int32
  }

  private var candidates: [Candidate] = []
  /// By the hash of source, method and path.
  private var groups: [Int: Group] = [:]
  private var used: EntrySet
  /// True if an exchange may be used again; the last one that fits repeats.
  private let repeats: Bool
  /// The permitted differences between a recorded request and one that it answers.
  private let noise: ReplayNoise
  private let request: @Sendable (Int) -> TraceLine
  private static let none: Int32 = -1

  /// - Parameters:
  ///   - count: The number of exchanges.
  ///   - repeats: True if an exchange may answer several requests.
  ///   - noise: What may differ.
  ///   - request: Reads the recorded request of an exchange.
  package init(
    count: Int, repeats: Bool = false, noise: ReplayNoise = ReplayNoise(),
    reading request: @escaping @Sendable (Int) -> TraceLine
  ) {
    self.repeats = repeats
    self.noise = noise
    self.request = request
    used = EntrySet(count: count)
    candidates.reserveCapacity(count)
    for exchange in 0..<count { add(request(exchange)) }
  }

  private mutating func add(_ line: TraceLine) {
    let key = RequestKey(line, noise)
    let place = Int32(candidates.count)
    candidates.append(Candidate(prints: key.prints))
    let group = ExchangeChooser.group(
      line.source, key.method, key.path.contains("‹") ? nil : key.path)
    if let last = groups[group]?.last {
      candidates[Int(last)].next = place
      groups[group]?.last = place
    } else {
      groups[group] = Group(first: place, firstUnused: place, last: place)
    }
  }

  /// - Parameter path: Nil for paths that contain a secret, which may be any text.
  private static func group(_ source: String?, _ method: String, _ path: String?) -> Int {
    var hasher = Hasher()
    hasher.combine(source ?? "")
    hasher.combine(method)
    hasher.combine(path)
    return hasher.finalize()
  }

  /// An exchange that answers a request.
  package struct Taken: Sendable {
    package var exchange: Int
    /// The rule by which it was found.
    package var layer: RequestLayer
    /// True if another step than that of the request has asked for it, which is still to come.
    package var isOfOtherStep = false
  }

  /// Takes the exchange that answers a request: rather one that its own step asked for.
  ///
  /// - Parameter isOfOtherStep: Returns whether another step made a recorded request.
  package mutating func take(
    _ line: TraceLine, by layers: [RequestLayer] = RequestLayer.allCases,
    isOfOtherStep: (TraceLine) -> Bool = { _ in false }
  ) -> Taken? {
    let asked = AskedRequest(line, noise)
    let source = line.source
    let named = ExchangeChooser.group(source, asked.key.method, asked.key.path)
    let hidden = ExchangeChooser.group(source, asked.key.method, nil)
    for layer in layers {
      for group in [named, hidden] {
        if let found = take(asked, from: group, by: layer, isOfOtherStep) {
          return Taken(exchange: found, layer: layer)
        }
      }
      for group in [named, hidden] {
        if let found = take(asked, from: group, by: layer, { _ in false }) {
          return Taken(exchange: found, layer: layer, isOfOtherStep: true)
        }
      }
    }
    return nil
  }

  /// Lets the next request like it take an exchange again, whose answer did not come.
  package mutating func giveBack(_ exchange: Int) { used.remove(exchange) }

  private mutating func take(
    _ asked: AskedRequest, from group: Int, by layer: RequestLayer,
    _ isOfOtherStep: (TraceLine) -> Bool
  ) -> Int? {
    var usedOnes: [Int] = []
    var next = firstUnused(of: group)
    while next != ExchangeChooser.none {
      let place = Int(next)
      next = candidates[place].next
      guard candidates[place].prints.mayAnswer(to: asked.prints, by: layer) else { continue }
      if used.contains(place) {
        if repeats { usedOnes.append(place) }
      } else if answers(place, to: asked, by: layer, isOfOtherStep) {
        used.insert(place)
        return place
      }
    }
    return usedOnes.last { answers($0, to: asked, by: layer, isOfOtherStep) }
  }

  private mutating func firstUnused(of key: Int) -> Int32 {
    guard let group = groups[key] else { return ExchangeChooser.none }
    if repeats { return group.first }
    var first = group.firstUnused
    while first != ExchangeChooser.none, used.contains(Int(first)) {
      first = candidates[Int(first)].next
    }
    groups[key]?.firstUnused = first
    return first
  }

  private func answers(
    _ exchange: Int, to asked: AskedRequest, by layer: RequestLayer,
    _ isOfOtherStep: (TraceLine) -> Bool
  ) -> Bool {
    let line = request(exchange)
    return line.source == asked.source
      && RequestKey(line, noise).isTaken(for: asked.key, by: layer) && !isOfOtherStep(line)
  }

  /// Returns whether an exchange has answered a request.
  func isUsed(_ exchange: Int) -> Bool { used.contains(exchange) }

  /// Returns what differs between a recorded request and one, each as `query: recorded 1, asked 2`.
  package func differences(of exchange: Int, from line: TraceLine) -> [String] {
    RequestKey(request(exchange), noise).differences(from: RequestKey(line, noise))
  }

  /// The recorded request that is nearest to one that none answers.
  package struct Nearest: Sendable {
    package var exchange: Int
    package var isUsed: Bool
    /// The differences, each as `query: recorded 1, asked 2`.
    package var differences: [String]
  }

  /// The most recorded requests that are held against one that none answers.
  private static let mostCompared = 1_000

  /// Returns the nearest recorded request: rather an unused one, then the one that differs least.
  package func nearest(to line: TraceLine) -> Nearest? {
    let asked = AskedRequest(line, noise)
    guard let unused = nearest(to: asked, where: { !used.contains($0) }) else {
      return nearest(to: asked) { _ in true }
    }
    if unused.differences.isEmpty { return unused }
    // The same may have been asked once too often.
    let any = nearest(to: asked) { _ in true }
    return any?.differences.isEmpty == true ? any : unused
  }

  private func nearest(to asked: AskedRequest, where mayBe: (Int) -> Bool) -> Nearest? {
    var places = near(asked, where: mayBe)
    let near = Set(places)
    for place in candidates.indices where places.count < ExchangeChooser.mostCompared {
      if mayBe(place), !near.contains(place) { places.append(place) }
    }
    var found: (nearest: Nearest, distance: Int)?
    for place in places.sorted() {
      let line = request(place)
      guard line.source == asked.source else { continue }
      let key = RequestKey(line, noise)
      let differences = key.differences(from: asked.key)
      let distance = distance(key.path, asked.key.path)
      if let found,
        (found.nearest.differences.count, found.distance) <= (differences.count, distance)
      {
        continue
      }
      let nearest = Nearest(
        exchange: place, isUsed: used.contains(place), differences: differences)
      found = (nearest, distance)
    }
    return found?.nearest
  }

  /// Returns how many bytes of two paths lie between their equal beginnings and ends.
  private func distance(_ path: String, _ other: String) -> Int {
    let start = zip(path.utf8, other.utf8).prefix { $0 == $1 }.count
    let (rest, others) = (path.utf8.dropFirst(start), other.utf8.dropFirst(start))
    let end = zip(rest.reversed(), others.reversed()).prefix { $0 == $1 }.count
    return rest.count + others.count - 2 * end
  }

  /// Returns recorded requests with the method and path of one; first those that seem to be equal.
  private func near(_ asked: AskedRequest, where mayBe: (Int) -> Bool) -> [Int] {
    let group = ExchangeChooser.group(asked.source, asked.key.method, asked.key.path)
    var (equal, others): ([Int], [Int]) = ([], [])
    var next = groups[group]?.first ?? ExchangeChooser.none
    while next != ExchangeChooser.none {
      let place = Int(next)
      next = candidates[place].next
      guard mayBe(place) else { continue }
      if candidates[place].prints.isExactly(asked.prints) {
        equal.append(place)
      } else {
        others.append(place)
      }
    }
    return Array((equal + others).prefix(ExchangeChooser.mostCompared))
  }
}

/// A request of the replay, and its hashes.
private struct AskedRequest {
  let source: String?
  let key: RequestKey
  let prints: RequestPrints

  init(_ line: TraceLine, _ noise: ReplayNoise) {
    source = line.source
    key = RequestKey(line, noise)
    prints = key.prints
  }
}
