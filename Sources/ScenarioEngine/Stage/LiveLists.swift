import DataProviders
import Publishers
import ScenarioPlan
import Values

/// The list models of one run, each shown in its nodes.
final class LiveLists {
  private let run: RunParts
  private let providers: Providers
  private var models: PerID<ListPlan, ListModel<Value, StreamFailure>> = []
  /// Lists that have not been loaded yet.
  private var resting: Set<ListID> = []
  private var subjects: (any StageSubjects)? { run.subjects }

  init(_ run: RunParts, _ providers: Providers) {
    self.run = run
    self.providers = providers
  }

  /// Lists that have a provider begin to load, in the order of the document, unless they are idle.
  ///
  /// Without loading, nothing is asked for before a step says so.
  func start(loading: Bool) {
    for (id, list) in run.plan.lists.withIDs {
      let items = listItems(run.stage.value(of: list.items)) ?? []
      let model: ListModel<Value, StreamFailure>
      let isPlayed = subjects?.plays(id) ?? false
      if loading, list.loadsAtStart, !isPlayed, let call = list.call {
        model = ListModel(
          dataProvider: provider(call.provider, providers.initialLocals(of: call)),
          initialItems: items)
      } else {
        model = ListModel(items: items)
        if !isPlayed { resting.insert(id) }
      }
      models.append(model)
      if isPlayed { continue }
      show(id)
      model.onChange = { [unowned self] _ in show(id) }
    }
  }

  func refresh(_ list: ListID) {
    if let subjects, subjects.plays(list) { return subjects.refresh(list) }
    guard resting.remove(list) != nil, let call = run.plan.lists[list].call else {
      return models[list].refresh()
    }
    load(list, from: call.provider, providers.initialLocals(of: call))
  }

  func load(_ list: ListID, from provider: ProviderID, _ locals: [Value]) {
    resting.remove(list)
    models[list].loadItems(from: self.provider(provider, locals))
  }

  func invalidate() {
    for model in models { model.cancel() }
    models = []
  }

  /// Writes all that a list shows as one change.
  private func show(_ id: ListID) {
    let (list, model) = (run.plan.lists[id], models[id])
    let error = model.error?.value
    run.emitter.write([
      (list.items, .list(model.items)), (list.isLoading, .bool(model.isLoading)),
      (list.error, error ?? .null), (list.state, state(model.viewState.loadingState)),
      (list.visual, visual(model.visual)),
    ])
  }

  private func state(_ state: LoadingState<StreamFailure>) -> Value {
    switch state {
    case .idle: "idle"
    case .loading: "loading"
    case .loaded: "loaded"
    case .error(let failure): ["error": failure.value]
    }
  }

  private func visual(_ visual: VisualState) -> Value {
    switch visual {
    case .spinner: "spinner"
    case .errorScreen: "errorScreen"
    case .list: "list"
    }
  }

  private func provider(
    _ id: ProviderID, _ locals: [Value]
  ) -> DataProvider<Value, StreamFailure> {
    DataProvider { [providers] in
      providers.publisher(of: id, locals).tryMap { value throws(StreamFailure) in
        guard let items = listItems(value) else {
          throw StreamFailure(
            value: ["message": .string("a list shows a list of items, not \(value.kindName)")])
        }
        return items
      }.eraseToAnyPublisher()
    }
  }
}

private func listItems(_ value: Value) -> [Value]? {
  if case .list(let items) = value { items } else { nil }
}

extension ScriptRun {
  func refresh(_ list: ListID) -> Flow {
    run.emitter.change { run.suppliers.lists.refresh(list) }
    return .next
  }
}
