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
    /// The time at which it is no longer used.
    var end: Int64
    /// Cancels the end of the connection's time.
    var stopTimer: () -> Void
  }

  /// The clock that ends an unused connection.
  package enum Clock {
    /// Timers, which close it. A function schedules a call after this many microseconds, and
    /// returns one that cancels it.
    case timers((Int64, @escaping () -> Void) -> () -> Void)
    /// The time at the next request, in microseconds. Nothing happens before it.
    case time(() -> Int64)
  }

  /// The end of the time that a server promises is not used, so that its close does not meet the
  /// next request on the way.
  private static let marginOfPromise: Int64 = 1_000_000

  /// The microseconds for which an unused connection is kept; nil for as long as the server does.
  private let lifetime: Int64?
  private let most: Int
  private let clock: Clock
  /// The one that was used last is at the end.
  private var entries: [Entry] = []

  /// - Parameter most: The most connections that are kept for one server.
  package init(lifetime: Int64?, most: Int, clock: Clock) {
    self.lifetime = lifetime
    self.most = most
    self.clock = clock
  }

  package var count: Int { entries.count }

  private var now: Int64 {
    switch clock {
    case .timers: 0
    case .time(let read): read()
    }
  }

  /// Returns the connection that was used last; nil if none is open. One whose time is over, or on
  /// which something has come, is no longer used.
  func take() -> Kept? {
    while let entry = entries.popLast() {
      guard entry.end > now, !entry.kept.transport.hasUnreportedInput else {
        close(entry)
        continue
      }
      entry.stopTimer()
      entry.kept.transport.onEvent = nil
      return entry.kept
    }
    return nil
  }

  /// Keeps a connection, or closes it if the server wants it or there are enough.
  ///
  /// - Parameter promise: The seconds for which the server keeps it, as its answer says.
  func put(_ kept: Kept, promise: Int?) {
    let promised = promise.map { seconds in
      let (time, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
      return overflow ? .max : time - KeptConnections.marginOfPromise
    }
    let time = min(lifetime ?? .max, promised ?? .max)
    guard time > 0, entries.count < most else {
      kept.transport.onEvent = nil
      kept.transport.close()
      return
    }
    let transport = kept.transport
    transport.onEvent = { [weak self, weak transport] event in
      switch event {
      case .connected, .writable: break
      // Whatever a server says now, it is no answer: it closes, or it breaks the rules.
      case .received, .ended, .halfClosed, .failed: transport.map { self?.drop($0) }
      }
    }
    entries.append(Entry(kept: kept, end: end(after: time), stopTimer: limit(transport, to: time)))
  }

  private func end(after time: Int64) -> Int64 {
    let (end, overflow) = now.addingReportingOverflow(time)
    return overflow ? .max : max(end, 1)
  }

  private func limit(_ transport: any Transport, to time: Int64) -> () -> Void {
    guard case .timers(let schedule) = clock, time < .max else { return {} }
    return schedule(time) { [weak self, weak transport] in transport.map { self?.drop($0) } }
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
