import Diagnostics
import Values

// What a report shows of the place where a run left an earlier one.
extension TraceDifferences {
  /// Returns where a run B, which failed, left the good run A first.
  ///
  /// - Parameter path: The file of A.
  package func notes(onLeaving path: String) -> [Diagnostic.Fact] {
    guard let first = firstOfEvents else {
      let end = "the same events up to \(durationText(b.duration))"
      let next = differences.first { $0.isOfEvents }?.a
      return [.init("good run", visibleText("\(path): \(end)\(changes)"))]
        + (next.map { [.init("then", "recorded: " + eventText($0))] } ?? [])
    }
    let place = first.a.map { ":\($0.place.line)" } ?? ""
    return [
      .init("good run", visibleText("\(path)\(place) is where this run left it first\(changes)")),
      .init("recorded", first.a.map(eventText) ?? "nothing"),
      .init("now", (first.b.map(eventText) ?? "nothing") + shiftText(first)),
    ]
  }

  /// The first difference between events. What the good run has behind the end of the other one is
  /// none: a failure ends a run.
  private var firstOfEvents: Difference? {
    differences.first { difference in
      let isBehind = difference.change == .onlyInA && (difference.a?.time ?? 0) >= b.duration
      return difference.isOfEvents && !isBehind
    }
  }

  private var changes: String {
    let others = headers.filter { $0 != .files }.map(\.rawValue)
    return (headers.contains(.files) ? "; the scenario has changed since" : "")
      + (others.isEmpty ? "" : "; the headers differ in \(others.joined(separator: ", "))")
  }

  private func eventText(_ entry: TraceReader.Entry) -> String {
    let name = entry.line.source.map { visibleText($0) + " " } ?? ""
    return "\(name)\(entry.line.valueText) at \(durationText(entry.time))"
  }

  private func shiftText(_ difference: Difference) -> String {
    guard case .time(let shift) = difference.change else { return "" }
    let text = durationText(shift < 0 ? 0 &- shift : shift)
    return ", \(text) \(shift < 0 ? "earlier" : "later")"
  }
}

extension TraceDifferences.Difference {
  /// True if it is between events. What assertions and the verdict say follows from those.
  fileprivate var isOfEvents: Bool {
    let kind = (a ?? b)?.line.knownKind
    return kind != .assertion && kind != .verdict
  }
}
