import Publishers
import ScenarioPlan
import Values

/// The operators of streams.
extension LiveStreams {
  func apply(_ step: StreamOperatorPlan, to chain: ValuePublisher) -> ValuePublisher {
    switch step.kind {
    case .plain(let plain): apply(plain, to: chain)
    case .map(let rule): map(chain, self.rule(rule))
    case .filter(let rule): filter(chain, self.rule(rule))
    case .compactMap(let rule): compactMap(chain, self.rule(rule))
    case .removeDuplicates(let rule): removeDuplicates(chain, rule)
    case .groupBy(let key, let operators): grouped(chain, by: key, operators)
    case .scan(let rule, let initial): scan(chain, rule, initial)
    case .reduce(let rule, let initial): reduce(chain, rule, initial)
    case .contains(let data): contains(chain, data)
    case .allSatisfy(let rule): allSatisfy(chain, self.rule(rule))
    case .first(let rule): first(chain, rule)
    case .prefix(let count): chain.prefix(count).eraseToAnyPublisher()
    case .keeping(let kept): apply(kept, to: chain)
    case .prefixWhile(let rule, let inclusive): prefixWhile(chain, self.rule(rule), inclusive)
    case .prefixUntil(let source): prefixUntil(chain, source)
    case .dropFirst(let count): chain.dropFirst(count).eraseToAnyPublisher()
    case .dropWhile(let rule): dropWhile(chain, self.rule(rule))
    case .dropUntil(let source): dropUntil(chain, source)
    case .output(let place): chain.output(at: place).eraseToAnyPublisher()
    case .replaceEmpty(let data): replaceEmpty(chain, data)
    case .collectUntil(let source): collect(chain, until: source)
    case .collectBy(let count, let time): collect(chain, count, time)
    case .debounce(let time, let flush): debounce(chain, time, flush)
    case .throttle(let time, let trailing): throttle(chain, time, trailing)
    case .audit(let time): audit(chain, time)
    case .sample(let signal): sample(chain, signal)
    case .delay(let time): delay(chain, time)
    case .timeout(let time, let end, let onlyFirst): timeout(chain, time, end, onlyFirst)
    case .retry(let times): chain.retry(times).eraseToAnyPublisher()
    case .retryLater(let policy): retry(chain, policy)
    case .catch(let source): rescue(chain, source)
    case .replaceError(let data): replaceError(chain, data)
    case .mapError(let rule): mapError(chain, rule)
    case .prepend(let items): played(items, before: chain)
    case .append(let items): played(items, behind: chain)
    case .prependStream(let source): publisher(of: source).append(chain).eraseToAnyPublisher()
    case .appendStream(let source): chain.append(publisher(of: source)).eraseToAnyPublisher()
    case .merge(let inputs): merged([chain] + inputs.map { input($0) })
    case .combineLatest(let inputs, let labels):
      combined([chain] + inputs.map { currentInput($0) }, labels.map { ["value"] + $0 })
    case .zip(let inputs, let labels):
      zipped([chain] + inputs.map { input($0) }, labels.map { ["value"] + $0 })
    case .withLatest(let input): withLatest(chain, input)
    case .flatten(let flattening, let call): flatten(chain, flattening, call)
    case .buffer(let size, let whenFull): buffer(chain, size, whenFull)
    }
  }

  private func apply(_ plain: StreamOperatorPlan.Plain, to chain: ValuePublisher) -> ValuePublisher
  {
    switch plain {
    case .count: chain.count().map { Value.int($0) }.eraseToAnyPublisher()
    case .min: chain.tryMin(by: isOrdered).eraseToAnyPublisher()
    case .max: chain.tryMax(by: isOrdered).eraseToAnyPublisher()
    case .last: chain.last().eraseToAnyPublisher()
    case .ignoreOutput: chain.filter { _ in false }.eraseToAnyPublisher()
    case .collect: chain.collect().map { Value.list($0) }.eraseToAnyPublisher()
    case .measureInterval:
      chain.measureInterval(using: scheduler).map { Value.duration($0.asTimeSpan) }
        .eraseToAnyPublisher()
    case .flatten: elements(of: chain)
    // A named stream is shared as it is.
    case .share: chain
    }
  }

  /// Passes the elements of each list; a value that is no list fails the stream.
  private func elements(of chain: ValuePublisher) -> ValuePublisher {
    chain.flatMap { [unowned self] value -> ValuePublisher in
      guard case .list(let elements) = value else {
        let message = "`flatten` takes lists, not \(value.display(maxLength: 80))"
        return Fail(error: StreamFailure(value: ["message": .string(message)]))
          .eraseToAnyPublisher()
      }
      guard run.mayWork(elements.count) else { return nothingEver }
      return elements.publisher.setFailureType(to: StreamFailure.self).eraseToAnyPublisher()
    }.eraseToAnyPublisher()
  }

  // MARK: - one value after the other

  private func map(_ chain: ValuePublisher, _ rule: StreamRule) -> ValuePublisher {
    chain.tryMap { value throws(StreamFailure) in try rule(value) }.eraseToAnyPublisher()
  }

  private func filter(_ chain: ValuePublisher, _ rule: StreamRule) -> ValuePublisher {
    chain.tryFilter { value throws(StreamFailure) in try rule.holds(value) }.eraseToAnyPublisher()
  }

  private func compactMap(_ chain: ValuePublisher, _ rule: StreamRule) -> ValuePublisher {
    chain.tryCompactMap { value throws(StreamFailure) -> Value? in
      switch try rule(value) {
      case .null, .optional(nil): nil
      case .optional(let inner?): inner
      case let made: made
      }
    }.eraseToAnyPublisher()
  }

  private func removeDuplicates(
    _ chain: ValuePublisher, _ rule: ExpressionPlan?
  ) -> ValuePublisher {
    guard let rule = rule.map({ self.rule($0) }) else {
      return chain.removeDuplicates().eraseToAnyPublisher()
    }
    return chain.tryMap { value throws(StreamFailure) in (value: value, key: try rule(value)) }
      .removeDuplicates { $0.key == $1.key }.map(\.value).eraseToAnyPublisher()
  }

  private func scan(
    _ chain: ValuePublisher, _ rule: ExpressionPlan, _ initial: DataPlan?
  ) -> ValuePublisher {
    let rule = self.rule(rule)
    let next = { (result, value) throws(StreamFailure) in try rule(value, result) }
    guard let initial else { return chain.tryScan(next).eraseToAnyPublisher() }
    let first = valueLater(of: initial)
    return Deferred { chain.tryScan(first(), next) }.eraseToAnyPublisher()
  }

  private func reduce(
    _ chain: ValuePublisher, _ rule: ExpressionPlan, _ initial: DataPlan?
  ) -> ValuePublisher {
    let last = scan(chain, rule, initial).last()
    guard let initial else { return last.eraseToAnyPublisher() }
    return last.replaceEmpty(with: valueLater(of: initial)()).eraseToAnyPublisher()
  }

  private func contains(_ chain: ValuePublisher, _ data: DataPlan) -> ValuePublisher {
    let value = valueLater(of: data)
    return Deferred { chain.contains(value()).map { Value.bool($0) } }.eraseToAnyPublisher()
  }

  private func allSatisfy(_ chain: ValuePublisher, _ rule: StreamRule) -> ValuePublisher {
    chain.tryAllSatisfy { value throws(StreamFailure) in try rule.holds(value) }
      .map { Value.bool($0) }.eraseToAnyPublisher()
  }

  private func first(_ chain: ValuePublisher, _ rule: ExpressionPlan?) -> ValuePublisher {
    let chosen = rule.map { filter(chain, self.rule($0)) } ?? chain
    return chosen.first().eraseToAnyPublisher()
  }

  private func prefixWhile(
    _ chain: ValuePublisher, _ rule: StreamRule, _ inclusive: Bool
  ) -> ValuePublisher {
    chain.tryMap { value throws(StreamFailure) in (value: value, holds: try rule.holds(value)) }
      .prefix(inclusive: inclusive) { $0.holds }.map(\.value).eraseToAnyPublisher()
  }

  private func dropWhile(_ chain: ValuePublisher, _ rule: StreamRule) -> ValuePublisher {
    chain.tryDrop { value throws(StreamFailure) in try rule.holds(value) }.eraseToAnyPublisher()
  }

  private func prefixUntil(_ chain: ValuePublisher, _ source: SourceID) -> ValuePublisher {
    chain.prefix(untilOutputFrom: publisher(of: source)).eraseToAnyPublisher()
  }

  private func dropUntil(_ chain: ValuePublisher, _ source: SourceID) -> ValuePublisher {
    chain.drop(untilOutputFrom: publisher(of: source)).eraseToAnyPublisher()
  }

  private func replaceEmpty(_ chain: ValuePublisher, _ data: DataPlan) -> ValuePublisher {
    let value = valueLater(of: data)
    return Deferred { chain.replaceEmpty(with: value()) }.eraseToAnyPublisher()
  }

  private func collect(
    _ chain: ValuePublisher, _ count: Int?, _ time: DurationPlan?
  ) -> ValuePublisher {
    guard let time else {
      return chain.collect(count ?? 1).map { Value.list($0) }.eraseToAnyPublisher()
    }
    let length = Duration.microseconds(span(of: time, count == nil ? "collect" : "every"))
    return chain.collect(
      count.map { .byTimeOrCount(scheduler, length, $0) } ?? .byTime(scheduler, length)
    ).map { Value.list($0) }.eraseToAnyPublisher()
  }
}

/// Returns whether a value comes before another; some values have no order.
private func isOrdered(_ first: Value, _ second: Value) throws(StreamFailure) -> Bool {
  if let order = ValueOrder(first, second) { return order == .before }
  let message = "\(first.display) and \(second.display) have no order"
  throw StreamFailure(value: ["message": .string(message)])
}
