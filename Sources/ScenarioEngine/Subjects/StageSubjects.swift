import Events
import ScenarioPlan
import Values

/// The Swift objects that take the place of parts of a stage.
///
/// The parts keep their names, sources and policies. Only what they do comes from the objects.
package protocol StageSubjects: AnyObject {
  /// Begins to play, once the stage is built. What the objects did before has no effect yet.
  func begin(on environment: SubjectEnvironment)

  /// Returns whether an object plays a reactor.
  func plays(_ reactor: ReactorID) -> Bool

  /// Performs an action, and calls `onEnd` at its end. The result cancels it.
  func perform(
    _ action: ActionID, _ payload: Value, onEnd: @escaping () -> Void
  ) -> SubjectAction

  /// Returns whether an object decides what the actions of a reactor cancel, and what sends them
  /// besides steps. Policies and `follows` of the reactor have no effect then.
  func governs(_ reactor: ReactorID) -> Bool

  /// Returns whether an object plays a node by itself. It gets what steps write to the node.
  func plays(_ node: NodeID) -> Bool

  /// Returns the value with which a node begins whose rule does not apply, because an object plays
  /// it; nil for any other.
  func beginning(of node: NodeID) -> Value?

  /// Gives a value to the object that plays a node.
  func take(_ value: Value, for node: NodeID)

  /// Ends what ends with the lifecycle of a reactor.
  func endLifecycle(of reactor: ReactorID)

  /// Returns whether an object plays a provider.
  func plays(_ provider: ProviderID) -> Bool

  /// Calls a provider with its arguments. The result cancels the call.
  func call(
    _ provider: ProviderID, _ arguments: ValueMap,
    _ completion: @escaping (Result<Value, SubjectError>) -> Void
  ) -> SubjectAction

  /// Returns whether an object plays an endpoint.
  func plays(_ endpoint: EndpointID) -> Bool

  /// Answers a request to an endpoint. The result cancels it.
  func answer(
    _ request: SubjectRequest, to endpoint: EndpointID,
    _ completion: @escaping (Result<SubjectResponse, SubjectError>) -> Void
  ) -> SubjectAction

  /// Returns whether an object plays a stream.
  func plays(_ stream: StreamID) -> Bool

  /// Returns the part that acts of the client that plays a connection; nil if none does.
  func client(of connection: ConnectionID) -> SubjectClient?

  /// Returns whether an object plays a list.
  func plays(_ list: ListID) -> Bool

  /// Asks the list's provider again.
  func refresh(_ list: ListID)

  /// Returns the failures that only the objects know. The scenario's steps are over.
  func failures(hasFailed: Bool) -> [SubjectFailure]

  /// Ends the objects, which have no effect any more.
  func end()
}

/// Something that an object does, and that can be cancelled.
package struct SubjectAction {
  package var cancel: () -> Void

  package init(cancel: @escaping () -> Void = {}) { self.cancel = cancel }
}

/// An error of an object, as a value.
package struct SubjectError: Error {
  package var value: Value

  package init(value: Value) { self.value = value }
}
