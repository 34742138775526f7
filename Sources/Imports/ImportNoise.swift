import Diagnostics
import Values

/// The places at which two recordings of the same flow differ: what each run makes for itself.
package struct ImportNoise: Sendable {
  /// By exchange: the places.
  private var places: [Int: Set<ValuePlace>] = [:]

  package init() {}

  /// Compares two recordings, each exchange with its counterpart.
  package static func between(
    _ first: ImportedFlow, _ second: ImportedFlow
  ) -> Result<ImportNoise, ImportProblem> {
    let pairs = ImportPairs(first, second)
    var noise = ImportNoise()
    for (number, left) in first.exchanges.enumerated() {
      guard let other = pairs.second[number] else {
        return .failure(.noCounterpart(of: left, "first", first, second))
      }
      noise.add(left, second.exchanges[other], number)
    }
    if let other = pairs.unpaired.first {
      return .failure(.noCounterpart(of: second.exchanges[other], "second", first, second))
    }
    return .success(noise)
  }

  func contains(_ place: ValuePlace, of exchange: Int) -> Bool {
    places[exchange]?.contains(place) ?? false
  }

  private mutating func add(_ left: ImportedExchange, _ right: ImportedExchange, _ number: Int) {
    switch (left.answer, right.answer) {
    case (.response(let left), .response(let right)):
      compare(left.body?.value, right.body?.value, [], number)
    case (.conversation(let left), .conversation(let right)):
      for (index, (left, right)) in zip(left.messages, right.messages).enumerated() {
        compare(left.data, right.data, [.int(index)], number)
      }
    case (.none, _), (.response, _), (.conversation, _): break
    }
  }

  private mutating func compare(
    _ left: Value?, _ right: Value?, _ place: ValuePlace, _ exchange: Int
  ) {
    switch (left, right) {
    case (.list(let left)?, .list(let right)?) where left.count == right.count:
      for (index, (left, right)) in zip(left, right).enumerated() {
        compare(left, right, place + [.int(index)], exchange)
      }
    case (.map(let left)?, .map(let right)?):
      for (key, value) in left { compare(value, right[key], place + [key], exchange) }
    default: if left != right { places[exchange, default: []].insert(place) }
    }
  }
}

extension ImportedBody {
  fileprivate var value: Value {
    switch self {
    case .json(let json): json
    case .form(let fields): .list(fields.map { [.string($0.name), .string($0.value)] })
    case .text(let text): .string(text)
    case .bytes(let bytes): .bytes(bytes)
    }
  }
}

extension ImportProblem {
  fileprivate static func noCounterpart(
    of exchange: ImportedExchange, _ recording: String, _ first: ImportedFlow,
    _ second: ImportedFlow
  ) -> ImportProblem {
    let other = recording == "first" ? "second" : "first"
    let counts = [first, second].map { flow in
      flow.exchanges.count == 1 ? "1 request" : "\(flow.exchanges.count) requests"
    }
    return ImportProblem(
      Diagnostic(
        "other-recording",
        "both recordings have to be of the same flow: the \(other) one has no"
          + " \(exchange.request.method) \(exchange.request.path)",
        notes: [
          .init("request", exchange.place),
          .init("first", "\(first.origin) has \(counts[0])"),
          .init("second", "\(second.origin) has \(counts[1])"),
        ],
        help: "record the same steps twice, or import one of them alone"))
  }
}
