import CEL
import Diagnostics
import JSONSchemas
import ScenarioSpec
import TextSearch
import Values

/// Components become part of the stage before what uses them.
extension PlanCompiler {
  func declareUses() {
    let stage = unit.stage
    for (number, use) in stage.uses.enumerated() {
      let known = stage.components.indices.contains(number) ? stage.components[number] : nil
      if let known {
        declare(use, known)
      } else {
        unit.unread.append(use.name.value)
      }
    }
    if !unit.unread.isEmpty { reporter.lacksFiles = true }
  }

  private func declare(_ use: UseSpec, _ component: ComponentDocument) {
    let given = compileArguments(of: use, for: component.parameters)
    for program in component.requires.map(\.value) where !plan.requires.contains(program) {
      plan.requires.append(program)
    }
    var inner = StageUnit(
      prefix: "\(unit.prefix)\(use.name.value).", stage: stage(of: component, given: use.with),
      scope: position.functions)
    inner.userPrefix = unit.prefix
    let label = Diagnostic.Label(use.name.range, "used here as `\(use.name.value)`")
    inner.uses = [label] + unit.uses
    inside(inner) {
      declare(component.parameters, given: given)
      for variable in component.stage.vars { declare(variable) }
      declareUnit(eventsAt: use.name.range)
      declareShortNames()
    }
  }

  /// Outside, a part of one of a component's reactors may be named without the reactor, where no
  /// other has a part of this name. A component with one endpoint may be named in place of it.
  private func declareShortNames() {
    guard let unit = position.units.last else { return }
    if unit.own.endpoints.index + 1 == unit.end.endpoints.index {
      names.onlyEndpoints[String(unit.prefix.dropLast())] = unit.own.endpoints
    }
    for reactor in unit.own.reactors..<unit.end.reactors {
      let parts = plan.reactors[reactor].name.utf8.count + 1
      for action in plan.reactors[reactor].actions {
        let name = unit.prefix + String(plan.actions[action].name.dropFirst(parts))
        names.shortActions.add(name, action)
      }
    }
    for (reactor, spec) in zip(unit.own.reactors..., unit.stage.reactors) {
      for field in spec.state {
        let short = unit.prefix + field.name.value
        guard names.sources[short] == nil,
          let node = names.nodes["\(plan.reactors[reactor].name).\(field.name.value)"]
        else { continue }
        names.shortNodes.add(short, node)
      }
    }
  }
}

/// The arguments of a component and their use.
extension PlanCompiler {
  /// Something for each parameter that is given a value; nil where it is no good, after a
  /// complaint.
  private func compileArguments(
    of use: UseSpec, for parameters: [ParameterSpec]
  ) -> [(name: String, argument: ParameterPlan.Content?)] {
    let given = matched(use.with, with: parameters, of: "component", at: use.name)
    return given.filter { !$0.1.kind.isPart }.map { entry, parameter in
      let name = entry.name.value
      let full = "\(unit.prefix)\(use.name.value).\(name)"
      let argument = argument(entry.value, for: parameter, called: full)
      let isGood = satisfies(argument, parameter, at: entry.value.range, use.places)
      return (name, isGood ? argument : nil)
    }
  }

  /// Returns the arguments that match parameters, after diagnostics about unknown and missing ones.
  func matched(
    _ with: [NamedData], with parameters: [ParameterSpec], of file: String,
    at place: Located<String>
  ) -> [(NamedData, ParameterSpec)] {
    let names = parameters.map(\.name.value)
    let given = with.compactMap { entry -> (NamedData, ParameterSpec)? in
      if let parameter = parameters.first(where: { $0.name.value == entry.name.value }) {
        return (entry, parameter)
      }
      report(.unknownName(entry.name, what: "a parameter of this \(file)", known: names))
      return nil
    }
    let missing = parameters.filter { parameter in
      parameter.initial == nil && !given.contains { $0.1.name.value == parameter.name.value }
    }
    if !missing.isEmpty {
      report(.missingParameters(missing.map(\.name.value), of: names, inUse: place))
    }
    return given
  }

  private func argument(
    _ spec: DataSpec, for parameter: ParameterSpec, called name: String
  ) -> ParameterPlan.Content? {
    let before = reporter.count
    let data = compile(spec)
    guard reporter.count == before else { return nil }
    let written = spelling(of: spec)
    if readsColumnsOnly(data) {
      let content = column(data, for: parameter, called: name)
      if case .column(_, let texts)? = written, case .column(let own)? = content {
        spellings[name] = .column(own, written: texts)
      }
      return content
    }
    let value = constant(data)
    guard reporter.count == before else { return nil }
    guard let value else {
      // It is known as soon as what it is made of is.
      if readsUnknownParameter(data) { return nil }
      report(.parameterNotFixed(parameter.name.value, at: spec.range))
      return nil
    }
    if case .constant? = written { spellings[name] = written }
    return fit(value, to: parameter, at: spec.range).map { .fixed($0) }
  }

  /// The value, made into what the parameter takes.
  func fit(_ value: Value, to parameter: ParameterSpec, at range: SourceRange) -> Value? {
    guard let fitting = parameter.kind.fit(value) else {
      report(.parameterType(parameter, found: value, at: range))
      return nil
    }
    if plan.secrets.contains(value.plainText) {
      plan.secrets.append(fitting.plainText)
      plan.secretNames[fitting.plainText] = plan.secretNames[value.plainText]
    }
    return fitting
  }

  /// Returns whether an argument satisfies the schema of its parameter, after a diagnostic for each
  /// rule that it breaks, at the place in the file that gives it.
  private func satisfies(
    _ argument: ParameterPlan.Content?, _ parameter: ParameterSpec, at range: SourceRange,
    _ places: ValuePlaces
  ) -> Bool {
    guard let written = parameter.schema, let schema = compileSchema(written) else { return true }
    let values: [Value] =
      switch argument {
      case nil: []
      case .fixed(let value): [value]
      case .column(let number): plan.rows.compactMap { $0.values[number] }
      }
    let name = parameter.name.value
    let broken = values.lazy.map { schema.validate($0) }.first { !$0.isEmpty } ?? []
    for violation in broken {
      let place = places.place(of: violation, in: name) ?? range
      report(.parameterSchema(violation, of: name, at: place))
    }
    return broken.isEmpty
  }

  func readsUnknownParameter(_ data: DataPlan) -> Bool {
    var slots: [SlotID] = []
    data.forEachExpression { slots += $0.readSlots }
    return slots.contains { slot in
      if case .variable(let id) = plan.slots[slot] {
        tables.unknownVariables.contains(id)
      } else {
        false
      }
    }
  }

  private func readsColumnsOnly(_ data: DataPlan) -> Bool {
    var slots: [SlotID] = []
    data.forEachExpression { slots += $0.readSlots }
    return !slots.isEmpty && slots.allSatisfy { columnNumber(of: $0) != nil }
  }

  private func columnNumber(of slot: SlotID) -> ColumnID? {
    if case .column(let number) = plan.slots[slot] { number } else { nil }
  }

  /// Makes a column of the table from a value that differs from row to row.
  private func column(
    _ data: DataPlan, for parameter: ParameterSpec, called name: String
  ) -> ParameterPlan.Content? {
    var values: [Value] = []
    for row in plan.rows {
      let slots = FixedSlots(
        plan.slots.indices.map { columnNumber(of: $0).map { row.values[$0] } ?? .null })
      switch evaluate(data, in: slots) {
      case .success(let value):
        guard let fitting = fit(value, to: parameter, at: data.range) else { return nil }
        values.append(fitting)
      case .failure(let failure):
        report(.evaluation(failure))
        return nil
      }
    }
    for (number, value) in values.enumerated() { plan.rows[number].values.append(value) }
    return .column(plan.columns.append(ColumnPlan(name: name)))
  }

  /// Parameters are constants of the component; one of which no value is known may be anything of
  /// its kind.
  private func declare(
    _ parameters: [ParameterSpec], given: [(name: String, argument: ParameterPlan.Content?)]
  ) {
    for parameter in parameters where !parameter.kind.isPart {
      let name = parameter.name.value
      var argument: ParameterPlan.Content?
      if let entry = given.first(where: { $0.name == name }) {
        argument = entry.argument
      } else if let initial = parameter.initial {
        argument = self.argument(initial, for: parameter, called: unit.prefix + name)
        _ = satisfies(argument, parameter, at: initial.range, ValuePlaces())
      }
      if let argument {
        plan.parameters.append(ParameterPlan(name: unit.prefix + name, content: argument))
      }
      switch argument {
      case .fixed(let value): scope.declareConstant(name, value: value)
      case .column(let number):
        scope.declare(name, type: parameter.kind.type, slot: slot(.column(number)))
      case nil: declareUnknown(name, parameter.kind)
      }
    }
  }

  /// Declares the parameters of a component that is checked by itself: each has its default, or an
  /// unknown value.
  func declare(_ parameters: [ParameterSpec]) { declare(parameters, given: []) }

  func declareUnknown(_ name: String, _ kind: ParameterSpec.Kind) {
    let nothing = DataPlan(.constant(.null), .none)
    let id = plan.variables.append(
      VariablePlan(name: unit.prefix + name, value: nothing, isSecret: false))
    tables.unknownVariables.insert(id)
    scope.declare(name, type: kind.type, slot: slot(.variable(id)))
  }
}

extension ParameterSpec.Kind {
  /// The type for the checker.
  var type: CELType {
    switch self {
    case .any, .list, .map, .source, .node: .dyn
    case .text: .string
    case .int: .int
    case .number: .double
    case .bool: .bool
    case .duration: .duration
    }
  }

  /// The value as one of this kind; nil where it is none.
  package func fit(_ value: Value) -> Value? {
    switch (self, value) {
    case (.any, _), (.text, .string), (.int, .int), (.int, .uint), (.number, .double),
      (.bool, .bool), (.duration, .duration), (.list, .list), (.map, .map):
      value
    case (.number, .int(let int)): .double(Double(int))
    case (.duration, .string): length(of: value).map { .duration(TimeSpan(microseconds: $0)) }
    case (.text, _), (.int, _), (.number, _), (.bool, _), (.duration, _), (.list, _), (.map, _),
      (.source, _), (.node, _):
      nil
    }
  }

  package var phrase: String {
    switch self {
    case .any: "any value"
    case .text: "text"
    case .int: "an integer"
    case .number: "a number"
    case .bool: "`true` or `false`"
    case .duration: "a duration such as `7d`"
    case .list: "a list"
    case .map: "a map"
    case .source: "the name of a source"
    case .node: "the name of a node"
    }
  }
}

extension ValuePlaces {
  /// The place of what breaks a rule, or of the nearest part around it that is written out.
  fileprivate func place(of violation: SchemaViolation, in parameter: String) -> SourceRange? {
    var pointer = "/\(parameter)" + violation.instancePointer
    if violation.keyword == "additionalProperties", let found = self[pointer] { return found.key }
    while self[pointer] == nil, let slash = pointer.lastIndex(of: "/") {
      pointer = String(pointer[..<slash])
    }
    return self[pointer]?.value
  }
}

extension TimeSpan {
  fileprivate init(microseconds: Microseconds) {
    self.init(
      seconds: Int(microseconds / 1_000_000), nanoseconds: Int32(microseconds % 1_000_000 * 1_000))
  }
}

extension Diagnostic {
  static func parameterType(
    _ parameter: ParameterSpec, found value: Value, at range: SourceRange
  ) -> Diagnostic {
    let isScalar =
      switch value {
      case .int, .uint, .double, .digits, .bool: true
      case .null, .string, .bytes, .list, .map, .timestamp, .duration, .type, .optional: false
      }
    return Diagnostic(
      "parameter-type", "`\(parameter.name.value)` takes \(parameter.kind.phrase)",
      labels: [.init(range, "this is \(value.display)")],
      help: parameter.kind == .text && isScalar ? "put quotes around it" : nil)
  }

  static func parameterSchema(
    _ violation: SchemaViolation, of name: String, at range: SourceRange
  ) -> Diagnostic {
    let path = violation.instancePath
    let part = path.isEmpty || path.hasPrefix("[") ? name + path : "\(name).\(path)"
    return Diagnostic("parameter-type", "`\(part)` \(violation.message)", labels: [.init(range)])
  }

  static func parameterNotFixed(_ name: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "parameter-not-fixed",
      "what a component is given is worked out when the file is loaded, and this is not known then",
      labels: [.init(range, "differs from run to run")],
      help: "give `\(name)` a value made of constants")
  }

  /// A use that lacks some of what the component asks for.
  static func missingParameters(
    _ missing: [String], of parameters: [String], inUse name: Located<String>
  ) -> Diagnostic {
    missingParameters(missing, name, help: "write `with: { \(entries(for: missing)) }`")
  }
}
