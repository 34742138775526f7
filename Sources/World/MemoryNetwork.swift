/// A network in memory: servers listen under names, clients connect to them.
package final class MemoryNetwork: Network {
  /// How connections made from now on carry bytes.
  package var toServer = LinkConditions()
  package var toClient = LinkConditions()
  /// Microseconds it takes to make a connection, or to be told that there is none.
  package var connectLatency: Int64 = 0
  /// While false, no connection is made; those that exist are left alone.
  package var isOnline = true
  /// What is special about the way to some names.
  private var links: [String: Link] = [:]

  private let scheduler: Scheduler
  private var listeners: [String: (any Transport) -> Void] = [:]
  private var connections = 0
  private var pipes: [MemoryPipe] = []
  private var sweepAt = 16

  package init(on scheduler: Scheduler) {
    self.scheduler = scheduler
  }

  package func listen(at name: String, accept: @escaping (any Transport) -> Void) -> Bool {
    guard listeners[name] == nil else { return false }
    listeners[name] = accept
    return true
  }

  package func stopListening(at name: String) {
    listeners[name] = nil
  }

  /// Breaks every connection: both ends of each see a reset, in the order of connecting.
  package func resetAll() {
    for pipe in pipes where !pipe.isOver {
      pipe.client.announce(.failed(.reset))
      pipe.server.announce(.failed(.reset))
    }
  }

  /// Changes the way to a name: offline, its connections break and no others are made; latency is
  /// added to each direction of those that there are and will be.
  package func setLink(to name: String, isOnline: Bool, latency: Int64) {
    let wasOnline = links[name]?.isOnline ?? true
    links[name] = Link(isOnline: isOnline, latency: latency)
    for pipe in pipes where pipe.name == name && !pipe.isOver {
      pipe.client.outgoing.latency = toServer.latency + latency
      pipe.server.outgoing.latency = toClient.latency + latency
      guard wasOnline, !isOnline else { continue }
      pipe.client.announce(.failed(.reset))
      pipe.server.announce(.failed(.reset))
    }
  }

  /// All that is on its way is queued.
  package var mayBringMore: Bool { false }
  package var hasBytesUnderWay: Bool { false }
  package var hasUnsentBytes: Bool { false }

  private struct Link {
    var isOnline: Bool
    var latency: Int64
  }

  /// Lets go of all listeners and connections without telling anybody: the run is over.
  package func discardAll() {
    listeners = [:]
    for pipe in pipes {
      pipe.client.forget()
      pipe.server.forget()
    }
    pipes = []
  }

  package func connect(to name: String) -> any Transport {
    connections += 1
    let pipe = MemoryPipe(
      on: scheduler, connection: connections, toServer: toServer, toClient: toClient, name: name)
    if let latency = links[name]?.latency {
      pipe.client.outgoing.latency += latency
      pipe.server.outgoing.latency += latency
    }
    let arrival = scheduler.instant(after: connectLatency)
    remember(pipe)
    pipe.client.holdArrivals(until: arrival)
    scheduler.schedule(at: arrival, phase: .source) { self.establish(pipe, at: name) }
    return pipe.client
  }

  /// Whether somebody listens is decided when the call arrives, not when it is made.
  private func establish(_ pipe: MemoryPipe, at name: String) {
    guard isOnline, links[name]?.isOnline ?? true else {
      return pipe.client.announce(.failed(.unreachable))
    }
    guard let accept = listeners[name] else { return pipe.client.announce(.failed(.refused)) }
    pipe.client.announce(.connected)
    accept(pipe.server)
  }

  /// Finished connections are forgotten once they may be the majority.
  private func remember(_ pipe: MemoryPipe) {
    if pipes.count >= sweepAt {
      pipes.removeAll(where: \.isOver)
      sweepAt = max(16, 2 * pipes.count)
    }
    pipes.append(pipe)
  }
}
