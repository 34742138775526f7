import Publishers
import ScenarioPlan
import Values

/// Operators that keep some of the latest values.
extension LiveStreams {
  func apply(_ kept: StreamOperatorPlan.Keeping, to chain: ValuePublisher) -> ValuePublisher {
    switch kept {
    case .suffix(let count): suffix(chain, count)
    case .dropLast(let count): dropLast(chain, count)
    case .windowed(let length, let step): windowed(chain, length, step)
    case .removeDuplicates(let rule): removeDuplicates(chain, when: rule)
    }
  }

  /// Gives the last values when the stream completes.
  private func suffix(_ chain: ValuePublisher, _ count: Int) -> ValuePublisher {
    Deferred {
      let latest = LatestValues(count)
      let silent = chain.filter { value in
        _ = latest.push(value)
        return false
      }
      return silent.append(
        Deferred { latest.all.publisher.setFailureType(to: StreamFailure.self) })
    }.eraseToAnyPublisher()
  }

  /// Passes each value when so many others have come after it.
  private func dropLast(_ chain: ValuePublisher, _ count: Int) -> ValuePublisher {
    Deferred {
      let latest = LatestValues(count)
      return chain.compactMap { latest.push($0) }
    }.eraseToAnyPublisher()
  }

  private func windowed(_ chain: ValuePublisher, _ length: Int, _ step: Int) -> ValuePublisher {
    Deferred {
      let window = SlidingWindow(length, step)
      return chain.compactMap { window.push($0).map { Value.list($0) } }
    }.eraseToAnyPublisher()
  }

  private func removeDuplicates(
    _ chain: ValuePublisher, when expression: ExpressionPlan
  ) -> ValuePublisher {
    let rule = self.rule(expression)
    return Deferred {
      let before = LatestValues(1)
      return chain.tryFilter { value throws(StreamFailure) in
        if let last = before.last, try rule.holds(value, last) { return false }
        _ = before.push(value)
        return true
      }
    }.eraseToAnyPublisher()
  }
}

/// At most so many values, the latest that came.
final class LatestValues {
  private let capacity: Int
  private var values: [Value] = []
  /// The number of values at the front that have left.
  private var left = 0

  init(_ capacity: Int) { self.capacity = capacity }

  var all: ArraySlice<Value> { values[left...] }
  var last: Value? { all.last }

  /// Adds a value, and returns the one that leaves for it.
  func push(_ value: Value) -> Value? {
    values.append(value)
    guard values.count - left > capacity else { return nil }
    let oldest = values[left]
    values[left] = .null
    left += 1
    // To remove them one by one would move all others each time.
    if left > capacity {
      values.removeFirst(left)
      left = 0
    }
    return oldest
  }
}

/// Lists of so many values, each a step after the one before.
private final class SlidingWindow {
  private let length: Int
  private let step: Int
  private var values: [Value] = []
  private var skipped = 0

  init(_ length: Int, _ step: Int) {
    self.length = length
    self.step = step
  }

  func push(_ value: Value) -> [Value]? {
    if skipped > 0 {
      skipped -= 1
      return nil
    }
    values.append(value)
    guard values.count == length else { return nil }
    let full = values
    skipped = max(0, step - length)
    values.removeFirst(min(step, length))
    return full
  }
}
