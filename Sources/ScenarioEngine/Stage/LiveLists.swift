import DataProviders
import Publishers
import ScenarioPlan
import Values

/// The list models of one run, each shown in its nodes.
final class LiveLists {
  private unowned let run: ScenarioRun
  private var models: PerID<ListPlan, ListModel<Value, StreamFailure>> = []
  /// Lists that were not loaded when the stage was set.
  private var resting: Set<ListID> = []

  init(_ run: ScenarioRun) { self.run = run }

  /// Lists that have a provider begin to load, in the order of the document.
  ///
  /// Without loading, nothing is asked for before a step says so.
  func start(loading: Bool) {
    for (id, list) in run.plan.lists.withIDs {
      let items = listItems(run.stage.value(of: list.items)) ?? []
      let model: ListModel<Value, StreamFailure>
      if loading, let call = list.call {
        model = ListModel(
          dataProvider: provider(call.provider, run.initialLocals(of: call)), initialItems: items)
      } else {
        model = ListModel(items: items)
        resting.insert(id)
      }
      models.append(model)
      show(id)
      model.onChange = { [unowned self] _ in show(id) }
    }
  }

  func refresh(_ list: ListID) {
    guard resting.remove(list) != nil, let call = run.plan.lists[list].call else {
      return models[list].refresh()
    }
    load(list, from: call.provider, run.initialLocals(of: call))
  }

  func load(_ list: ListID, from provider: ProviderID, _ locals: [Value]) {
    models[list].load(from: self.provider(provider, locals))
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
    DataProvider { [unowned run] in
      run.publisher(of: id, locals).tryMap { value throws(StreamFailure) in
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

extension ScenarioRun {
  /// The locals of a provider that a list calls when the stage is set.
  fileprivate func initialLocals(of call: ProviderCallPlan) -> [Value] {
    switch locals(of: call, in: ValueReader(stage)) {
    case .success(let locals): return locals
    case .failure(let failure):
      fail(.evaluation(range: failure.range, message: failure.message, step: nil))
      return [Value](repeating: .null, count: plan.providers[call.provider].localCount)
    }
  }

  /// What a provider gives, asked anew for each subscriber; live ones go on.
  func publisher(of provider: ProviderID, _ locals: [Value]) -> ValuePublisher {
    switch plan.providers[provider].origin {
    case .query(let statement, isLive: true):
      databases.rows(of: statement, provider, locals)
    case .stream(let source): streams.publisher(of: source)
    case .items, .request, .file, .query:
      ProviderPublisher(run: self, provider: provider, locals: locals).eraseToAnyPublisher()
    }
  }
}

extension ScriptRun {
  func refresh(_ list: ListID) -> Flow {
    run.emitter.change { run.lists.refresh(list) }
    return .next
  }
}
