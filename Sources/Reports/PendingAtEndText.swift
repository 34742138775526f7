import Diagnostics
import Secrets
import Values
import Verdicts

/// The number of open operations that have a line each.
private let pendingLinesShown = 5
/// The characters of a name that are shown.
private let longestName = 120

/// Returns the operations that were open at the end, a line each: `still open: sse news at feed,
/// connected since 2s`.
package func pendingLines(
  _ verdict: Verdict, _ mask: SecretMask, withTimes: Bool = true
) -> [String] {
  let open = verdict.pendingAtEnd
  var lines = open.first.prefix(pendingLinesShown).map {
    "still open: " + text(of: $0, mask, withTimes)
  }
  let more = open.first.count - lines.count + open.left
  if more > 0 { lines.append("still open: \(more) more") }
  return lines
}

private func text(
  of thing: PendingAtEnd, _ mask: SecretMask, _ withTimes: Bool
) -> String {
  let name = mask.masked(thing.name)
  let start = visibleText(String(name.prefix(longestName)))
  let what = (thing.kind == "request" ? "" : thing.kind + " ") + start
  let state = thing.state == "pausing" ? "about to be tried again" : thing.state
  return "\(what)\(start.count < name.count ? "…" : "") at \(visibleText(thing.endpoint)), "
    + state + (withTimes ? " since \(durationText(thing.since))" : "")
}
