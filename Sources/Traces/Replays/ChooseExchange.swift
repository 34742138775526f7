import Values

/// A recorded exchange: a request, and what followed on its connection until the next one.
package struct RecordedExchange: Sendable {
  /// The index of the request among the entries of its run.
  package let request: Int
  /// The indices of the later lines on its connection, in order.
  package var lines: [Int] = []
}

extension TraceRun {
  /// The exchanges, in the order of their requests.
  package var recordedExchanges: [RecordedExchange] {
    var exchanges: [RecordedExchange] = []
    var current: [ConnectionKey: Int] = [:]
    for index in entries.indices where entries.kind(of: index)?.comparison == .bySender {
      let entry = entries[index]
      guard entry.line.from != nil, let key = ConnectionKey(entry.line) else { continue }
      if entry.line.knownKind == .request {
        current[key] = exchanges.count
        exchanges.append(RecordedExchange(request: index))
      } else if let exchange = current[key] {
        exchanges[exchange].lines.append(index)
      }
    }
    return exchanges
  }
}

/// The choice of the recorded exchange that answers a request.
///
/// The first unused one by the strictest rule; each is used once, unless they repeat.
package struct ExchangeChooser: Sendable {
  private struct Candidate: Sendable {
    var exchange: Int
    var key: RequestKey
    var isUsed = false
  }

  /// The requests of one endpoint with one method and path.
  private struct Group: Hashable {
    var source: String
    var method: String
    /// Nil for paths that contain a secret, which may be any text.
    var path: String?
  }

  private var candidates: [Candidate] = []
  /// By group: the candidates in their order, from the first one that is not used.
  private var groups: [Group: ArraySlice<Int>] = [:]
  /// By endpoint: all of its candidates.
  private var places: [String: [Int]] = [:]
  /// True if an exchange may be used again; the last one that fits repeats.
  private let repeats: Bool
  /// What may differ between a recorded request and one that it answers.
  private let noise: ReplayNoise

  /// - Parameter requests: The recorded requests, in their order.
  package init(
    _ requests: some Sequence<TraceLine>, repeats: Bool = false, noise: ReplayNoise = ReplayNoise()
  ) {
    self.repeats = repeats
    self.noise = noise
    for (index, line) in requests.enumerated() {
      let key = RequestKey(line, noise)
      let source = line.source ?? ""
      let path = key.path.contains("‹") ? nil : key.path
      groups[Group(source: source, method: key.method, path: path), default: []]
        .append(candidates.count)
      places[source, default: []].append(candidates.count)
      candidates.append(Candidate(exchange: index, key: key))
    }
  }

  /// Takes the exchange that answers a request, with the rule by which it was found.
  package mutating func take(
    _ request: TraceLine, by layers: [RequestLayer] = RequestLayer.allCases
  ) -> (exchange: Int, layer: RequestLayer)? {
    let key = RequestKey(request, noise)
    let named = Group(source: request.source ?? "", method: key.method, path: key.path)
    let hidden = Group(source: named.source, method: named.method, path: nil)
    for layer in layers {
      for group in [named, hidden] {
        if let found = take(key, from: group, by: layer) {
          return (candidates[found].exchange, layer)
        }
      }
    }
    return nil
  }

  private mutating func take(
    _ key: RequestKey, from group: Group, by layer: RequestLayer
  ) -> Int? {
    guard let all = groups[group] else { return nil }
    let unused = all.first { place in
      !candidates[place].isUsed && candidates[place].key.isTaken(for: key, by: layer)
    }
    guard let found = unused else {
      return repeats ? all.last { candidates[$0].key.isTaken(for: key, by: layer) } : nil
    }
    candidates[found].isUsed = true
    if !repeats { groups[group] = all.drop { candidates[$0].isUsed } }
    return found
  }

  /// Returns what differs between a recorded request and one, each as `query: recorded 1, asked 2`.
  package func differences(of exchange: Int, from request: TraceLine) -> [String] {
    candidates[exchange].key.differences(from: RequestKey(request, noise))
  }

  /// The recorded request that is nearest to one that none answers.
  package struct Nearest: Sendable {
    package var exchange: Int
    package var isUsed: Bool
    /// What differs, each as `query: recorded 1, asked 2`.
    package var differences: [String]
  }

  /// Returns the nearest recorded request: rather an unused one, then the one that differs least.
  package func nearest(to request: TraceLine) -> Nearest? {
    let key = RequestKey(request, noise)
    let all = (places[request.source ?? ""] ?? []).map { candidates[$0] }
    let unused = all.filter { !$0.isUsed }
    let found = (unused.isEmpty ? all : unused).map {
      Nearest(
        exchange: $0.exchange, isUsed: $0.isUsed, differences: $0.key.differences(from: key))
    }
    return found.min { $0.differences.count < $1.differences.count }
  }
}
