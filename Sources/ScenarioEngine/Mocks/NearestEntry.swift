import Diagnostics
import Protocols
import ScenarioPlan
import Values

/// The comparison of one entry with a request; a smaller distance is closer.
private struct Nearness {
  var range: SourceRange
  var differences: [String] = []
  var distance = 0

  mutating func add(_ difference: String?, _ distance: Int) {
    guard let difference else { return }
    differences.append(difference)
    self.distance += distance
  }
}

/// The weights of differences.
private enum Distance {
  static let condition = 1
  static let method = 2
  /// A path that differs by a slip; each segment of another path adds to it.
  static let path = 3
  static let segment = 2
  /// A stream for any path that was not asked for: further away than a slip in a path.
  static let unasked = 4
}

extension EntryChooser {
  /// Returns the entry that comes closest to a request that no entry serves.
  func nearest(_ target: RequestTarget) -> NearestEntry {
    let kinds = ConversationKind.allCases.filter { !plan.conversations($0).isEmpty }
    let asked = kinds.filter { $0.isAsked(by: request) }
    let others = kinds.filter { !$0.isAsked(by: request) }
    var all = asked.flatMap { nearnesses($0, target) }
    all += plan.routes.indices.map { nearness(ofRoute: $0, target) }
    all += others.flatMap { nearnesses($0, target) }
    guard var closest = all.first else { return NearestEntry(range: nil, differences: []) }
    for candidate in all where candidate.distance < closest.distance { closest = candidate }
    return NearestEntry(range: closest.range, differences: closest.differences)
  }

  private func nearness(ofRoute number: Int, _ target: RequestTarget) -> Nearness {
    let route = plan.routes[number]
    var nearness = Nearness(range: route.range)
    let distance = pathDistance(route.segments, route.path, target)
    if distance > 0 {
      nearness.add("path     the request is for \(target.path), the route \(route.path)", distance)
    }
    if let method = route.method, !route.takes(target.method) {
      nearness.add(
        "method   the request is \(target.method), the route \(method)", Distance.method)
    }
    if WebSocketOffer.isMeant(by: request), !route.opens(.webSocket), !plan.webSockets.isEmpty {
      nearness.add(
        "Upgrade  the request asks for a WebSocket, which this route does not open",
        Distance.unasked)
    }
    guard nearness.distance == 0 else { return nearness }
    let parameters = route.parameters(of: target)
    nearness.add(comparison.differenceOfRoute(number, parameters), Distance.condition)
    return nearness
  }

  /// Of the entries for the path and method, only the one whose turn it is could have served.
  private func nearnesses(_ kind: ConversationKind, _ target: RequestTarget) -> [Nearness] {
    let turn = turn(of: kind)
    let entries = plan.conversations(kind)
    let candidates = entries.indices.filter { entries[$0].route == nil }
    return candidates.filter { $0 == turn || !isFor(entries[$0]) }.map { number in
      var nearness = nearness(of: number, kind, target)
      if number == turn, nearness.distance > 0 { nearness.add(laterText(kind, after: number), 0) }
      return nearness
    }
  }

  /// Returns the difference of a request that a later entry would serve.
  private func laterText(_ kind: ConversationKind, after turn: Int) -> String? {
    let entries = plan.conversations(kind)
    let later = entries.indices.first { number in
      number > turn && isFor(entries[number]) && fits(number, of: kind)
    }
    guard let later else { return nil }
    let ordinal = "entry \(later + 1) of \(entries.count)"
    return "order    \(ordinal) would fit, but this one for the same path comes first"
  }

  private func nearness(
    of number: Int, _ kind: ConversationKind, _ target: RequestTarget
  ) -> Nearness {
    let entry = plan.conversations(kind)[number]
    var nearness = Nearness(range: entry.range)
    if case .accept(let acceptance, _) = entry.kind {
      for part in acceptance.parts {
        let matcher = MatcherPlan(.map([part]), part.matcher.range)
        nearness.add(
          comparison.difference(from: matcher, of: acceptance, in: entry), distance(part, target))
      }
      nearness.add(comparison.differenceOfWhen(acceptance, in: entry), Distance.condition)
    }
    if !kind.isAsked(by: request), kind == .webSocket || !entry.hasPath {
      nearness.add(kind.unaskedText, Distance.unasked)
    }
    return nearness
  }

  private func distance(_ part: MatcherPlan.Entry, _ target: RequestTarget) -> Int {
    switch part.key {
    case "method": return Distance.method
    case "path":
      guard case .value(let data) = part.matcher.content,
        case .constant(.string(let path)) = data.content
      else { return Distance.path }
      let segments = RequestTarget(method: "", path: path).segments.map {
        RoutePlan.Segment.literal($0)
      }
      return pathDistance(segments, path, target)
    default: return Distance.condition
    }
  }
}

extension AcceptancePlan {
  fileprivate var parts: [MatcherPlan.Entry] {
    guard case .map(let parts) = request.content else { return [] }
    return parts
  }
}

extension ConversationKind {
  /// The difference of a request that does not ask for this kind of connection.
  fileprivate var unaskedText: String {
    switch self {
    case .webSocket: "Upgrade  the request does not ask for a WebSocket"
    case .eventStream, .lines:
      "Accept   the request does not ask for \(mediaType), and this entry has no path"
    }
  }
}

private func pathDistance(
  _ segments: [RoutePlan.Segment], _ path: String, _ target: RequestTarget
) -> Int {
  let isOpen = if case .rest? = segments.last { true } else { false }
  let excess = target.segments.count - segments.count
  var unequal = isOpen ? max(0, -excess) : abs(excess)
  for case (.literal(let expected), let actual) in zip(segments, target.segments) {
    if expected != actual, URLText.decode(expected, as: .segment) != actual { unequal += 1 }
  }
  guard unequal > 0 else { return 0 }
  let isSlip = nearestName(to: target.path, among: [path]) != nil
  return isSlip ? Distance.path : Distance.path + Distance.segment * unequal
}
