import Values

/// For each entry of a run, the one that follows it: on its connection, or in its lane.
struct EntryChains: Sendable {
  /// The indices of the entries that follow. A large trace has one for each line.
  private var following: [Int32]
  private static let none: Int32 = -1

  init(count: Int) { following = [Int32](repeating: EntryChains.none, count: count) }

  /// The entry that follows another one; nil at the end.
  subscript(after index: Int) -> Int? {
    let next = following[index]
    return next == EntryChains.none ? nil : Int(next)
  }

  mutating func link(_ index: Int, to next: Int) { following[index] = Int32(next) }
}

/// A set of entries, in a bit for each entry of the run.
struct EntrySet: Sendable {
  private var words: [UInt64]

  init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  func contains(_ index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 == 1 }
  mutating func insert(_ index: Int) { words[index >> 6] |= 1 << UInt64(index & 63) }
  mutating func remove(_ index: Int) { words[index >> 6] &= ~(1 << UInt64(index & 63)) }
}

/// The times at which entries happened again. They are needed only if a run was in real time.
struct HappenedTimes: Sendable {
  private var times: [Microseconds]
  private static let never = Microseconds.min

  init(count: Int) { times = [Microseconds](repeating: HappenedTimes.never, count: count) }

  /// The time at which an entry happened again; nil if it has not, or nobody needs it.
  subscript(index: Int) -> Microseconds? {
    get { times.isEmpty || times[index] == HappenedTimes.never ? nil : times[index] }
    set { if !times.isEmpty { times[index] = newValue ?? HappenedTimes.never } }
  }
}

/// The recorded exchanges of a run: each is a request, and what followed on its connection until
/// the next one. They are kept as the places of their lines, and come in the order of the requests.
package struct RecordedExchanges: Sendable {
  /// By exchange: the index of its request.
  private(set) var requests: [Int32] = []
  var chains: EntryChains
  private var members: EntrySet

  /// Finds the exchanges of a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - isWanted: Returns whether an exchange is one of them, from the index of its request.
  package init(_ run: TraceRun, where isWanted: (Int) -> Bool) {
    chains = EntryChains(count: run.entries.count)
    members = EntrySet(count: run.entries.count)
    var last: [ConnectionKey: Int] = [:]
    for index in run.entries.indices where run.entries.kind(of: index)?.comparison == .bySender {
      guard let source = run.entries.source(of: index) else { continue }
      let passage = run.entries.passage(of: index)
      guard passage.from != nil else { continue }
      let key = ConnectionKey(source, passage.connection)
      if run.entries.kind(of: index) == .request {
        last[key] = isWanted(index) ? index : nil
        if last[key] != nil { requests.append(Int32(index)) }
      } else if let before = last[key] {
        chains.link(before, to: index)
        last[key] = index
      }
      if last[key] != nil { members.insert(index) }
    }
  }

  package var count: Int { requests.count }

  /// Returns the index of an exchange's request.
  package func request(of exchange: Int) -> Int { Int(requests[exchange]) }

  /// Returns the indices of the lines that followed a request on its connection, in order.
  package func lines(of exchange: Int) -> some Sequence<Int> {
    let first = chains[after: request(of: exchange)]
    return sequence(state: first) { next -> Int? in
      defer { next = next.flatMap { chains[after: $0] } }
      return next
    }
  }

  /// True for a line of one of the exchanges.
  func contains(_ index: Int) -> Bool { members.contains(index) }
}

/// The recorded exchanges that the requests of a replay took, by connection.
struct TakenExchanges: Sendable {
  /// Those of one endpoint.
  private struct Endpoint: Sendable {
    /// By connection: the exchange that its last request took. Numbers rise by one, unless another
    /// program wrote them.
    var last: [Int32] = []
    var others: [Int: Int32] = [:]
    /// By connection: the exchanges of requests that are still on their way.
    var underWay: [Int: ArraySlice<Int32>] = [:]
  }

  private var endpoints: [String: Endpoint] = [:]
  /// Stands for a request that took none.
  private static let unanswered: Int32 = -1
  private static let unasked: Int32 = -2
  private static let mostSkipped = 1 << 10

  /// Notes what the next request on a connection took; nil if nothing answers it.
  mutating func append(_ exchange: Int?, on key: ConnectionKey) {
    let exchange = exchange.map { Int32($0) } ?? TakenExchanges.unanswered
    var endpoint = endpoints.removeValue(forKey: key.source) ?? Endpoint()
    endpoint.underWay[key.number, default: []].append(exchange)
    let known = endpoint.last.count
    if (0..<known + TakenExchanges.mostSkipped).contains(key.number) {
      while endpoint.last.count <= key.number { endpoint.last.append(TakenExchanges.unasked) }
      endpoint.last[key.number] = exchange
    } else {
      endpoint.others[key.number] = exchange
    }
    endpoints[key.source] = endpoint
  }

  /// The answer that the last request on a connection took.
  enum Last {
    case exchange(Int)
    case unanswered
    /// There was no request.
    case unasked
  }

  func last(on key: ConnectionKey) -> Last {
    guard let endpoint = endpoints[key.source] else { return .unasked }
    let last =
      endpoint.last.indices.contains(key.number)
      ? endpoint.last[key.number] : endpoint.others[key.number]
    switch last {
    case TakenExchanges.unasked?, nil: return .unasked
    case TakenExchanges.unanswered?: return .unanswered
    case let exchange?: return .exchange(Int(exchange))
    }
  }

  /// Takes the exchange of the request that arrives next on a connection; nil if it has none.
  mutating func arrive(on key: ConnectionKey) -> Int? {
    guard let exchange = endpoints[key.source]?.underWay[key.number]?.popFirst() else { return nil }
    if endpoints[key.source]?.underWay[key.number]?.isEmpty == true {
      endpoints[key.source]?.underWay[key.number] = nil
    }
    return exchange == TakenExchanges.unanswered ? nil : Int(exchange)
  }
}
