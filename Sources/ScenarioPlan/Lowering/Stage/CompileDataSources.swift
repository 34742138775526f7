import Diagnostics
import ScenarioSpec
import TextSearch
import Values

/// Databases, list models, and the statements and loads of steps.
extension PlanCompiler {
  func declare(_ database: DatabaseSpec) {
    let name = unit.prefix + database.name.value
    names.databases.append(name)
    plan.databases.append(
      DatabasePlan(
        name: name, path: DataPlan(.constant(.null), database.name.range),
        folder: folder(of: database.name.range), setup: database.setup?.value,
        range: database.name.range))
  }

  /// The folder of the file in which something stands.
  func folder(of range: SourceRange) -> String {
    let file = Int(range.file)
    return inputs.paths.indices.contains(file) ? enclosingFolder(of: inputs.paths[file]) : ""
  }

  func declare(_ list: ListSpec) {
    let name = unit.prefix + list.name.value
    func add(_ field: String) -> NodeID {
      addNode(named: list.name, address: "\(name).\(field)")
    }
    names.lists.append(name)
    plan.lists.append(
      ListPlan(
        name: name, items: add("items"), isLoading: add("isLoading"), error: add("error"),
        state: add("state"), visual: add("visual"), range: list.name.range))
  }

  func compile(_ database: DatabaseSpec, _ id: DatabaseID) {
    plan.databases[id].path = compileInitial(database.path)
  }

  /// The nodes of a list begin as the list does.
  func compile(_ list: ListSpec, _ id: ListID) {
    let nodes = plan.lists[id]
    let isLoading: Bool
    switch list.origin {
    case .items(let items):
      isLoading = false
      plan.nodes[nodes.items].rule = .model(compileInitial(items))
    case .provider(let name, let with, let initial):
      isLoading = list.loadsAtStart
      plan.lists[id].loadsAtStart = list.loadsAtStart
      let empty = DataPlan(.constant(.list([])), list.name.range)
      plan.nodes[nodes.items].rule = .model(initial.map { compileInitial($0) } ?? empty)
      guard let provider = findProvider(name) else { return }
      plan.lists[id].call = compileCall(with, for: provider, at: name)
    }
    begin(nodes.isLoading, .bool(isLoading), list)
    begin(nodes.error, .null, list)
    begin(nodes.state, isLoading ? "loading" : "idle", list)
    begin(nodes.visual, isLoading ? "spinner" : "list", list)
  }

  private func begin(_ node: NodeID, _ value: Value, _ list: ListSpec) {
    plan.nodes[node].rule = .model(DataPlan(.constant(value), list.name.range))
  }

  func compile(_ statement: StatementSpec) -> StatementPlan? {
    let values: StatementPlan.Values =
      switch statement.with {
      case .positional(let values): .positional(values.map { compile($0) })
      case .named(let values): .named(compile(named: values))
      }
    guard let database = findDatabase(statement.database) else { return nil }
    return StatementPlan(
      database: database, text: statement.text.value, with: values, range: statement.text.range)
  }

  func findDatabase(_ name: Located<String>) -> DatabaseID? {
    if let id = names.databases[unit.prefix + name.value] { return id }
    reportUnknown(
      name, "a database", known: names.databases.seen(from: unit.prefix), declaredIn: .databases)
    return nil
  }

  func lookUpList(_ name: String) -> ListID? { names.lists[unit.prefix + name] }

  func compileRefresh(_ name: Located<String>) -> StepPlanKind? {
    if let list = lookUpList(name.value) { return .acting(.refresh(list)) }
    reportUnknown(
      name, "a list", known: names.lists.seen(from: unit.prefix), declaredIn: .lists)
    return nil
  }

  /// A field that an action fills, or a list that shows another provider's data.
  func compileLoad(
    _ load: (field: Located<String>, provider: Located<String>, with: [NamedData])
  ) -> LoadPlan? {
    let provider = findProvider(load.provider)
    let target = compileLoadTarget(load.field)
    guard let provider, let target else { return nil }
    let call = compileCall(load.with, for: provider, at: load.provider)
    return LoadPlan(target: target, call: call, range: load.provider.range)
  }

  private func compileLoadTarget(_ name: Located<String>) -> LoadPlan.Target? {
    if let list = lookUpList(name.value) { return .list(list) }
    guard let node = findNode(name) else { return nil }
    if followsRule(node) { report(.setsComputed(name)) }
    // Only a reactor itself knows when its load is over.
    if owner == .scenario { report(.loadsField(name)) }
    return .node(node)
  }
}

extension Diagnostic {
  static func loadsField(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "loads-field", "steps of a scenario load lists; fields are loaded by actions",
      labels: [.init(name.range, "no list")],
      help: "send an action that loads the field, or set its value")
  }
}
