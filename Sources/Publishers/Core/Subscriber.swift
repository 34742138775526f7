/// Takes the events of a publisher: first one subscription, then no more values than it has asked
/// for, and at most one completion, after which nothing comes.
public protocol Subscriber<Input, Failure> {
  /// The type of the values that it takes.
  associatedtype Input
  /// The type of the errors that it takes.
  associatedtype Failure: Error

  /// Takes the subscription, through which it asks for values.
  func receive(subscription: any Subscription)
  /// Takes a value; what is returned is asked for on top of all that was asked before.
  func receive(_ input: Input) -> Demand
  /// Takes the end.
  func receive(completion: Completion<Failure>)
}

/// The connection of one subscriber to a publisher: it asks for values and can be cancelled.
public protocol Subscription: Cancellable {
  /// Asks for more values. Asking for none changes nothing where values are kept or passed on, such
  /// as in a sequence, a subject or a buffer. Elsewhere it is a mistake, which ends the program.
  func request(_ demand: Demand)
}

/// The end of a publisher.
@frozen
public enum Completion<Failure: Error> {
  /// It has emitted all its values.
  case finished
  /// It cannot go on, for this reason.
  case failure(Failure)
}

extension Completion: Sendable {}

extension Completion: Encodable where Failure: Encodable {
  /// Writes `success`, and the `error` of a failure, as Combine does.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CompletionKeys.self)
    switch self {
    case .finished: try container.encode(true, forKey: .success)
    case .failure(let error):
      try container.encode(false, forKey: .success)
      try container.encode(error, forKey: .error)
    }
  }
}

extension Completion: Decodable where Failure: Decodable {
  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CompletionKeys.self)
    self =
      try container.decode(Bool.self, forKey: .success)
      ? .finished : .failure(container.decode(Failure.self, forKey: .error))
  }
}

private enum CompletionKeys: String, CodingKey { case success, error }

extension Completion: Equatable where Failure: Equatable {}
extension Completion: Hashable where Failure: Hashable {}

/// Combine's names for the types of the contract.
public enum Subscribers {
  /// The number of values that a subscriber asks for.
  public typealias Demand = Publishers.Demand
  /// The end of a publisher.
  public typealias Completion = Publishers.Completion
}

/// The subscription of subscribers that get no values.
@usableFromInline final class EmptySubscription: Subscription, Sendable {
  @usableFromInline static let shared = EmptySubscription()

  @usableFromInline func request(_ demand: Demand) {}
  @usableFromInline func cancel() {}
}
