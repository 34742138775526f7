import Publishers
import Testing

/// The failure of the sources in tests, written `#` in a marble.
struct Oops: Error, Equatable {}

/// Virtual time, sources written as marbles, and their results.
///
/// In a marble each character is a tick of a millisecond, the first at 0: `-` is no event, `|` the
/// end, `#` a failure, anything else a value. Characters in brackets share one tick.
final class Lab {
  let scheduler = VirtualScheduler()
  private(set) var notes: [String] = []

  var tick: Int64 { scheduler.now / 1000 }

  func note(_ text: String) { notes.append("\(tick):\(text)") }

  /// Returns a source that emits with or without subscribers.
  func hot(_ marble: String) -> PassthroughSubject<String, Oops> {
    let subject = PassthroughSubject<String, Oops>()
    schedule(marble, into: subject)
    return subject
  }

  /// Returns a source that begins again for each subscriber, and records each subscription.
  func cold(_ marble: String) -> AnyPublisher<String, Oops> {
    Deferred { [self] in
      let subject = PassthroughSubject<String, Oops>()
      schedule(marble, into: subject)
      return subject
    }.eraseToAnyPublisher()
  }

  /// Returns a source that records subscriptions and cancellations.
  func watched(_ name: String, _ marble: String) -> AnyPublisher<String, Oops> {
    cold(marble).handleEvents(
      receiveSubscription: { _ in self.note("+\(name)") },
      receiveCancel: { self.note("x\(name)") }
    ).eraseToAnyPublisher()
  }

  private func schedule(_ marble: String, into subject: PassthroughSubject<String, Oops>) {
    for event in marbleEvents(marble) {
      scheduler.schedule(after: event.tick * 1000) { send(event.mark, into: subject) }
    }
  }

  /// Requests a number of values from a publisher until no job is left. Returns its events as
  /// `tick:value`, with `|` for the end and `#` for a failure.
  func run<P: Publisher>(_ publisher: P, demand: Demand = .unlimited, until end: Int64 = 100)
    -> String
  {
    let recorder = Recorder<P.Output, P.Failure>(demand) { self.note($0) }
    publisher.receive(subscriber: recorder)
    scheduler.advance(to: end * 1000)
    recorder.subscription?.cancel()
    return notes.joined(separator: " ")
  }
}

private func send(_ mark: Character, into subject: PassthroughSubject<String, Oops>) {
  switch mark {
  case "|": subject.send(completion: .finished)
  case "#": subject.send(completion: .failure(Oops()))
  default: subject.send(String(mark))
  }
}

private func marbleEvents(_ marble: String) -> [(tick: Int64, mark: Character)] {
  var events: [(tick: Int64, mark: Character)] = []
  var tick: Int64 = 0
  var isGroup = false
  for mark in marble {
    switch mark {
    case "(": isGroup = true
    case ")": isGroup = false
    case "-": break
    default: events.append((tick, mark))
    }
    if !isGroup { tick += 1 }
  }
  return events
}

/// A subscriber that requests a number of values at first and records all events.
final class Recorder<Input, Failure: Error>: Subscriber {
  private let demand: Demand
  private let note: (String) -> Void
  private(set) var subscription: (any Subscription)?
  /// The demand that is added with each value.
  var more = Demand.none

  init(_ demand: Demand = .unlimited, note: @escaping (String) -> Void) {
    self.demand = demand
    self.note = note
  }

  /// Releases the subscription, which holds this subscriber.
  func forget() { subscription = nil }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if demand > .none { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Demand {
    note("\(input)")
    return more
  }

  func receive(completion: Completion<Failure>) {
    switch completion {
    case .finished: note("|")
    case .failure: note("#")
    }
  }
}

/// A record of events, for handlers that cannot return them.
final class Log<Entry> {
  var entries: [Entry] = []
  func add(_ entry: Entry) { entries.append(entry) }
}

/// One row of a table: a publisher made in a lab, and its expected events.
struct MarbleCase: Sendable, CustomTestStringConvertible {
  let promise: String
  let expected: String
  let observed: @Sendable () -> String

  init<P: Publisher & SendableMetatype>(
    _ promise: String, _ expected: String, demand: Demand = .unlimited,
    _ make: @escaping @Sendable (Lab) -> P
  ) {
    self.promise = promise
    self.expected = expected
    observed = {
      let lab = Lab()
      return lab.run(make(lab), demand: demand)
    }
  }

  var testDescription: String { promise }
}
