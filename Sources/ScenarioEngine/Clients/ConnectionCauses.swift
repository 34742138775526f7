import Events
import TextSearch
import World

/// The causes of what is sent on connections.
///
/// Bytes carry no cause with them, so the connection remembers it for them.
final class ConnectionCauses {
  private let recorder: EventRecorder
  private let isServing: Bool
  /// The event that led to the last bytes of each connection, by its number.
  private var causes: [EventID?] = []
  /// The same while clients are served that are not ours. They may open any number of connections,
  /// so that only those that are open are kept.
  private var served: [Int: EventID] = [:]

  init(_ recorder: EventRecorder, isServing: Bool) {
    self.recorder = recorder
    self.isServing = isServing
  }

  /// Sets the current cause as the cause of all that this connection sends next.
  func setCause(on transport: any Transport) {
    setCause(recorder.cause, on: transport.connection)
  }

  /// Sets an event as the cause of all that a connection sends next.
  func setCause(_ cause: EventID?, on connection: Int) {
    // One that a fault refused has no number, and what led to its end is known.
    guard connection > 0 else { return }
    if isServing {
      served[connection] = cause
      return
    }
    while causes.count <= connection { causes.append(nil) }
    causes[connection] = cause
  }

  /// Takes something that came on a connection, and is caused by what was sent on it.
  func received(on connection: Int, _ body: () -> Void) {
    recorder.runJob(causedBy: cause(on: connection), body)
  }

  /// The event that led to what was sent on a connection last. Why a client that is not ours does
  /// something first, nobody knows.
  func cause(on connection: Int) -> EventID? {
    if isServing { return served[connection] }
    if connection > 0, causes.indices.contains(connection) { return causes[connection] }
    return recorder.cause
  }

  /// Forgets a connection that has ended.
  func forget(_ connection: Int) { served[connection] = nil }

  /// The number of served connections that are kept.
  var servedCount: Int { served.count }
}
