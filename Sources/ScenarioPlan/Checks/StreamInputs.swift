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
    origin.inputs.map(\.source) + operators.flatMap(\.sources)
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
    for step in operators { step.subscribe(&all) }
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
}

extension StreamOperatorPlan {
  /// Adds what the operator does when a stream begins, before or after what comes before it.
  fileprivate func subscribe(_ all: inout [StreamPlan.SubscriptionAtStart]) {
    let own: [StreamPlan.SubscriptionAtStart] =
      sources.isEmpty ? [.timer] : sources.map { .source($0) }
    switch follows {
    case .before: all = own + all
    case .after: all += own
    // What comes before the operator is subscribed to when the other stream has ended.
    case .instead: all = sources.isEmpty ? own + all : own
    case .later, .again: break
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
  /// True if a value may lead to a request, so that each subscriber would ask for itself.
  fileprivate var asksProvider: Bool {
    switch target {
    case .provider: true
    case .source, .stream: false
    case .choice(let choices): choices.contains(where: \.call.asksProvider)
    }
  }
}
