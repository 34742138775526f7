import Events
import TextSearch
import Traces
import Values
import Verdicts

extension TraceRun {
  /// Returns what passed between clients and servers in a run, for the rules of protocols.
  ///
  /// - Parameters:
  ///   - file: The number of the trace among the sources.
  ///   - body: Returns the file of a large body, by its hash.
  package func watched(
    in file: Int32, body: @escaping (String) -> TraceBodyFile? = { _ in nil }
  ) -> TrafficWatch {
    var watch = TrafficWatch(
      RecordingEnd(isWhole: isWhole, tolerance: header.isVirtual == true ? 0 : measuredTolerance))
    var numbers = ExchangeNumbers()
    let reader = TrafficReader(TraceResolver(body: body))
    for entry in entries where entry.line.from != nil {
      guard var kind = reader.kind(of: entry.line), let from = entry.line.from else { continue }
      if case .response(var answer) = kind, entry.line.value?.hasSecret == true {
        // The recorded length is that of the body with its secret.
        answer.headers.removeAll { $0.name.lowercasedASCII == "content-length" }
        kind = .response(answer)
      }
      let server = entry.line.source ?? entry.line.others["url"]?.plainText ?? ""
      let exchange = numbers.number(
        of: kind, server: server, connection: entry.line.connection ?? 0, line: entry.number,
        cause: entry.line.cause)
      watch.observe(
        ExchangeLine(
          kind, server: server, exchange: exchange, from: from == .client ? .client : .server,
          time: entry.time, place: .event(entry.number, entry.place.range(in: file))))
    }
    watch.finish()
    return watch
  }

  /// True if nothing is missing at the end. Only traces of Rehearsal have a verdict.
  private var isWhole: Bool {
    cut == nil && (hasVerdict || header.by?.hasPrefix("rehearse") != true)
  }
}

/// The inaccuracy of measured times.
private let measuredTolerance: Microseconds = 20_000

extension TraceValue {
  /// True if a name stands in it in place of a secret.
  fileprivate var hasSecret: Bool {
    let text = json.json()
    return text.contains("‹") || text.contains("\"\(TraceEncoding.secret.rawValue)\"")
  }
}
