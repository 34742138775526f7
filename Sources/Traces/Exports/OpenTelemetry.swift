import Values

/// Returns a run as a trace of OpenTelemetry, in the JSON form of its protocol (OTLP 1): a span for
/// the run and one for each exchange, and an event for each other line. An event of a stream and a
/// message belong to their exchange, all others to the run.
///
/// - Parameter end: The date of the run's end, for a trace without any date. Collectors drop spans
///   of 1970, or nobody finds them there.
package func openTelemetryTrace(of run: TraceRun, endingAt end: Timestamp? = nil) -> LongJSON {
  OpenTelemetryTrace(run, endingAt: end).request
}

private struct OpenTelemetryTrace {
  /// The kinds of spans, by their numbers in the protocol.
  private enum Kind: Int {
    case inside = 1
    case server = 2
    case client = 3
  }

  private enum Status: Int { case unset, ok, error }

  private let run: TraceRun
  private let traceID: String
  private let start: Timestamp

  init(_ run: TraceRun, endingAt end: Timestamp?) {
    self.run = run
    // The protocol has no times before 1970.
    let recorded = run.beginning.since1970
    let guess = run.recordedBeginning == nil ? end?.before(run.duration) : nil
    start = guess ?? recorded
    // Equal runs have equal ids: both are made from what the trace says. The hash of a run in real
    // time leaves its times out, so the next run may have the same one.
    var hash = SHA256()
    hash.append((run.header.displayName + recorded.text).utf8)
    if let last = run.entries.last?.line.hash {
      hash.append(last.utf8)
    } else {
      // Traces of other programs have no hash, and often neither title nor start.
      for entry in run.entries { hash.append(entry.json.json().utf8) }
    }
    traceID = String(hash.digest().prefix(32))
  }

  var request: LongJSON {
    let writer = run.header.writer
    let scope: Value = ["name": .string(writer.name), "version": .string(writer.version)]
    let resource: Value = ["attributes": [attribute("service.name", "rehearse")]]
    let spans = [AnySequence([runSpan]), AnySequence(run.exchanges.lazy.map(span))].joined()
    let scopeSpans = LongJSON.map([("scope", .value(scope)), ("spans", .list(spans))])
    let resourceSpans = LongJSON.map([
      ("resource", .value(resource)), ("scopeSpans", .list([scopeSpans])),
    ])
    return .map([("resourceSpans", .list([resourceSpans]))])
  }

  private var runSpan: LongJSON {
    let verdict = run.entries.indices.last { run.entries.kind(of: $0) == .verdict }
      .flatMap { run.entries[$0].line.value?.json }
    let outcome = verdict?["outcome"]?.plainText ?? verdict?.plainText
    let status: Status = outcome == "passed" ? .ok : outcome == nil ? .unset : .error
    return span(
      number: 0, name: run.header.displayName, .inside, from: 0, to: run.duration, [],
      AnySequence { linesOfRun }, status)
  }

  /// The lines of no exchange. The line of a request is the beginning of its span.
  private var linesOfRun: some IteratorProtocol<TraceReader.Entry> {
    var follower = ExchangeFollower()
    return run.entries.lazy.enumerated().lazy.filter { index, entry in
      defer { follower.passOver() }
      return !follower.belongs(entry, at: index) && entry.line.knownKind != .request
    }.map(\.element).makeIterator()
  }

  private func span(_ exchange: TraceExchange) -> LongJSON {
    let line = exchange.request.line
    let json = line.value?.json ?? .null
    let method = json["method"]?.plainText ?? "GET"
    let path = json["path"]?.plainText ?? "/"
    var attributes = [
      attribute("http.request.method", .string(method)), attribute("url.path", .string(path)),
    ]
    if let source = line.source {
      attributes.append(attribute("server.address", .string(source)))
    }
    if let status = exchange.status {
      attributes.append(attribute("http.response.status_code", .int(status)))
    }
    attributes += facts(exchange.request)
    let ours = line.source.flatMap { run.header.side(of: $0) } ?? .client
    let hasFailed = exchange.answer == .none || (exchange.status ?? 0) >= 500
    return span(
      number: exchange.request.number, name: "\(method) \(path)",
      ours == .client ? .client : .server, from: exchange.request.time,
      to: exchange.end?.time ?? run.duration, attributes,
      AnySequence(exchange.lines.lazy.map { run.entries[$0] }), hasFailed ? .error : .unset)
  }

  private func span(
    number: Int, name: String, _ kind: Kind, from begin: Microseconds, to end: Microseconds,
    _ attributes: [Value], _ events: AnySequence<TraceReader.Entry>, _ status: Status
  ) -> LongJSON {
    var members: [(name: String, value: LongJSON)] = [
      ("traceId", .value(.string(traceID))), ("spanId", .value(.string(spanID(number)))),
    ]
    if number > 0 { members.append(("parentSpanId", .value(.string(spanID(0))))) }
    return .map(
      members + [
        ("name", .value(.string(name))), ("kind", .value(.int(kind.rawValue))),
        ("startTimeUnixNano", .value(.string(nanoseconds(begin)))),
        ("endTimeUnixNano", .value(.string(nanoseconds(end)))),
        ("attributes", .value(.list(attributes))),
        ("events", .list(events.lazy.map { .value(event($0)) })),
        ("status", .value(["code": .int(status.rawValue)])),
      ])
  }

  private func event(_ entry: TraceReader.Entry) -> Value {
    let source = entry.line.source.map { $0 + " " } ?? ""
    var attributes = facts(entry)
    if let value = entry.line.value {
      attributes.append(attribute("rehearse.value", .string(value.json.json(sortedKeys: true))))
    }
    return [
      "timeUnixNano": .string(nanoseconds(entry.time)),
      "name": .string(source + entry.line.kind.name), "attributes": .list(attributes),
    ]
  }

  /// The number of an event and of its cause, which the questions to a trace take.
  private func facts(_ entry: TraceReader.Entry) -> [Value] {
    let number = attribute("rehearse.event", .int(entry.number))
    guard let cause = entry.line.cause else { return [number] }
    return [number, attribute("rehearse.cause", .int(cause))]
  }

  /// Integers are text in the protocol's JSON, because they have 64 bits.
  private func attribute(_ key: String, _ value: Value) -> Value {
    let written: Value =
      if case .int(let number) = value {
        ["intValue": .string(String(number))]
      } else {
        ["stringValue": .string(value.plainText)]
      }
    return ["key": .string(key), "value": written]
  }

  private func spanID(_ number: Int) -> String {
    var hash = SHA256()
    hash.append((traceID + String(number)).utf8)
    return String(hash.digest().prefix(16))
  }

  private func nanoseconds(_ time: Microseconds) -> String {
    let seconds = Int128(start.seconds) * 1_000_000_000 + Int128(start.nanoseconds)
    return String(seconds + Int128(time) * 1_000)
  }
}

extension Timestamp {
  /// The date, or 1970 if it is before.
  fileprivate var since1970: Timestamp {
    seconds < 0 ? Timestamp(seconds: 0, nanoseconds: 0) : self
  }

  /// Returns the date that lies so long before this one.
  fileprivate func before(_ time: Microseconds) -> Timestamp {
    let nanoseconds =
      Int128(seconds) * 1_000_000_000 + Int128(self.nanoseconds) - Int128(time) * 1_000
    guard nanoseconds > 0 else { return Timestamp(seconds: 0, nanoseconds: 0) }
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Timestamp(seconds: .init(whole), nanoseconds: .init(rest))
  }
}
