import ScenarioPlan
import Values

/// The matchers among many that may match a value, found by the constants in them.
///
/// A matcher that is a constant, such as `7`, or a map with a constant, such as `{ id: 7 }`, is
/// looked up. All others are candidates for each value. So thousands of entries in any order are
/// not held each against each.
struct CandidateIndex {
  /// Where a constant has to stand in a value that matches.
  private enum Place: Hashable {
    case whole
    case under(Value)
  }

  private struct Constant: Hashable {
    var place: Place
    var value: Value
  }

  private var byConstant: [Constant: [Int]] = [:]
  /// The keys under which constants are looked for, in the order in which they came.
  private var places: [Place] = []
  private var others: [Int] = []
  private let count: Int
  private static let mostWithoutIndex = 16

  /// - Parameter matcher: Returns a matcher by its number. Few matchers are not asked for.
  init(count: Int, matcher: (Int) -> MatcherPlan) {
    self.count = count
    guard count > CandidateIndex.mostWithoutIndex else { return }
    for number in 0..<count {
      guard let constant = CandidateIndex.constant(of: matcher(number)) else {
        others.append(number)
        continue
      }
      if !places.contains(constant.place) { places.append(constant.place) }
      byConstant[constant, default: []].append(number)
    }
  }

  /// Returns the numbers of the matchers that may match, in ascending order.
  func candidates(for value: Value) -> [Int] {
    guard count > CandidateIndex.mostWithoutIndex, let constants = constants(of: value) else {
      return Array(0..<count)
    }
    let found = constants.flatMap { byConstant[$0] ?? [] } + others
    return constants.count + (others.isEmpty ? 0 : 1) > 1 ? found.sorted() : found
  }

  /// Returns the constants that a matcher of the value may have; nil if it may have others.
  ///
  /// A text also matches the name of an event and of a kind, which are maps, and a written time.
  private func constants(of value: Value) -> [Constant]? {
    switch value {
    case .null, .bool, .int, .uint, .double, .string, .bytes:
      return places.contains(.whole) ? [Constant(place: .whole, value: value)] : []
    case .map(let map):
      if map.count == 1 || NamedEvent(value) != nil { return nil }
      var constants: [Constant] = []
      for case .under(let key) in places {
        guard let part = map[key] else { continue }
        guard part.isPlain else { return nil }
        constants.append(Constant(place: .under(key), value: part))
      }
      return constants
    case .list, .digits, .timestamp, .duration, .type, .optional: return nil
    }
  }

  private static func constant(of matcher: MatcherPlan) -> Constant? {
    switch matcher.content {
    case .value(let data):
      guard case .constant(let value) = data.content else { return nil }
      if value.isPlain { return Constant(place: .whole, value: value) }
      guard case .map(let map) = value,
        let (key, part) = map.first(where: { $0.value.isPlain })
      else { return nil }
      return Constant(place: .under(key), value: part)
    case .map(let entries):
      for entry in entries {
        guard case .value(let data) = entry.matcher.content,
          case .constant(let value) = data.content, value.isPlain
        else { continue }
        return Constant(place: .under(entry.key), value: value)
      }
      return nil
    case .list, .operators: return nil
    }
  }
}

extension Value {
  /// True for values that match a constant only if they are equal to it.
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .bool, .int, .uint, .double, .string, .bytes: true
    case .list, .map, .digits, .timestamp, .duration, .type, .optional: false
    }
  }
}
