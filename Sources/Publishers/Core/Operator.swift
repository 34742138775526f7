/// A publisher that is made from another one, and fails as that one does.
public protocol Operator<Upstream>: Publisher where Failure == Upstream.Failure {
  /// The type of the publisher whose events come in.
  associatedtype Upstream: Publisher
  /// The publisher whose events come in.
  var upstream: Upstream { get }
}

/// An operator that emits values of its upstream.
public protocol PassingOperator<Upstream>: Operator where Output == Upstream.Output {}
