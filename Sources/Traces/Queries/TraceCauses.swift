import Values

/// The chain of causes of an event, newest first.
package struct TraceCauses: Sendable {
  package enum End: Sendable, Equatable {
    /// Nothing caused the oldest event, or nobody knows what did.
    case noCause
    /// The trace does not have the event with this number.
    case missing(Int)
    /// The event with this number is in the chain already.
    case cycle(Int)
  }

  package private(set) var chain: [TraceReader.Entry]
  package private(set) var end = End.noCause

  /// Makes the chain of an event; nil if the run has no event with this number.
  package init?(of number: Int, in run: TraceRun) {
    guard let first = run.entry(number) else { return nil }
    chain = [first]
    var seen: Set<Int> = [number]
    var next = first.line.cause
    while let cause = next {
      guard let entry = run.entry(cause) else {
        end = .missing(cause)
        return
      }
      guard seen.insert(cause).inserted else {
        end = .cycle(cause)
        return
      }
      chain.append(entry)
      next = entry.line.cause
    }
  }

  package var answer: TraceAnswer {
    let width = chain.map { String($0.number).count }.max() ?? 0
    let lines = chain.map { entry in
      let number = String(entry.number)
      return String(repeating: " ", count: width - number.count) + number + "  " + entry.text
    }
    return TraceAnswer(
      lines: lines + [end.text],
      json: ["chain": .list(chain.map(\.json)), "end": end.json])
  }
}

extension TraceCauses.End {
  fileprivate var text: String {
    switch self {
    case .noCause: "nothing caused it"
    case .missing(let number): "its cause is event \(number), which is not in this trace"
    case .cycle(let number): "its cause is event \(number) again: a cycle"
    }
  }

  fileprivate var json: Value {
    switch self {
    case .noCause: ["reason": "nothing"]
    case .missing(let number): ["reason": "missing", "n": .int(number)]
    case .cycle(let number): ["reason": "cycle", "n": .int(number)]
    }
  }
}
