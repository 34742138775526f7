/// An event at one point of a timeline.
@frozen
public enum TimelineEvent<Output, Failure: Error> {
  /// A value is emitted.
  case value(Output)
  /// The publisher completes.
  case finished
  /// The publisher fails.
  case failure(Failure)
}

extension TimelineEvent: Sendable where Output: Sendable {}
extension TimelineEvent: Equatable where Output: Equatable, Failure: Equatable {}

/// Emits the events of a timeline to each subscriber, each at its time since the subscription. A
/// timeline without an end never ends.
///
/// Everything comes as a job of the scheduler, even what is due at once; all of one instant comes
/// in one job. A value that was not asked for yet waits, and the end behind it; a failure does
/// not wait, and values that wait are lost.
@frozen
public struct TimelinePublisher<Output, Failure: Error, Scheduler: PublisherScheduler>: Publisher {
  /// An event, and its time in microseconds after the subscription.
  public typealias Moment = (at: Int64, event: TimelineEvent<Output, Failure>)

  /// The events, in the order of time.
  public let moments: [Moment]
  /// The clock and the queue of its jobs.
  public let scheduler: Scheduler

  /// Makes a timeline. A moment that is earlier than the one before it happens together with it.
  @inlinable public init(moments: [Moment], scheduler: Scheduler) {
    self.moments = moments
    self.scheduler = scheduler
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let run = Run(subscriber, moments, scheduler)
    subscriber.receive(subscription: run)
    run.schedule()
  }

  /// One subscriber's way along the timeline.
  @usableFromInline final class Run<Downstream: Subscriber>: Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let start: Int64
    @usableFromInline var moments: [Moment]
    @usableFromInline var next = 0
    @usableFromInline var jobs: [any Cancellable] = []
    @usableFromInline var waiting = Fifo<Output>()
    @usableFromInline var isPassing = false
    @usableFromInline var isFinishing = false
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable init(_ downstream: Downstream, _ moments: [Moment], _ scheduler: Scheduler) {
      self.downstream = downstream
      self.moments = moments
      self.scheduler = scheduler
      start = scheduler.now
    }

    /// Every instant is scheduled at the beginning: of two timelines that meet in one, the one that
    /// was subscribed to first comes first.
    @inlinable func schedule() {
      var latest: Int64 = -1
      for moment in moments where moment.at > latest {
        if isOver { return }
        latest = moment.at
        let due = instant(start, plus: moment.at)
        jobs.append(scheduler.schedule(after: Swift.max(due - scheduler.now, 0)) { self.play() })
      }
    }

    @inlinable func play() {
      guard !isOver, next < moments.count else { return }
      let now = moments[next].at
      while !isOver, next < moments.count, moments[next].at <= now {
        let event = moments[next].event
        next += 1
        deliver(event)
      }
    }

    @inlinable func deliver(_ event: TimelineEvent<Output, Failure>) {
      switch event {
      case .value(let value):
        if demand == .none || isPassing || !waiting.isEmpty { return waiting.append(value) }
        pass(value)
      case .finished:
        if waiting.isEmpty { end(.finished) } else { isFinishing = true }
      case .failure(let error): end(.failure(error))
      }
    }

    @inlinable func pass(_ value: Output) {
      demand -= 1
      isPassing = true
      let more = downstream.receive(value)
      isPassing = false
      if more > .none { demand += more }
    }

    @inlinable func passWaiting() {
      while !isOver, demand > .none, let value = waiting.popFirst() { pass(value) }
      if isFinishing, waiting.isEmpty, !isOver { end(.finished) }
    }

    @inlinable func end(_ completion: Completion<Failure>) {
      cancel()
      downstream.receive(completion: completion)
    }

    @inlinable func request(_ demand: Demand) {
      demand.mustAsk()
      if isOver { return }
      self.demand += demand
      if !isPassing, !waiting.isEmpty { passWaiting() }
    }

    @inlinable func cancel() {
      isOver = true
      moments = []
      waiting.removeAll()
      let scheduled = jobs
      jobs = []
      for job in scheduled { job.cancel() }
    }
  }
}
