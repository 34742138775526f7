import Diagnostics
import YAMLSyntax

/// The steps `check` and `retry`.
extension DocumentReader {
  func readCheck(_ node: YAMLNode) -> StepKind? {
    guard let nodes = node.elements else {
      return readExpression(node, .key(.check)).map { .check([$0]) }
    }
    if nodes.isEmpty { report(.emptyList("`check`", of: "condition", at: node.range)) }
    let conditions = nodes.compactMap { readExpression($0, .element(.check)) }
    return conditions.count == nodes.count && !nodes.isEmpty ? .check(conditions) : nil
  }

  func readRetry(_ fields: MappingReader, _ node: YAMLNode, _ context: ScriptContext)
    -> StepKind?
  {
    let steps = fields.script(.steps, in: context)
    guard let parts = open(node, LanguageTable.retry, "`retry`") else { return nil }
    let until = parts.expression(.until)
    let failIf = parts.expression(.failIf)
    let every = parts.tick(.every)
    let timeout = parts.duration(.timeout)
    guard let steps else { return nil }
    if parts.has(.until) {
      guard until != nil else { return nil }
    } else if !canDecide(steps, node.range, context) {
      return nil
    }
    return .retry(RetrySpec(until: until, failIf: failIf, every: every, timeout: timeout), steps)
  }

  /// Returns whether steps say by themselves if a try has succeeded.
  private func canDecide(_ steps: ScriptSpec, _ range: SourceRange, _ context: ScriptContext)
    -> Bool
  {
    let others = steps.steps.filter { !$0.canBeTriedAgain }
    for step in others { report(.notTriedAgain(step.verb)) }
    guard others.isEmpty else { return false }
    if context.place != .action, steps.steps.contains(where: \.decidesTry) { return true }
    report(.missingKey([.until], in: LanguageTable.retry, at: range))
    return false
  }
}

extension StepSpec {
  /// True if a `retry` without `until` may repeat the step.
  fileprivate var canBeTriedAgain: Bool {
    switch kind {
    case .check, .request: true
    case .transaction(let script): script.steps.allSatisfy { $0.canBeTriedAgain && !$0.decidesTry }
    case .set, .send, .connect, .disconnect, .serve, .terminate, .network, .suspend, .refresh, .sql,
      .load,
      .bind, .log:
      true
    case .emit, .fail, .respond, .act, .receive, .wait, .parallel, .repeat, .while, .forEach,
      .if, .include, .attempt, .expect, .never, .eventually, .retry, .fails, .ignore, .snapshot:
      false
    }
  }

  /// True if the step can fail a try.
  fileprivate var decidesTry: Bool {
    switch kind {
    case .check, .request: true
    case .set, .send, .connect, .disconnect, .serve, .terminate, .network, .suspend, .refresh, .sql,
      .load,
      .transaction, .emit, .fail, .respond, .act, .receive, .wait, .parallel, .repeat, .while,
      .forEach, .if, .include, .attempt, .expect, .never, .eventually, .retry, .fails, .ignore,
      .snapshot,
      .bind, .log:
      false
    }
  }
}
