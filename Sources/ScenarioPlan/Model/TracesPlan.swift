import CEL
import Diagnostics
import ScenarioSpec
import Values

/// The settings for the contents of traces, and for comparisons in replays.
package struct TracesPlan: Sendable {
  package var keep: [ValuePart] = []
  package var hide: [ValuePart] = []
  /// The parts of a request that choose its recorded answer; empty if the usual ones do.
  package var match: [ValuePart] = []
  package var ignore: [ValuePart] = []

  package init() {}

  /// The headers that traces have though they leave others out, in lower case.
  package var keptHeaders: Set<String> {
    Set(keep.compactMap { $0.keys.first == "headers" && $0.keys.count == 2 ? $0.keys[1] : nil })
  }

  init(_ spec: TracesSpec) {
    keep = spec.keep?.map(\.value) ?? []
    hide = spec.hide?.map(\.value) ?? []
    match = spec.match?.map(\.value) ?? []
    ignore = spec.ignore?.map(\.value) ?? []
  }
}

/// How lines that another program logged become events of a source.
package struct LineMappingPlan: Sendable {
  private var condition: ExpressionPlan?
  private var value: ExpressionPlan?
  private var time: ExpressionPlan?

  init(_ spec: LineMappingSpec, report: (Diagnostic) -> Void) {
    condition = spec.condition.flatMap { compiled($0, report) }
    value = spec.value.flatMap { compiled($0, report) }
    time = spec.time.flatMap { compiled($0, report) }
    if let condition, condition.program.type != .bool, condition.program.type != .dyn {
      report(.notACondition(condition.origin, type: "\(condition.program.type)"))
    }
  }

  /// Returns whether a line is an event of the source. Lines of a log have all shapes, and one that
  /// lacks what the condition reads is none.
  package func takes(_ line: Value) -> Result<Bool, EvaluationFailure> {
    guard let condition else { return .success(true) }
    return evaluate(condition, in: FixedSlots([line])).map { $0 == .bool(true) }
  }

  package func value(of line: Value) -> Result<Value, EvaluationFailure> {
    value.map { evaluate($0, in: FixedSlots([line])) } ?? .success(line)
  }

  /// Returns what stands for the time of a line; nil if the source does not say it.
  package func time(of line: Value) -> Result<Value, EvaluationFailure>? {
    time.map { evaluate($0, in: FixedSlots([line])) }
  }
}

/// Compiles an expression that reads a line and nothing else.
private func compiled(
  _ expression: ExpressionText, _ report: (Diagnostic) -> Void
) -> ExpressionPlan? {
  var scope = CELScope()
  scope.declare("line", type: .dyn, slot: SlotID(0))
  switch compileCEL(expression.text, scope: scope) {
  case .success(let program): return ExpressionPlan(origin: expression, program: program)
  case .failure(let problems):
    for problem in problems.all { report(.expression(problem, in: expression)) }
    return nil
  }
}
