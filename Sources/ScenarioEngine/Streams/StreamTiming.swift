import Publishers
import ScenarioPlan
import Values

/// Operators that take time, rescue, and join.
extension LiveStreams {
  func debounce(_ chain: ValuePublisher, _ time: DurationPlan, _ flush: Bool) -> ValuePublisher {
    chain.debounce(for: duration(time), scheduler: scheduler, flush: flush).eraseToAnyPublisher()
  }

  func throttle(
    _ chain: ValuePublisher, _ time: DurationPlan, _ trailing: StreamOperatorPlan.Trailing
  ) -> ValuePublisher {
    let (latest, edges): (Bool, ThrottleEdges) =
      switch trailing {
      case .none: (false, .leading)
      case .first: (false, .both)
      case .latest: (true, .both)
      }
    return chain.throttle(for: duration(time), scheduler: scheduler, latest: latest, edges: edges)
      .eraseToAnyPublisher()
  }

  func audit(_ chain: ValuePublisher, _ time: DurationPlan) -> ValuePublisher {
    chain.throttle(for: duration(time), scheduler: scheduler, latest: true, edges: .trailing)
      .eraseToAnyPublisher()
  }

  func sample(_ chain: ValuePublisher, _ signal: StreamOperatorPlan.Signal) -> ValuePublisher {
    switch signal {
    case .source(let source):
      return chain.sample(by: publisher(of: source)).eraseToAnyPublisher()
    case .every(let time):
      let length = Duration.microseconds(span(of: time, "sample"))
      let ticks = TimerPublisher(every: length, scheduler: scheduler).autoconnect()
        .setFailureType(to: StreamFailure.self)
      return Deferred { chain.sample(by: ticks) }.eraseToAnyPublisher()
    }
  }

  func collect(_ chain: ValuePublisher, until source: SourceID) -> ValuePublisher {
    chain.collect(untilOutputFrom: publisher(of: source)).map { Value.list($0) }
      .eraseToAnyPublisher()
  }

  func delay(_ chain: ValuePublisher, _ time: DurationPlan) -> ValuePublisher {
    chain.delay(for: duration(time), scheduler: scheduler).eraseToAnyPublisher()
  }

  private func duration(_ plan: DurationPlan) -> Duration { .microseconds(length(of: plan)) }

  func timeout(
    _ chain: ValuePublisher, _ time: DurationPlan, _ end: StreamOperatorPlan.TimeoutEnd,
    _ onlyFirst: Bool
  ) -> ValuePublisher {
    let limited = { [scheduler, length = duration(time)] (failure: (() -> StreamFailure)?) in
      chain.timeout(length, scheduler: scheduler, onlyFirst: onlyFirst, customError: failure)
    }
    switch end {
    case .completion: return limited(nil).eraseToAnyPublisher()
    case .failure(let data):
      let value = valueLater(of: data)
      return limited { StreamFailure(value: value()) }.eraseToAnyPublisher()
    case .fallback(let source):
      return Deferred { [unowned self] in
        let isLate = Flag()
        return limited {
          isLate.isSet = true
          return StreamFailure(value: .null)
        }.catch { [unowned self] failure in
          isLate.isSet ? publisher(of: source) : Fail(error: failure).eraseToAnyPublisher()
        }
      }.eraseToAnyPublisher()
    }
  }

  /// Whether something has happened to one subscription.
  private final class Flag { var isSet = false }

  func rescue(_ chain: ValuePublisher, _ source: SourceID) -> ValuePublisher {
    chain.catch { [unowned self] _ in publisher(of: source) }.eraseToAnyPublisher()
  }

  func replaceError(_ chain: ValuePublisher, _ data: DataPlan) -> ValuePublisher {
    chain.catch { [unowned self, arguments] in replacement(data, $0, arguments) }
      .eraseToAnyPublisher()
  }

  private func replacement(
    _ data: DataPlan, _ failure: StreamFailure, _ arguments: [Value]
  ) -> ValuePublisher {
    let slots = StreamSlots(run, failure.value, local: failure.value, arguments: arguments)
    return switch evaluate(data, in: slots) {
    case .success(let value):
      Just(value).setFailureType(to: StreamFailure.self).eraseToAnyPublisher()
    case .failure(let failure): Fail(error: StreamFailure(failure)).eraseToAnyPublisher()
    }
  }

  func mapError(_ chain: ValuePublisher, _ rule: ExpressionPlan) -> ValuePublisher {
    chain.mapError { [unowned run, arguments] failure in
      let slots = StreamSlots(run, failure.value, local: failure.value, arguments: arguments)
      return switch evaluate(rule, in: slots) {
      case .success(let value): StreamFailure(value: value)
      case .failure(let failure): StreamFailure(failure)
      }
    }.eraseToAnyPublisher()
  }

  func played(_ items: [DataPlan], before chain: ValuePublisher) -> ValuePublisher {
    PrefixedPublisher(prefix: played(items), upstream: chain).eraseToAnyPublisher()
  }

  func played(_ items: [DataPlan], behind chain: ValuePublisher) -> ValuePublisher {
    let values = items.map { valueLater(of: $0) }
    return Deferred { [unowned run] in
      chain.append(run.mayWork(values.count) ? values.map { $0() } : [])
    }.eraseToAnyPublisher()
  }

  func withLatest(_ chain: ValuePublisher, _ input: InputPlan) -> ValuePublisher {
    glitchFree(chain, keepsAll: true).withLatest(from: currentInput(input))
      .map { Value.list([$0, $1]) }
      .eraseToAnyPublisher()
  }

  func buffer(
    _ chain: ValuePublisher, _ size: Int, _ whenFull: StreamOperatorPlan.WhenFull
  ) -> ValuePublisher {
    let strategy: BufferingStrategy<StreamFailure> =
      switch whenFull {
      case .dropNewest: .dropNewest
      case .dropOldest: .dropOldest
      case .fail:
        .customError {
          StreamFailure(value: ["message": .string("the buffer of \(size) values is full")])
        }
      }
    return chain.buffer(size: size, prefetch: .byRequest, whenFull: strategy)
      .eraseToAnyPublisher()
  }

  // MARK: - calls

  func flatten(
    _ chain: ValuePublisher, _ flattening: StreamOperatorPlan.Flattening, _ call: CallPlan
  ) -> ValuePublisher {
    let make = { [unowned self, arguments] value in
      run.mayWork(1) ? answer(to: call, value, arguments) : nothingEver
    }
    let flat =
      switch flattening {
      case .latest: chain.map(make).switchToLatest().eraseToAnyPublisher()
      case .merged(let most):
        chain.flatMap(maxPublishers: most.map { .max($0) } ?? .unlimited, make)
          .eraseToAnyPublisher()
      case .oneByOne: chain.concatMap(make).eraseToAnyPublisher()
      case .first: chain.exhaustMap(make).eraseToAnyPublisher()
      }
    // Each stream that is followed adds to what one value of it sets off.
    return flat.filter { [unowned run] _ in run.mayWork(1) }.eraseToAnyPublisher()
  }

  private func answer(
    to call: CallPlan, _ value: Value, _ arguments: [Value]
  ) -> ValuePublisher {
    let slots = StreamSlots(run, value, arguments: arguments)
    let answer: ValuePublisher =
      switch call.target {
      case .source(let source): publisherFromNode(source)
      case .provider(let call): ask(call, slots)
      case .stream(let call): start(call, slots)
      case .choice(let choices): self.answer(byFirstOf: choices, value, arguments)
      }
    guard let rescue = call.replaceError else { return answer }
    return answer.catch { [unowned self] in replacement(rescue, $0, arguments) }
      .eraseToAnyPublisher()
  }

  private func answer(
    byFirstOf choices: [CallChoicePlan], _ value: Value, _ arguments: [Value]
  ) -> ValuePublisher {
    for choice in choices {
      guard let condition = choice.when else { return answer(to: choice.call, value, arguments) }
      do {
        let rule = StreamRule(run, condition, arguments)
        if try rule.holds(value) { return answer(to: choice.call, value, arguments) }
      } catch {
        return Fail(error: error).eraseToAnyPublisher()
      }
    }
    let failure = StreamFailure(value: ["message": "no `when` of the calls holds for the value"])
    return Fail(error: failure).eraseToAnyPublisher()
  }

  private func ask(_ call: ProviderCallPlan, _ slots: StreamSlots) -> ValuePublisher {
    switch run.suppliers.providers.locals(of: call, in: slots) {
    case .success(let locals): run.suppliers.providers.publisher(of: call.provider, locals)
    case .failure(let failure): Fail(error: StreamFailure(failure)).eraseToAnyPublisher()
    }
  }

  private func start(_ call: StreamCallPlan, _ slots: StreamSlots) -> ValuePublisher {
    var arguments: [Value] = []
    for data in call.arguments {
      switch evaluate(data, in: slots) {
      case .success(let value): arguments.append(value)
      case .failure(let failure): return Fail(error: StreamFailure(failure)).eraseToAnyPublisher()
      }
    }
    return publisher(of: call.stream, with: arguments)
  }
}

/// A publisher that asks a provider again for each subscriber and emits its value or its failure.
struct ProviderPublisher: Publisher {
  typealias Output = Value
  typealias Failure = StreamFailure

  let providers: Providers
  let provider: ProviderID
  let locals: [Value]

  func attach<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == StreamFailure {
    let answer = PassthroughSubject<Value, StreamFailure>()
    let call = ProviderCall(providers, provider, locals)
    answer.handleEvents(receiveCancel: { call.cancel() }).attach(subscriber)
    call.begin { [providers] result in
      providers.run.emitter.change {
        switch result {
        case .success(let value):
          answer.send(value)
          answer.send(completion: .finished)
        case .failure(let failure):
          answer.send(completion: .failure(failure))
        }
      }
    }
  }
}

extension Duration {
  /// The duration as a value of expressions.
  var asTimeSpan: TimeSpan {
    let parts = components
    return TimeSpan(
      seconds: Int(parts.seconds), nanoseconds: Int32(parts.attoseconds / 1_000_000_000))
  }
}
