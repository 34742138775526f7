import Diagnostics
import Events

/// The number of routes that a failure names.
private let routesNamed = 3

extension FailureWriter {
  /// The routes that did not answer because their `when` had no value, one a line; nil if there are
  /// none. A client that got the answer of another route has its reason here.
  var passedOver: String? {
    var reasons: [SourceRange: String] = [:]
    for case .network(.passedOver(_, let entry, let reason)) in log.events.map(\.kind) {
      reasons[entry] = reason
    }
    let entries = reasons.sorted { ($0.key.file, $0.key.start) < ($1.key.file, $1.key.start) }
    let lines = entries.prefix(routesNamed).map { entry, reason in
      let line = sources.file(of: entry)?.place(of: Int(entry.start)).line
      let place = line.map { " at line \($0)" } ?? ""
      return "the route\(place) was passed over: its `when` has no value: \(reason)"
    }
    let more = entries.count - lines.count
    let all = lines + (more > 0 ? ["and \(more) more"] : [])
    return all.isEmpty ? nil : all.joined(separator: "\n")
  }
}
