import CEL
import ScenarioSpec
import Values

/// Expressions and the values that hold them.
extension PlanCompiler {
  /// A bare expression, or nil after a complaint.
  func compile(_ expression: ExpressionText) -> ExpressionPlan? {
    expressionCount += 1
    let random = plan.slots.endIndex.index
    scope.randomSlot = random
    switch compileCEL(expression.text, scope: scope) {
    case .success(let program):
      // It is the last slot, since the expression could read no later one.
      if program.readSlots.last == random { tables.addRandomSlot() }
      let plain = ExpressionPlan(origin: expression, program: program)
      observeSources(readBy: plain)
      let derivation = derivation(of: plain)
      if let derivation { hideResult(of: plain, derivation) }
      noteParts(readBy: program)
      let captures = captures(readBy: plain)
      // Nearly all expressions read neither, and need no second object.
      if captures.isEmpty, derivation == nil { return plain }
      return ExpressionPlan(
        origin: expression, program: program, captures: captures,
        derivation: program.constant == nil ? derivation : nil)
    case .failure(let problems):
      for problem in problems.all {
        report(.expression(helped(problem, in: expression), in: expression))
      }
      return nil
    }
  }

  /// Adds where a parameter of the route's path is found.
  private func helped(_ problem: CELProblem, in expression: ExpressionText) -> CELProblem {
    guard problem.id == .unknownName else { return problem }
    let text = expression.text.utf8.dropFirst(problem.offset).prefix(problem.length)
    let name = String(decoding: text, as: UTF8.self)
    reporter.noteUnknownName(name)
    var problem = problem
    if unit.prefix.isEmpty, document.vars.contains(where: { $0.name.value == name }) {
      problem.help = "`\(name)` is defined below: a variable reads only those above it"
    }
    if position.pathParameters?.contains(name) == true {
      problem.help = "write `request.params.\(name)` for the part of the path"
    } else if ["params", "pathParams", "pathParameters"].contains(name) {
      problem.help = "write `request.params`"
    }
    return problem
  }

  /// Compiles an expression that must give true or false.
  func compileCondition(_ expression: ExpressionText) -> ExpressionPlan? {
    guard let compiled = compile(expression) else { return nil }
    let type = compiled.program.type
    if type != .bool && type != .dyn { report(.notACondition(expression, type: "\(type)")) }
    return compiled
  }

  /// A value; where a part is broken, that part becomes null after a complaint.
  func compile(_ data: DataSpec) -> DataPlan {
    // The type of a text place is known here, and nowhere later.
    if data.use != .value {
      let before = reporter.count
      let value = compileValue(data)
      return reporter.hasErrors(since: before) ? value : asText(value, of: data)
    }
    if data.isTooLarge, case .literal(let value) = data.content {
      report(.unreadableNumber(value.plainText, at: data.range))
    }
    return compileValue(data)
  }

  func compileValue(_ data: DataSpec) -> DataPlan {
    switch data.content {
    case .literal(let value):
      warnOfTemplate(in: value, at: data.range)
      return DataPlan(.constant(value), data.range)
    case .expression(let expression):
      return DataPlan(compile(expression).map(content) ?? .constant(.null), data.range)
    case .text(let parts):
      return DataPlan(.text(parts.compactMap(compile)), data.range)
    case .list(let elements):
      return DataPlan(.list(elements.map { compile($0) }), data.range)
    case .map(let entries):
      return DataPlan(.map(entries.map { ($0.key.value, compile($0.value)) }), data.range)
    case .keyedMap(let entries):
      return DataPlan(.keyedMap(entries.map { (compile($0.key), compile($0.value)) }), data.range)
    case .example(let sent, let matcher):
      let matcher = compile(matcher)
      for condition in matcher.conditions where readsMoreThanValue(condition) {
        report(.conditionInExample(at: condition.origin.range))
      }
      return DataPlan(.example(compile(sent), matcher), data.range)
    }
  }

  /// Returns whether a condition depends on more than the value that it is about.
  private func readsMoreThanValue(_ condition: ExpressionPlan) -> Bool {
    condition.readSlots.contains { if case .matched = plan.slots[$0] { false } else { true } }
  }

  /// An expression that reads nothing is its value.
  private func content(of expression: ExpressionPlan) -> DataPlan.Content {
    expression.program.constant.map { .constant($0) } ?? .expression(expression)
  }

  private func compile(_ part: TextPart) -> TextPartPlan? {
    switch part {
    case .literal(let text): .literal(text)
    case .expression(let expression):
      compile(expression).map { compiled in
        noteFraction(of: compiled)
        return .expression(compiled)
      }
    }
  }

  /// Notes a whole number with a fraction: in a text, it is written as `string()` writes it.
  private func noteFraction(of expression: ExpressionPlan) {
    guard case .double(let number)? = expression.program.constant else { return }
    let (now, before) = (number.shortText, Value.double(number).plainText)
    guard now != before else { return }
    report(
      .changedReading(
        of: "this", now: "is written as `\(now)`", before: "it was `\(before)`",
        toKeepWrite: before, at: expression.origin.range))
  }

  func compile(named data: [NamedData]) -> [(name: String, value: DataPlan)] {
    data.map { ($0.name.value, compile($0.value)) }
  }

  private func captures(readBy expression: ExpressionPlan) -> [CaptureRead] {
    if plan.captures.isEmpty { return [] }
    return expression.readSlots.compactMap { slot in
      guard case .capture(let id) = plan.slots[slot] else { return nil }
      let capture = plan.captures[id]
      return CaptureRead(slot: slot, name: capture.name, range: capture.range)
    }
  }

  /// Notes which parts of captures an expression reads: those of a secret are secrets of their own.
  private func noteParts(readBy program: CELProgram) {
    for read in program.readFields {
      guard case .capture(let id)? = plan.slots[ifPresent: SlotID(read.slot)] else { continue }
      if !plan.captures[id].partsRead.contains(read.fields) {
        plan.captures[id].partsRead.append(read.fields)
      }
    }
  }

  /// Counting a computed node's events needs them to happen, so it is observed.
  private func observeSources(readBy expression: ExpressionPlan) {
    for slot in expression.readSlots {
      if case .eventCount(let source) = plan.slots[slot] { observe(source) }
      if case .events(let source) = plan.slots[slot] {
        observe(source)
        plan.kept.insert(source)
      }
    }
  }

  func observe(_ source: SourceID) {
    if case .node(let node) = plan.sources[source].kind { tables.nodes[node].isObserved = true }
  }
}

extension DataPlan {
  /// Goes through every expression in here, in the order it was written.
  func forEachExpression(_ body: (ExpressionPlan) -> Void) {
    switch content {
    case .constant: break
    case .expression(let expression): body(expression)
    case .text(let parts):
      for case .expression(let expression) in parts { body(expression) }
    case .list(let elements):
      for element in elements { element.forEachExpression(body) }
    case .map(let entries):
      for entry in entries { entry.value.forEachExpression(body) }
    case .keyedMap(let entries):
      for entry in entries {
        entry.key.forEachExpression(body)
        entry.value.forEachExpression(body)
      }
    case .example(let sent, let matcher):
      sent.forEachExpression(body)
      matcher.forEachExpression(body)
    }
  }
}
