import CEL
import ScenarioSpec
import Values

/// Inferred types of stored nodes, for the checker.
///
/// A node is typed if its initial value is a plain scalar and every `set` in the document writes a
/// literal of the same kind. All others may hold anything.
extension PlanCompiler {
  /// Infers the type of each stored node; computed nodes are unknown until their rule is compiled.
  func inferStoredTypes() {
    let scenario = unit
    for unit in position.units { assumeTypes(of: unit) }
    for unit in position.units {
      self.unit = unit
      dropTypesThatWritesChange()
    }
    unit = scenario
    dropTypes(in: document.steps, prefix: "")
    if let finally = document.finally { dropTypes(in: finally, prefix: "") }
  }

  private func assumeTypes(of unit: StageUnit) {
    for node in unit.stage.graph {
      if case .stored(let initial) = node.rule { assume(unit.prefix + node.name.value, initial) }
    }
    for reactor in unit.stage.reactors {
      for field in reactor.state {
        assume("\(unit.prefix)\(reactor.name.value).\(field.name.value)", field.initial)
      }
    }
    for endpoint in unit.stage.endpoints {
      for field in endpoint.state {
        assume("\(unit.prefix)\(endpoint.name.value).\(field.name.value)", field.initial)
      }
    }
  }

  private func assume(_ name: String, _ initial: DataSpec) {
    guard let node = names.nodes[name], case .literal(let value) = initial.content else { return }
    tables.nodes[node].type = scalarType(of: value)
  }

  private func dropTypesThatWritesChange() {
    let prefix = unit.prefix
    for reactor in unit.stage.reactors {
      for action in reactor.actions {
        dropTypes(in: action.steps, prefix: "\(prefix)\(reactor.name.value).")
      }
    }
    for endpoint in unit.stage.endpoints {
      for script in endpoint.scripts {
        dropTypes(in: script, prefix: "\(prefix)\(endpoint.name.value).")
      }
    }
  }

  private func dropTypes(in script: ScriptSpec, prefix: String) {
    for step in script.steps { dropTypes(in: step, prefix: prefix) }
  }

  private func dropTypes(in step: StepSpec, prefix: String) {
    switch step.kind {
    case .set(let writes):
      for write in writes { wrote(write.value, to: write.address.value, prefix: prefix) }
    case .load(let loads):
      for load in loads { wrote(nil, to: load.field.value, prefix: prefix) }
    case .transaction(let script), .repeat(_, let script), .while(_, _, let script),
      .forEach(_, _, let script), .retry(_, let script):
      dropTypes(in: script, prefix: prefix)
    case .parallel(let scripts):
      for script in scripts { dropTypes(in: script, prefix: prefix) }
    case .if(_, let then, let other):
      dropTypes(in: then, prefix: prefix)
      if let other { dropTypes(in: other, prefix: prefix) }
    case .attempt(let body, let handler, _):
      dropTypes(in: body, prefix: prefix)
      if let handler { dropTypes(in: handler, prefix: prefix) }
    case .fails(let step, _): dropTypes(in: step, prefix: prefix)
    case .include(let include):
      if let file = include.file { dropTypes(in: file.steps, prefix: prefix) }
    case .send, .terminate, .connect, .disconnect, .serve, .act, .receive, .network, .suspend,
      .refresh, .sql,
      .request, .emit, .fail, .respond, .wait, .bind, .log, .expect, .never, .check, .eventually,
      .ignore,
      .snapshot:
      break
    }
  }

  private func wrote(_ data: DataSpec?, to name: String, prefix: String) {
    guard let node = names.nodes[prefix + name] ?? names.node(named: name, from: unit.prefix)
    else { return }
    guard case .literal(let value)? = data?.content,
      scalarType(of: value) == tables.nodes[node].type
    else {
      tables.nodes[node].type = .dyn
      return
    }
  }
}
