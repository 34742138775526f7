import Diagnostics
import Events
import Values

/// A line that proves a finding, and what it shows.
package struct RuleWitness: Sendable, Equatable {
  package var place: ExchangeLine.Place
  package var time: Microseconds
  package var text: String
  /// The endpoint's name, or the origin of a URL.
  package var server: String
  /// The event of the run that led to it, if that is known.
  package var cause: EventID?
  /// True for a request.
  package var isRequest: Bool

  init(_ line: ExchangeLine, _ text: String) {
    isRequest = if case .request = line.kind { true } else { false }
    place = line.place
    time = line.time
    self.text = text
    server = line.server
    cause = line.cause
  }
}

/// A place at which traffic broke a rule.
package struct RuleFinding: Sendable, Equatable {
  /// The side that broke it.
  package var party: Traffic.Side
  package var message: String
  /// The lines that prove it, in their order.
  package var witnesses: [RuleWitness]

  init(_ party: Traffic.Side, _ message: String, _ witnesses: RuleWitness?...) {
    self.party = party
    self.message = message
    self.witnesses = witnesses.compactMap(\.self)
  }
}

extension RuleFinding {
  /// Returns the finding as a diagnostic at its last witness.
  package func diagnostic(of rule: TrafficRule) -> Diagnostic {
    let last = witnesses.last?.place.range
    return Diagnostic(
      rule.id, severity: rule.severity, message, labels: last.map { [.init($0)] } ?? [],
      notes: witnesses.map {
        Diagnostic.Fact("witness", "\($0.place.name), at \(durationText($0.time)): \($0.text)")
      },
      help: rule.help)
  }
}

/// The characters of a text from outside that a finding quotes.
private let mostQuoted = 60

/// Returns a text from outside as a finding quotes it.
func quoted(_ text: String) -> String {
  let start = text.prefix(mostQuoted)
  return "`" + visibleText(String(start)) + (start.endIndex < text.endIndex ? "…" : "") + "`"
}
