import Publishers
import Testing

/// The failure of the sources in tests, written `#` in a marble.
struct Oops: Error, Equatable {}

/// Virtual time, sources written as marbles, and what comes of them.
///
/// In a marble each character is a tick of a millisecond, the first at 0: `-` is nothing, `|` the
/// end, `#` a failure, anything else a value; what stands in brackets comes in one tick.
final class Lab {
  let scheduler = VirtualScheduler()
  private(set) var notes: [String] = []

  var tick: Int64 { scheduler.now / 1000 }

  func note(_ text: String) { notes.append("\(tick):\(text)") }

  /// A source that goes on whether anybody listens or not.
  func hot(_ marble: String) -> PassthroughSubject<String, Oops> {
    let subject = PassthroughSubject<String, Oops>()
    schedule(marble, into: subject)
    return subject
  }

  /// A source that begins anew for each subscriber, and notes it.
  func cold(_ marble: String) -> AnyPublisher<String, Oops> {
    Deferred { [self] in
      let subject = PassthroughSubject<String, Oops>()
      schedule(marble, into: subject)
      return subject
    }.eraseToAnyPublisher()
  }

  /// A source that notes when it is subscribed to and cancelled.
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

  /// Takes so many values from a publisher until nothing happens any more; what came is written
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

/// Asks for so many values at first and notes all that comes.
final class Recorder<Input, Failure: Error>: Subscriber {
  private let demand: Demand
  private let note: (String) -> Void
  private(set) var subscription: (any Subscription)?
  /// What is asked for with each value.
  var more = Demand.none

  init(_ demand: Demand = .unlimited, note: @escaping (String) -> Void) {
    self.demand = demand
    self.note = note
  }

  /// Lets go of the subscription, which holds on to this subscriber.
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

/// Notes what happens, for handlers that cannot return it.
final class Log<Entry> {
  var entries: [Entry] = []
  func add(_ entry: Entry) { entries.append(entry) }
}

/// One line of a table: a publisher made in a lab, and what must come of it.
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
