import GraphCore
import Synchronization

/// Lets the queue of an actor be delivered on the actor. It does not keep the actor alive.
final class ActorDeliveries: Sendable {
  private weak let actor: (any Actor)?
  private let id: ObjectIdentifier
  /// The priority of the last task that is to deliver.
  private let priority = Atomic<UInt8>(0)

  private init(_ actor: any Actor) {
    self.actor = actor
    id = ObjectIdentifier(actor)
  }

  deinit {
    Self.queues.withLock { if $0[id]?.queue == nil { $0[id] = nil } }
  }

  /// Starts a task of the actor for the first watcher of a turn, and for a later one if the code
  /// that adds it has a higher priority than the task: its own tasks would overtake that.
  private func start(_ queue: DeliveryQueue, isFirst: Bool) -> Bool {
    guard let actor else { return false }
    let current = Task.currentPriority.rawValue
    if !isFirst, current <= priority.load(ordering: .relaxed) { return true }
    priority.store(current, ordering: .relaxed)
    // The function only makes a task, so it need not run on the actor. A task that was not isolated
    // from its beginning would reach the actor after later ones.
    typealias Isolated = (DeliveryQueue, isolated any Actor) -> Void
    let startTask: Isolated = startDelivery
    unsafeBitCast(startTask, to: ((DeliveryQueue, any Actor) -> Void).self)(queue, actor)
    return true
  }

  // MARK: the queues of all actors

  private struct Entry: Sendable {
    weak let queue: DeliveryQueue?
    weak let deliveries: ActorDeliveries?
  }

  private static let queues = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Returns the one queue of an actor. It lives as long as observers that wait in it.
  static func queue(of actor: any Actor) -> DeliveryQueue {
    queues.withLock { queues in
      let id = ObjectIdentifier(actor)
      // A later actor may have the address of an earlier one.
      if let entry = queues[id], let queue = entry.queue, entry.deliveries?.actor === actor {
        return queue
      }
      let deliveries = ActorDeliveries(actor)
      let queue = DeliveryQueue { deliveries.start($0, isFirst: $1) }
      queues[id] = Entry(queue: queue, deliveries: deliveries)
      return queue
    }
  }
}

private func startDelivery(_ queue: DeliveryQueue, on actor: isolated any Actor) {
  Task {
    _ = actor
    queue.deliver()
  }
}
