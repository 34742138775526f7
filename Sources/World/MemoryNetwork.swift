/// A network in memory: servers listen under names, and clients connect to the names.
package final class MemoryNetwork: Network {
  /// The conditions of connections that are made from now on.
  package var toServer = LinkConditions()
  package var toClient = LinkConditions()
  /// Microseconds until a connection is made, or until the client receives that there is none.
  package var connectLatency: Int64 = 0
  /// The names at which a client learns of its connection with the first bytes, and may be refused
  /// until then.
  package var unannounced: Set<String> = []
  /// False lets no connection be made. Those that exist stay.
  package var isOnline = true
  /// The links to names that differ from others.
  private var links: [String: Link] = [:]

  private let scheduler: Scheduler
  private var listeners: [String: (any Transport) -> Void] = [:]
  private var connections = 0
  private var pipes: [MemoryPipe] = []
  /// The connections from outside that links may break. Latency is not for them.
  private var outside: Set<Int> = []
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

  /// Breaks every connection: both ends of each receive a reset, in the order of connecting.
  package func resetAll() {
    for pipe in pipes where !pipe.isOver {
      pipe.client.announce(.failed(.reset))
      pipe.server.announce(.failed(.reset))
    }
  }

  /// Changes the link to a name. Offline, its connections break and no others are made. Latency is
  /// added to each direction of present and later connections.
  package func setLink(to name: String, isOnline: Bool, latency: Int64) {
    let wasOnline = links[name]?.isOnline ?? true
    links[name] = Link(isOnline: isOnline, latency: latency)
    for pipe in pipes where pipe.name == name && !pipe.isOver {
      if !outside.contains(pipe.client.connection) {
        pipe.client.outgoing.latency = toServer.latency + latency
        pipe.server.outgoing.latency = toClient.latency + latency
      }
      guard wasOnline, !isOnline else { continue }
      pipe.client.announce(.failed(.reset))
      pipe.server.announce(.failed(.reset))
    }
  }

  package func isForeign(_ connection: Int) -> Bool { outside.contains(connection) }

  /// False, because everything on its way is queued.
  package var mayBringMore: Bool { false }
  package var hasBytesUnderWay: Bool { false }
  package var hasUnsentBytes: Bool { false }

  package var bringsBytesToServers: Bool {
    pipes.contains { !$0.isOver && $0.client.hasBytesOnTheWay }
  }

  private struct Link {
    var isOnline: Bool
    var latency: Int64
  }

  /// Ends all listeners and connections without any event, because the run is over.
  package func discardAll() {
    listeners = [:]
    for pipe in pipes {
      pipe.client.invalidate()
      pipe.server.invalidate()
    }
    pipes = []
  }

  /// Connects a client that is not on this network: the conditions of its links are not for it.
  ///
  /// - Parameter isCutOff: True if the connection breaks when the link to the name goes offline.
  package func connectFromOutside(to name: String, isCutOff: Bool = false) -> any Transport {
    connections += 1
    let pipe = MemoryPipe(on: scheduler, connection: connections, name: isCutOff ? name : "")
    if isCutOff { outside.insert(connections) }
    remember(pipe)
    scheduler.schedule(after: 0, phase: .source) { [self] in
      guard let accept = listeners[name] else { return pipe.client.announce(.failed(.refused)) }
      pipe.client.announce(.connected)
      accept(pipe.server)
    }
    return pipe.client
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

  /// Looks for the listener when the call arrives, not when it is made.
  private func establish(_ pipe: MemoryPipe, at name: String) {
    guard isOnline, links[name]?.isOnline ?? true else {
      return pipe.client.announce(.failed(.unreachable))
    }
    guard let accept = listeners[name] else { return pipe.client.announce(.failed(.refused)) }
    if unannounced.isEmpty || !unannounced.contains(name) { pipe.client.announce(.connected) }
    accept(pipe.server)
  }

  /// Keeps a connection for `resetAll`, and drops finished ones once they may be the majority.
  private func remember(_ pipe: MemoryPipe) {
    if pipes.count >= sweepAt {
      pipes.removeAll(where: \.isOver)
      sweepAt = max(16, 2 * pipes.count)
    }
    pipes.append(pipe)
  }
}
