import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Traces
import Values
import Verdicts

extension OutsideParties {
  /// The parties outside of a scenario that runs.
  init(of plan: ScenarioPlan, _ row: RowPlan?, in kind: WorldKind, _ sources: SourceMap) {
    self.init()
    hasPrograms = !plan.programs.isEmpty
    hasClients = hasPrograms
    // Most scenarios are alone with their mocks.
    if case .mock = kind, !hasPrograms, plan.against.choosesNothing { return }
    let worlds = plan.worlds(in: kind)
    let others = hasPrograms ? plan.endpointsOfOthers(in: kind) : []
    for (id, endpoint) in plan.endpoints.withIDs {
      let isReal = id.index < worlds.count && worlds[id.index] == .real
      if isReal { hasRealEndpoints = true }
      if isReal || others.contains(endpoint.name) { endpoints.insert(id) }
    }
    if isAny { isPublic = plan.knows(row, sources) }
  }

  /// The clients of a scenario that is served.
  package init(ofServed plan: ScenarioPlan, _ row: RowPlan?, _ sources: SourceMap) {
    self.init()
    hasClients = true
    let called = plan.calledEndpoints
    endpoints = Set(plan.endpoints.withIDs.filter { called.contains($0.1.name) }.map(\.0))
    hasRealEndpoints = !endpoints.isEmpty
    isPublic = plan.knows(row, sources)
  }

  /// The Swift objects that play parts of a scenario.
  package init(objectsOf plan: ScenarioPlan, _ row: RowPlan?, _ sources: SourceMap) {
    self.init()
    feedsSources = true
    isPublic = plan.knows(row, sources)
  }

  /// The parties outside of a scenario whose trace is read.
  init(
    of plan: ScenarioPlan, _ row: RowPlan?, recordedIn header: TraceHeader, _ sources: SourceMap
  ) {
    self.init()
    hasPrograms = !header.programs.isEmpty
    hasClients = hasPrograms || header.worlds.values.contains(.string("serve"))
    feedsSources = !plan.declaredSources.isEmpty
    for (id, endpoint) in plan.endpoints.withIDs
    where header.worlds[.string(endpoint.name)] == .string(WorldName.real.rawValue) {
      hasRealEndpoints = true
      endpoints.insert(id)
    }
    if isAny { isPublic = plan.knows(row, sources) }
  }
}

extension ScenarioPlan {
  /// Returns whether a text stands in a file of the scenario, in its row, or in a variable that is
  /// no secret, so that its readers know it.
  fileprivate func knows(
    _ row: RowPlan?, _ sources: SourceMap
  ) -> @Sendable (String) -> Bool {
    // What a trace holds comes from others.
    let texts = sources.files.filter { !$0.isRecording }.map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
    let cells = columns.withIDs.compactMap { id, column in
      column.isSecret ? nil : row?.values[id]
    }
    let values = (publicValues + cells).flatMap(\.secretTexts)
    return { text in
      texts.contains { $0.contains(text) } || values.contains { $0.contains(text) }
    }
  }
}
