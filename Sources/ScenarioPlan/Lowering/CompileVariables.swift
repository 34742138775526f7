import CEL
import Diagnostics
import ScenarioSpec
import Secrets
import Values

/// Constants, the columns of a table, and what every expression may call.
extension PlanCompiler {
  /// Declares the variables. The parameters are those of a component that is checked by itself.
  func declareVariables(_ parameters: [ParameterSpec] = []) {
    declareFunctions()
    // Which variables the machine has is nobody's business.
    scope.declareConstant("env", value: .map(inputs.environment), hidesKeys: true)
    position.functions = scope
    declareColumns()
    declare(parameters)
    for name in document.setupNames { declare(name) }
    for variable in document.stage.vars { declare(variable) }
  }

  private func declareFunctions() {
    scope.declareSlotFunction("now", type: .timestamp, slot: slot(.now))
    scope.declareFunction("kind", parameters: [.dyn], result: .string, body: kindFunction)
  }

  private func declareColumns() {
    for row in document.cases {
      for (place, column) in row.columns.enumerated() {
        let name = column.name.value
        // Rows nearly always name the same columns in the same order.
        let isKnown = plan.columns[ifPresent: ColumnID(place)]?.name == name
        if isKnown || plan.columns.contains(where: { $0.name == name }) { continue }
        plan.columns.append(ColumnPlan(name: name))
      }
    }
    let secret = document.cases.first?.secretColumns ?? []
    for id in plan.columns.indices where secret.contains(plan.columns[id].name) {
      plan.columns[id].isSecret = true
      warnOfShortSecrets(in: id)
    }
    for (id, column) in plan.columns.withIDs {
      scope.declare(column.name, type: columnType(column.name, id), slot: slot(.column(id)))
    }
    let replaced = plan.columns.mapValues { given($0.name) }
    for row in document.cases { add(row, replacing: replaced) }
    for id in plan.columns.indices { declareSpellings(of: id) }
  }

  private func add(_ row: CaseSpec, replacing given: PerID<ColumnPlan, PlanInputs.Variable?>) {
    let values = plan.columns.withIDs.map { id, column in
      let cell = row.value(of: column.name, near: id.index)
      return given[id]?.value(insteadOf: cell) ?? cell ?? .null
    }
    plan.rows.append(RowPlan(id: row.id, values: PerID(values), range: row.range))
  }

  /// Returns the value from outside for a variable; components get values only through their
  /// parameters.
  func given(_ name: String) -> PlanInputs.Variable? {
    unit.prefix.isEmpty ? inputs.variables.last { $0.name == name } : nil
  }

  /// Rows whose cells are of one kind let the checker know it.
  private func columnType(_ name: String, _ id: ColumnID) -> CELType {
    let types = document.cases.compactMap { row in
      row.value(of: name, near: id.index).map { scalarType(of: $0) }
    }
    guard let first = types.first, types.allSatisfy({ $0 == first }) else { return .dyn }
    return first
  }

  /// Declares a name that a set-up captures. A value from outside takes precedence.
  private func declare(_ captured: SetupName) {
    let name = captured.name.value
    let given = given(name)
    guard let value = given?.value(insteadOf: captured.value) ?? captured.value else {
      plan.unsetNames.append(name)
      return declareUnknown(name, .any)
    }
    plan.setupValues.append((name, value))
    if captured.isSecret { plan.secretVariables.insert(name) }
    let data = DataSpec(.literal(value), captured.name.range)
    declareConstant(
      name, value,
      VariableSpec(name: captured.name, value: data, isSecret: captured.isSecret),
      isKnown: given?.isPlaceholder != true)
  }

  func declare(_ variable: VariableSpec) {
    let name = variable.name.value
    if let given = given(name) {
      let value = given.value(insteadOf: variable.value.literal)
      if !variable.isSecret { plan.publicValues.append(value) }
      return declareConstant(
        name, value, variable, isKnown: !given.isPlaceholder,
        spelling: given.spelling(of: value))
    }
    let before = reporter.count
    let data = compile(variable.value)
    if inputs.allowsUnsetSecrets, variable.isSecret, unsetEnvironment(of: data) != nil {
      return declareConstant(name, .string(secretPlaceholder(name)), variable, isKnown: false)
    }
    let value = constant(data)
    // What is made of a variable that is wrong would be wrong for no reason of its own.
    if reporter.hasErrors(since: before) || (value == nil && readsUnknownParameter(data)) {
      return declareUnknown(name, .any)
    }
    if let value {
      if !variable.isSecret { plan.publicValues.append(value) }
      var written: String?
      if case .constant(let spelling)? = spelling(of: variable.value) { written = spelling }
      declareConstant(name, value, variable, spelling: written)
      return
    }
    let id = plan.variables.append(
      VariablePlan(name: unit.prefix + name, value: data, isSecret: variable.isSecret))
    data.forEachExpression { if $0.derivation != nil { derivedVariables.insert(id) } }
    scope.declare(name, slot: slot(.variable(id)))
  }

  /// - Parameters:
  ///   - isKnown: False if the value only stands for a secret.
  ///   - spelling: The value as it is written, if that is another text.
  private func declareConstant(
    _ name: String, _ value: Value, _ variable: VariableSpec, isKnown: Bool = true,
    spelling: String? = nil
  ) {
    if let spelling { spellings[unit.prefix + name] = .constant(spelling) }
    scope.declareConstant(name, value: value)
    if !unit.prefix.isEmpty { position.constants.append((unit.prefix + name, value)) }
    guard variable.isSecret else { return noteIfSecret(name, value) }
    if unit.prefix.isEmpty, let shape = value.secretShape(of: name, known: plan.secretNames) {
      plan.secretShapes[name] = shape
    }
    let texts =
      isKnown ? value.secretTexts + [spelling].compactMap(\.self) : [secretPlaceholder(name)]
    plan.secrets += texts
    // Of secrets with one value, the first one's name stands for it.
    for text in texts where plan.secretNames[text] == nil {
      plan.secretNames[text] = unit.prefix + name
    }
    secretConstants.append(SecretConstant(prefix: unit.prefix, name: name, value: value))
    if texts.contains(where: \.isShortSecret) {
      report(.shortSecret(name, at: variable.value.range))
    }
  }

  /// Warns, once for a column, of cells that are too short to be hidden everywhere.
  private func warnOfShortSecrets(in column: ColumnID) {
    let name = plan.columns[column].name
    let row = document.cases.first { row in
      row.value(of: name, near: column.index)?.secretTexts.contains(where: \.isShortSecret) == true
    }
    if let row { report(.shortSecret(name, at: row.range)) }
  }

  /// Returns the value of data that does not depend on the run; nil otherwise.
  func constant(_ data: DataPlan) -> Value? {
    var isFixed = true
    data.forEachExpression { if !$0.readSlots.isEmpty { isFixed = false } }
    guard isFixed else { return nil }
    switch evaluate(data, in: FixedSlots()) {
    case .success(let value): return value
    case .failure(let failure):
      report(complaint(on: failure, in: data))
      return .null
    }
  }

  /// Returns the diagnostic of the first variable of the environment that data reads by its name
  /// and that is not set.
  func unsetEnvironment(of data: DataPlan) -> Diagnostic? {
    var problem: Diagnostic?
    data.forEachExpression { expression in
      guard problem == nil, let name = expression.origin.text.environmentName,
        inputs.environment[name] == nil
      else { return }
      problem = .unsetEnvironment(name, at: expression.origin.range)
    }
    return problem
  }

  /// A variable of the environment that is not set is the usual reason; which others there are is
  /// nobody's business.
  private func complaint(on failure: EvaluationFailure, in data: DataPlan) -> Diagnostic {
    var unset: String?
    data.forEachExpression { expression in
      let text = expression.origin
      guard text.range == failure.range, let name = text.text.environmentName else { return }
      if inputs.environment[name] == nil { unset = name }
    }
    return unset.map { .unsetEnvironment($0, at: failure.range) } ?? .evaluation(failure)
  }
}

extension String {
  /// True if the text is too short to be hidden inside other words.
  fileprivate var isShortSecret: Bool {
    !isEmpty && count < SecretMask.shortestInsideWords
  }
}

extension DataSpec {
  /// The value, where there is no expression in it.
  fileprivate var literal: Value? {
    if case .literal(let value) = content { value } else { nil }
  }
}

/// `kind(x)`: the kind of a value that is one of several kinds (`loading`, `{ loaded: … }`).
let kindFunction: @Sendable ([Value]) throws(CELFault) -> Value = {
  (arguments) throws(CELFault) in
  .string(arguments.first.map(\.kind) ?? "")
}

/// Returns the type of a written value for the checker; only plain scalars have a certain one.
func scalarType(of value: Value) -> CELType {
  switch value {
  case .bool: .bool
  case .int: .int
  case .double: .double
  case .string: .string
  case .null, .uint, .digits, .bytes, .list, .map, .timestamp, .duration, .type, .optional: .dyn
  }
}

extension String {
  /// `NAME` of the expression `env.NAME`.
  fileprivate var environmentName: String? {
    guard hasPrefix("env.") else { return nil }
    let name = dropFirst(4)
    return name.contains { $0 == "." || $0 == " " } ? nil : String(name)
  }
}
