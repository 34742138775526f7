import Protocols
import TextSearch
import World

/// The connections to one server that stay open after an answer, for the next requests. One thread
/// uses them.
package final class KeptConnections {
  /// An open connection on which no answer is awaited.
  struct Kept {
    let transport: any Transport
    let http: HTTPClientConnection
  }

  private struct Entry {
    var kept: Kept
    /// Cancels the end of the connection's time.
    var stopTimer: () -> Void
  }

  /// The most connections that are kept for one server.
  package static let mostKept = 8
  /// The end of the time that a server promises is not used, so that its close does not meet the
  /// next request on the way.
  private static let marginOfPromise: Int64 = 1_000_000

  /// The microseconds for which an unused connection is kept.
  private let lifetime: Int64
  private let schedule: (Int64, @escaping () -> Void) -> () -> Void
  /// The one that was used last is at the end.
  private var entries: [Entry] = []

  package init(
    lifetime: Int64, schedule: @escaping (Int64, @escaping () -> Void) -> () -> Void
  ) {
    self.lifetime = lifetime
    self.schedule = schedule
  }

  package var count: Int { entries.count }

  /// Returns the connection that was used last; nil if none is open.
  func take() -> Kept? {
    guard let entry = entries.popLast() else { return nil }
    entry.stopTimer()
    entry.kept.transport.onEvent = nil
    return entry.kept
  }

  /// Keeps a connection, or closes it if the server wants it or there are enough.
  ///
  /// - Parameter promise: The seconds for which the server keeps it, as its answer says.
  func put(_ kept: Kept, promise: Int?) {
    let promised = promise.map { Int64($0) * 1_000_000 - KeptConnections.marginOfPromise }
    let time = min(lifetime, promised ?? lifetime)
    guard time > 0, entries.count < KeptConnections.mostKept else {
      kept.transport.onEvent = nil
      kept.transport.close()
      return
    }
    let transport = kept.transport
    transport.onEvent = { [weak self, weak transport] event in
      switch event {
      case .connected, .writable: break
      // Whatever a server says now, it is no answer: it closes, or it breaks the rules.
      case .received, .ended, .failed: transport.map { self?.drop($0) }
      }
    }
    let stopTimer = schedule(time) { [weak self, weak transport] in
      transport.map { self?.drop($0) }
    }
    entries.append(Entry(kept: kept, stopTimer: stopTimer))
  }

  private func drop(_ transport: any Transport) {
    guard let place = entries.firstIndex(where: { $0.kept.transport === transport }) else { return }
    close(entries.remove(at: place))
  }

  /// Closes all connections.
  package func closeAll() {
    let all = entries
    entries = []
    for entry in all { close(entry) }
  }

  private func close(_ entry: Entry) {
    entry.stopTimer()
    entry.kept.transport.onEvent = nil
    entry.kept.transport.close()
  }
}

extension HTTPResponse {
  /// The seconds for which the server keeps the connection open, if the answer says so.
  var keepAlivePromise: Int? {
    headers["Keep-Alive"]?.split(separator: ",").lazy.compactMap { part in
      let pair = part.split(separator: "=").map { $0.drop { $0 == " " } }
      return pair.count == 2 && pair[0].lowercasedASCII == "timeout" ? Int(pair[1]) : nil
    }.first
  }
}
