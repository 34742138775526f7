import Values

/// One run of a trace, read as a whole: a log may hold several.
package struct TraceRun: Sendable {
  package var header: TraceHeader
  package var entries: [TraceReader.Entry] = []
  /// The bytes of the lines, with their header.
  package var bytes = 0
  private var places: [Int: Int] = [:]

  init(_ header: TraceHeader) { self.header = header }

  /// Returns the runs of a file of so many bytes, in their order.
  package static func runs(of items: [TraceReader.Item], bytes: Int) -> [TraceRun] {
    var runs: [TraceRun] = []
    var starts: [Int] = []
    for item in items {
      switch item {
      case .header(let header, let place):
        runs.append(TraceRun(header))
        starts.append(place.offset)
      case .line(let entry) where !runs.isEmpty: runs[runs.count - 1].add(entry)
      case .line, .problem, .cut: break
      }
    }
    for (index, start) in starts.enumerated() {
      runs[index].bytes = (index + 1 < starts.count ? starts[index + 1] : bytes) - start
    }
    return runs
  }

  /// Returns a whole trace of one run.
  package init?(_ bytes: [UInt8]) {
    guard let run = TraceRun.runs(of: TraceReader.read(bytes), bytes: bytes.count).first else {
      return nil
    }
    self = run
  }

  /// Returns the event with a number.
  package func entry(_ number: Int) -> TraceReader.Entry? { index(of: number).map { entries[$0] } }

  func index(of number: Int) -> Int? { places[number] }

  private mutating func add(_ entry: TraceReader.Entry) {
    places[entry.number] = places[entry.number] ?? entries.count
    entries.append(entry)
  }

  /// The time of the last event.
  package var duration: Microseconds { entries.last?.time ?? 0 }
}

extension TraceLine {
  /// True if the line is the last value of its source from here on, until the next one comes.
  ///
  /// What a client sends is what its endpoint emits.
  var setsValue: Bool {
    switch knownKind {
    case .emitted?, .finished?, .request?, .left?: true
    case .message?: from != .server
    case nil, .subscribed?, .unsubscribed?, .response?, .stream?, .upgrade?, .event?, .line?,
      .pong?, .bytes?, .goodbye?, .drop?, .reset?, .unreachable?, .exit?, .now?, .step?, .branch?,
      .phase?, .assertion?, .read?, .idle?, .network?, .fault?, .log?, .ignored?, .problem?,
      .failure?, .listening?, .pending?, .verdict?:
      false
    }
  }
}

extension TraceReader.Entry {
  /// The members that programs get of an event.
  var json: Value {
    var map = ValueMap([("n", .int(number)), ("us", .int(Int(time)))])
    map["kind"] = .string(line.kind.name)
    for member in [TraceMember.source, .cause, .value, .connection, .from, .at] {
      map[member.rawValue] = line.json(of: member)
    }
    return .map(map)
  }
}

/// The answer to a question about a trace, for people and for programs.
package struct TraceAnswer: Sendable, Equatable {
  package var lines: [String]
  package var json: Value

  /// The most lines that people see unless they ask for all.
  package static let mostLines = 40

  /// Returns the text for people, cut after the most lines unless all are wanted.
  package func text(all: Bool) -> String {
    guard !all, lines.count > TraceAnswer.mostLines else {
      return lines.map { $0 + "\n" }.joined()
    }
    let shown = lines.prefix(TraceAnswer.mostLines - 1)
    let rest = "… \(lines.count - shown.count) more lines; --all shows them"
    return (shown + [rest]).map { $0 + "\n" }.joined()
  }
}
