import CEL
import ScenarioSpec
import Values

/// Steps that are kept in a file of their own.
extension PlanCompiler {
  /// Compiles an included file. It sees the stage, its parameters and the captures, but not the
  /// script around it, so that a reader of the file sees all that it depends on.
  func compileInclude(_ include: IncludeSpec) -> StepPlanKind? {
    guard let file = include.file else {
      reporter.lacksFiles = true
      return nil
    }
    let given = matched(
      include.with, with: file.parameters, of: "file of steps", at: include.path
    ).map { (name: $0.1.name.value, data: compileArgument($0.0.value)) }
    let outer = scope
    let captured = plan.captures.endIndex
    reporter.enterInclude(at: include.path.range)
    replaceScope(with: position.stepScope, keepingCapturesFrom: position.firstCapture)
    var arguments: [IncludePlan.Argument] = []
    for parameter in file.parameters { declare(parameter, given, &arguments) }
    let script = compile(file.steps)
    reporter.leaveInclude()
    replaceScope(with: outer, keepingCapturesFrom: captured)
    let plan = IncludePlan(script: script, arguments: arguments, range: include.path.range)
    return .structure(.include(plan))
  }

  /// Replaces the scope, and keeps the captures from a given one on.
  func replaceScope(with outer: CELScope, keepingCapturesFrom first: CaptureID) {
    scope = outer
    for id in first..<plan.captures.endIndex {
      scope.declare(plan.captures[id].name, slot: slot(.capture(id)))
    }
  }

  /// Nil where it is wrong, after a complaint.
  private func compileArgument(_ spec: DataSpec) -> DataPlan? {
    let before = reporter.count
    let data = compile(spec)
    return reporter.hasErrors(since: before) ? nil : data
  }

  /// A parameter is a constant where its value is known, and worked out in the run where not.
  private func declare(
    _ parameter: ParameterSpec, _ given: [(name: String, data: DataPlan?)],
    _ arguments: inout [IncludePlan.Argument]
  ) {
    let name = parameter.name.value
    let own = given.first { $0.name == name }
    let initial = own == nil ? parameter.initial.flatMap { compileArgument($0) } : nil
    guard let data = own?.data ?? initial else { return declareUnknown(name, parameter.kind) }
    let before = reporter.count
    if let value = constant(data) {
      guard !reporter.hasErrors(since: before),
        let fitting = fit(value, to: parameter, at: data.range)
      else { return declareUnknown(name, parameter.kind) }
      return scope.declareConstant(name, value: fitting)
    }
    let local = declareLocal(name, type: parameter.kind.type)
    arguments.append(
      IncludePlan.Argument(name: name, local: local, value: data, kind: parameter.kind))
  }
}
