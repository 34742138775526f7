import Diagnostics
import Values

/// The places at which two recordings of the same flow differ: what each run makes for itself.
package struct ImportNoise: Sendable {
  /// By exchange: the places.
  private var places: [Int: Set<ValuePlace>] = [:]

  package init() {}

  /// Compares two recordings, exchange by exchange.
  package static func between(
    _ first: ImportedFlow, _ second: ImportedFlow
  ) -> Result<ImportNoise, ImportProblem> {
    var noise = ImportNoise()
    for (number, (left, right)) in zip(first.exchanges, second.exchanges).enumerated() {
      guard left.request.method == right.request.method, left.hasFormOf(right) else {
        return .failure(.otherExchange(number, left, right))
      }
      noise.add(left, right, number)
    }
    guard first.exchanges.count == second.exchanges.count else {
      return .failure(.otherCount(first.exchanges.count, second.exchanges.count))
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

extension ImportedExchange {
  fileprivate func hasFormOf(_ other: ImportedExchange) -> Bool {
    switch (answer, other.answer) {
    case (.none, .none), (.response, .response): true
    case (.conversation(let left), .conversation(let right)): left.kind == right.kind
    case (.none, _), (.response, _), (.conversation, _): false
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
  fileprivate static func otherExchange(
    _ number: Int, _ left: ImportedExchange, _ right: ImportedExchange
  ) -> ImportProblem {
    otherRecording(
      "exchange \(number + 1) is \(left.request.method) \(left.request.path) in the first "
        + "recording and \(right.request.method) \(right.request.path) in the second")
  }

  fileprivate static func otherCount(_ first: Int, _ second: Int) -> ImportProblem {
    otherRecording("the first recording has \(first) exchanges and the second \(second)")
  }

  private static func otherRecording(_ difference: String) -> ImportProblem {
    ImportProblem(
      Diagnostic("other-recording", "\(difference); both have to record the same flow"))
  }
}
