import DataProviders
import Publishers

/// The errors of the services that give the lists of these tests.
enum ServiceError: Error, Equatable, CustomStringConvertible {
  case networkError, invalidURL, decodingError, fileNotFound

  var description: String {
    switch self {
    case .networkError: "Connection error"
    case .invalidURL: "Invalid URL"
    case .decodingError: "Error processing data"
    case .fileNotFound: "File not found"
    }
  }
}

typealias Words = ListModel<String, ServiceError>
typealias WordsView = ListViewState<String, ServiceError>

extension WordsView {
  /// A view state in short, as in `loaded[a,b]`.
  var text: String {
    let state =
      switch loadingState {
      case .idle: "idle"
      case .loading: "loading"
      case .loaded: "loaded"
      case .error(let error): "error(\(error))"
      }
    return "\(state)[\(items.joined(separator: ","))]"
  }
}

/// A publisher that emits as the test demands, even after it was cancelled.
final class StubbornSource: Publisher, Subscription {
  typealias Output = [String]
  typealias Failure = ServiceError

  private(set) var cancelCount = 0
  private(set) var demand = Demand.none
  private(set) var hasEnded = false
  private var subscriber: AnySubscriber<[String], ServiceError>?
  /// Whether a subscriber has to wait for the subscription.
  var isSlow = false
  /// The actions when values are requested, and when it is cancelled.
  var whenAsked: (StubbornSource) -> Void = { _ in }
  var whenCancelled: () -> Void = {}

  var wasSubscribed: Bool { subscriber != nil }
  /// Whether it is subscribed to and can still emit.
  var isLive: Bool { wasSubscribed && cancelCount == 0 && !hasEnded }

  func receive<S: Subscriber>(subscriber: S)
  where S.Input == [String], S.Failure == ServiceError {
    self.subscriber = AnySubscriber(subscriber)
    if !isSlow { handOver() }
  }

  /// Sends the subscription. Twice would break the contract.
  func handOver() { subscriber?.receive(subscription: self) }

  func request(_ demand: Demand) {
    self.demand += demand
    whenAsked(self)
  }

  func cancel() {
    cancelCount += 1
    whenCancelled()
  }

  func give(_ items: [String]) {
    _ = subscriber?.receive(items)
  }

  func end(_ completion: Completion<ServiceError>) {
    hasEnded = true
    subscriber?.receive(completion: completion)
  }
}

/// A provider whose loads the test can act through.
final class SourceLab {
  private(set) var sources: [StubbornSource] = []
  /// The actions within the provider's call, and on a source before it is subscribed to.
  var whenCalled: () -> Void = {}
  var whenMade: (StubbornSource) -> Void = { _ in }

  var provider: DataProvider<String, ServiceError> {
    DataProvider { [self] in
      whenCalled()
      let source = StubbornSource()
      sources.append(source)
      whenMade(source)
      return source
    }
  }

  var last: StubbornSource { sources[sources.count - 1] }
  var cancelCounts: [Int] { sources.map(\.cancelCount) }
}

/// A record of the notifications of a list.
final class Diary {
  private(set) var states: [String] = []
  private(set) var changes: [String] = []
  private var token: AnyCancellable?

  var text: String { states.joined(separator: " ") }

  func watch(_ model: Words) {
    token = model.viewStates.sink { [unowned self] in states.append($0.text) }
    model.onChange = { [unowned self] in changes.append($0.text) }
  }

  func stop() { token = nil }
}
