import CEL
import Diagnostics
import ScenarioSpec
import Values

/// The length of time a value stands for: a duration, or text such as `300ms`. Nil for a value that
/// is none, and for a duration that the scenario's clock cannot count: below zero, or finer than a
/// microsecond.
package func length(of value: Value) -> Microseconds? {
  let length: Microseconds? =
    switch value {
    case .duration(let span): span.microseconds
    case .string(let text): try? parseDuration(text).get()
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .list, .map, .timestamp, .type,
      .optional:
      nil
    }
  return length.flatMap { $0 >= 0 ? $0 : nil }
}

/// Returns why a value is no length of time.
private func reasonForNoLength(_ value: Value) -> String {
  guard case .duration(let span) = value else {
    return "\(value.display) is not a duration such as `300ms`"
  }
  if span.totalNanoseconds < 0 { return "\(span.text) is below zero" }
  return span.isFinerThanMicroseconds
    ? "\(span.text) is finer than a microsecond, and the clock counts whole ones"
    : "\(span.text) is longer than the clock can count"
}

/// The length of time a plan says, its expression evaluated where it has one.
package func evaluate(
  _ duration: DurationPlan, in slots: any CELSlots
) -> Result<Microseconds, EvaluationFailure> {
  switch duration {
  case .constant(let length): return .success(length)
  case .data(let data):
    return evaluate(data, in: slots).flatMap { value in
      length(of: value).map { .success($0) }
        ?? .failure(
          EvaluationFailure(range: data.range, message: reasonForNoLength(value)))
    }
  }
}

extension TimeSpan {
  fileprivate var isFinerThanMicroseconds: Bool { nanoseconds % 1_000 != 0 }

  /// Nil beyond what the scenario's clock can count: a rest below a microsecond would be lost.
  fileprivate var microseconds: Microseconds? {
    if isFinerThanMicroseconds { return nil }
    let (large, overflow) = Microseconds(seconds).multipliedReportingOverflow(by: 1_000_000)
    let (sum, more) = large.addingReportingOverflow(Microseconds(nanoseconds) / 1_000)
    return overflow || more ? nil : sum
  }
}

extension PlanCompiler {
  /// Compiles a duration. An expression that does not depend on the run is evaluated now.
  func compile(_ duration: DurationSpec) -> DurationPlan {
    switch duration {
    case .literal(let length): return .constant(length.value)
    case .data(let spec):
      let before = reporter.count
      let data = compile(spec)
      guard reporter.count == before, data.readsNothing else { return .data(data) }
      switch evaluate(data, in: FixedSlots()) {
      case .success(let value):
        if let length = length(of: value) { return .constant(length) }
        report(.notADuration(value, at: data.range))
      case .failure(let failure): report(.evaluation(failure))
      }
      return .constant(0)
    }
  }
}

extension DataPlan {
  /// True if the value is the same in every run.
  var readsNothing: Bool {
    var readsNothing = true
    forEachExpression { if !$0.readSlots.isEmpty { readsNothing = false } }
    return readsNothing
  }
}

extension Diagnostic {
  static func notADuration(_ value: Value, at range: SourceRange) -> Diagnostic {
    let isNumber =
      switch value {
      case .int, .uint, .double, .digits: true
      case .null, .bool, .string, .bytes, .list, .map, .timestamp, .duration, .type, .optional:
        false
      }
    return Diagnostic(
      "not-a-duration", reasonForNoLength(value), labels: [.init(range)],
      help: isNumber
        ? "a number has no unit, which can be written behind it: `${…}ms`"
        : "an expression here gives a duration, or text such as `300ms`")
  }
}
