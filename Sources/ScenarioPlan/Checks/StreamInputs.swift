/// Which streams a stream subscribes to.
extension PlanCompiler {
  /// Whether values can be sent to it.
  func isSubject(_ stream: StreamID) -> Bool {
    if case .subject = plan.streams[stream].origin { true } else { false }
  }
}

extension StreamPlan {
  /// Whether it begins anew for each that subscribes, since all of it is written down.
  package var isCold: Bool {
    switch origin {
    case .interval, .items, .marble(_, isHot: false):
      !operators.contains { $0.asksProvider || $0.isShare }
    case .marble, .merge, .combineLatest, .zip, .subject: false
    }
  }

  /// The sources it follows from the start or later.
  package var sources: [SourceID] {
    origin.inputs.map(\.source) + operators.flatMap(\.kind.sources)
  }
}

extension StreamPlan.Origin {
  fileprivate var inputs: [InputPlan] {
    switch self {
    case .merge(let inputs), .combineLatest(let inputs, _), .zip(let inputs, _): inputs
    case .subject, .interval, .marble, .items: []
    }
  }
}

extension StreamOperatorPlan.Kind {
  fileprivate var sources: [SourceID] {
    switch self {
    case .merge(let inputs), .combineLatest(let inputs, _), .zip(let inputs, _):
      inputs.map(\.source)
    case .withLatest(let input): [input.source]
    case .prefixUntil(let source), .dropUntil(let source), .catch(let source),
      .prependStream(let source), .appendStream(let source):
      [source]
    case .flatten(_, let call): call.sources
    case .plain, .map, .filter, .compactMap, .removeDuplicates, .scan, .reduce, .contains,
      .allSatisfy, .first, .prefix, .prefixWhile, .dropFirst, .dropWhile, .output, .replaceEmpty,
      .collectBy, .debounce, .throttle, .delay, .timeout, .retry, .replaceError, .mapError,
      .prepend, .append, .buffer:
      []
    }
  }
}

extension StreamOperatorPlan {
  fileprivate var asksProvider: Bool {
    if case .flatten(_, let call) = kind, case .provider = call.target { true } else { false }
  }

  fileprivate var isShare: Bool {
    if case .plain(.share) = kind { true } else { false }
  }
}

extension ScenarioPlan {
  /// Whether anything on the stage follows what else happens there.
  package var hasFollowers: Bool {
    !streams.isEmpty || !invariants.isEmpty
      || nodes.contains { if case .latest = $0.rule { true } else { false } }
      || providers.contains { if case .stream = $0.origin { true } else { false } }
  }
}

extension CallPlan {
  fileprivate var sources: [SourceID] {
    switch target {
    case .provider: []
    case .source(let source): [source]
    }
  }
}
