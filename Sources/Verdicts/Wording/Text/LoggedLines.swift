import Events
import Values

/// The most lines of `log` steps that a report shows, and the characters of each.
private let mostLines = 10
private let longestLine = 160

extension FailureWriter {
  /// The last lines that `log` steps wrote; nil if there are none.
  var loggedLines: String? {
    var lines: [String] = []
    for event in log.events.reversed() where lines.count <= mostLines {
      guard case .script(.logged(_, let value)) = event.kind else { continue }
      lines.append("\(durationText(event.time))  \(text(ofLogged: value))")
    }
    guard !lines.isEmpty else { return nil }
    let shown = lines.prefix(mostLines).reversed()
    return ((lines.count > mostLines ? ["…"] : []) + shown).joined(separator: "\n")
  }

  private func text(ofLogged value: Value) -> String {
    guard case .string(let text) = value else {
      return names.text(value, maxLength: longestLine)
    }
    let shown = names.masked(text)
    return shown.count > longestLine ? shown.prefix(longestLine) + "…" : shown
  }
}
