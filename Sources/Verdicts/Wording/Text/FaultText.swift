import Diagnostics
import Events
import ScenarioPlan
import Values

/// The number of listed faults before a failure.
private let faultsListed = 4

/// The faults before a failure, because a client that fails on a bad line has a reason.
extension FailureWriter {
  /// The last faults up to a failure, one a line.
  func faults(before failure: Failure) -> [Diagnostic.Fact] {
    var all: [(fault: Fault, time: Microseconds)] = []
    for event in log.events where event.time <= failure.time {
      if case .network(.faulted(let fault)) = event.kind { all.append((fault, event.time)) }
    }
    guard !all.isEmpty else { return [] }
    var lines = all.suffix(faultsListed).map { "\(durationText($0.time)) \(text(of: $0.fault))" }
    let earlier = all.count - lines.count
    if earlier > 0 { lines.insert("\(earlier) earlier", at: 0) }
    return note("faults", lines.joined(separator: "\n"))
  }

  /// `feed, connection 2: reset on the way to the client`.
  private func text(of fault: Fault) -> String {
    let name = judge.plan.endpoints[ifPresent: fault.endpoint]?.name ?? "?"
    let way = fault.isToServer.map { " on the way to the \($0 ? "server" : "client")" } ?? ""
    return "\(name), connection \(fault.connection): \(text(of: fault.kind))\(way)"
  }

  func text(of kind: Fault.Kind) -> String {
    switch kind {
    case .refused: "refused"
    case .dropped: "dropped"
    case .reset: "reset"
    case .stalled: "stalled"
    case .corrupted: "corrupted"
    case .duplicated: "duplicated"
    case .delayed(let length): "delayed \(durationText(length))"
    }
  }
}
