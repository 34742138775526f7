import TextSearch

/// The inputs of streams: the streams and nodes that each one subscribes to.
extension PlanCompiler {
  /// Returns whether values can be sent to it.
  func isSubject(_ stream: StreamID) -> Bool {
    if case .subject = plan.streams[stream].origin { true } else { false }
  }
}

extension StreamPlan {
  /// True if the stream starts again for each subscriber, because all of it is written down.
  package var isCold: Bool {
    if !parameters.isEmpty { return true }
    if let startsAgain { return startsAgain }
    if replay != nil { return false }
    return switch origin {
    case .interval, .items, .marble(_, isHot: false):
      !operators.contains { $0.asksProvider || $0.isShare }
    case .marble, .merge, .combineLatest, .zip, .subject: false
    }
  }

  /// The sources it follows from the start or later.
  package var sources: [SourceID] {
    origin.inputs.map(\.source) + operators.flatMap(\.kind.sources)
  }

  /// The number of operators that a value passes one after the other, also in groups.
  package var operatorDepth: Int { operators.reduce(0) { $0 + $1.depth } }

  /// The sources that it is made from, without those of its operators.
  package var origins: [SourceID] { origin.inputs.map(\.source) }

  /// The steps of a stream when it begins, in this order.
  package enum SubscriptionAtStart: Sendable {
    /// Schedules what is written down.
    case timer
    case source(SourceID)
  }

  package var subscriptionsAtStart: [SubscriptionAtStart] {
    var all: [SubscriptionAtStart] =
      switch origin {
      case .interval, .items, .marble(_, isHot: false): [.timer]
      case .marble, .subject: []
      case .merge(let inputs), .combineLatest(let inputs, _), .zip(let inputs, _):
        inputs.map { .source($0.source) }
      }
    for step in operators { step.kind.subscribe(&all) }
    return all
  }
}

/// The stages of `groupBy` beside the operators of a group: the key, the parting, and the merge.
private let stagesOfGroup = 4

extension StreamPlan.Origin {
  fileprivate var inputs: [InputPlan] {
    switch self {
    case .merge(let inputs), .combineLatest(let inputs, _), .zip(let inputs, _): inputs
    case .subject, .interval, .marble, .items: []
    }
  }
}

extension StreamOperatorPlan.Kind {
  /// The operators that run for each key by themselves.
  var operatorsOfGroup: [StreamOperatorPlan] {
    if case .groupBy(_, let operators) = self { operators } else { [] }
  }

  var sources: [SourceID] {
    switch self {
    case .merge(let inputs), .combineLatest(let inputs, _), .zip(let inputs, _):
      inputs.map(\.source)
    case .withLatest(let input): [input.source]
    case .prefixUntil(let source), .dropUntil(let source), .catch(let source),
      .prependStream(let source), .appendStream(let source),
      .timeout(_, .fallback(let source), _), .collectUntil(let source),
      .sample(.source(let source)):
      [source]
    case .flatten(_, let call): call.sources
    case .groupBy(_, let operators): operators.flatMap(\.kind.sources)
    case .plain, .map, .filter, .compactMap, .removeDuplicates, .scan,
      .reduce, .contains, .allSatisfy, .first, .prefix, .keeping, .prefixWhile, .dropFirst,
      .dropWhile, .output, .replaceEmpty, .collectBy, .debounce, .throttle,
      .audit, .sample(.every), .delay, .timeout, .retry, .retryLater, .replaceError,
      .mapError,
      .prepend, .append, .buffer:
      []
    }
  }

  /// Adds what the operator does when a stream begins, before or after what comes before it.
  fileprivate func subscribe(_ all: inout [StreamPlan.SubscriptionAtStart]) {
    switch self {
    case .merge(let inputs), .combineLatest(let inputs, _), .zip(let inputs, _):
      all += inputs.map { .source($0.source) }
    case .withLatest(let input): all.insert(.source(input.source), at: 0)
    case .prefixUntil(let source), .dropUntil(let source): all.insert(.source(source), at: 0)
    // What comes before the operator is subscribed to when the other stream has ended.
    case .prependStream(let source): all = [.source(source)]
    case .prepend: all.insert(.timer, at: 0)
    case .collectUntil(let source), .sample(.source(let source)): all.append(.source(source))
    case .sample(.every): all.append(.timer)
    // The operators of a group begin with its first value.
    case .groupBy, .catch, .appendStream, .append, .flatten, .plain, .map, .filter, .compactMap,
      .removeDuplicates, .scan, .reduce, .contains, .allSatisfy, .first,
      .prefix, .keeping, .prefixWhile, .dropFirst, .dropWhile, .output, .replaceEmpty,
      .collectBy, .debounce, .throttle, .audit, .delay,
      .timeout, .retry, .retryLater, .replaceError, .mapError, .buffer:
      break
    }
  }
}

extension StreamOperatorPlan {
  fileprivate var asksProvider: Bool {
    if case .flatten(_, let call) = kind, call.asksProvider { return true }
    return kind.operatorsOfGroup.contains(where: \.asksProvider)
  }

  var isShare: Bool {
    if case .plain(.share) = kind { return true }
    return kind.operatorsOfGroup.contains(where: \.isShare)
  }

  /// The number of operators that a value may pass in it, one inside the other.
  fileprivate var depth: Int {
    guard case .groupBy(_, let operators) = kind else { return 1 }
    return operators.reduce(stagesOfGroup) { $0 + $1.depth }
  }
}

extension PlanContents {
  /// True if anything on the stage follows other events of the stage.
  var hasFollowers: Bool {
    !streams.isEmpty || !invariants.isEmpty
      || nodes.contains { if case .latest = $0.rule { true } else { false } }
      || providers.contains { if case .stream = $0.origin { true } else { false } }
  }
}

extension CallPlan {
  /// The sources that are followed for a value.
  var sources: [SourceID] {
    switch target {
    case .provider: []
    case .source(let source): [source]
    case .stream(let call): [call.source]
    case .choice(let choices): choices.flatMap(\.call.sources)
    }
  }

  /// True if a value may lead to a request, so that each subscriber would ask for itself.
  fileprivate var asksProvider: Bool {
    switch target {
    case .provider: true
    case .source, .stream: false
    case .choice(let choices): choices.contains(where: \.call.asksProvider)
    }
  }
}
