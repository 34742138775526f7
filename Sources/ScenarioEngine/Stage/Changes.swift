import Events
import ScenarioPlan
import Values

/// The events of one change, held back so that what follows several nodes sees all of them changed.
///
/// A change is one write to the graph, or one event of any other source, together with everything
/// that follows from it without time passing and without an action.
struct Changes {
  /// An event of a node that streams and `latest` nodes have not been notified of yet.
  struct Delivery {
    var source: SourceID
    var value: Value
    var cause: EventID?
  }

  /// The number of nested open changes.
  var depth = 0
  var isSettling = false
  /// Delivered when the change is complete, in the order the nodes emitted.
  var deliveries: [Delivery] = []
}
