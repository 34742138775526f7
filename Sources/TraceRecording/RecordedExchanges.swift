import Events
import Traces
import TrafficRules
import Values

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
      guard let kind = reader.kind(of: entry.line), let from = entry.line.from else { continue }
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
