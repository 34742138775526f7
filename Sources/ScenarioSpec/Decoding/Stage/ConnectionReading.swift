import Diagnostics
import Values
import YAMLSyntax

/// Reading of clients that stay connected.
extension DocumentReader {
  func readConnections(_ fields: MappingReader) -> [ConnectionSpec] {
    fields.entries(.connections).compactMap { entry in
      let name = readStageName(entry)
      let subject = ValueSubject.entry(entry.key, of: .connections).text
      guard let parts = open(entry.value, LanguageTable.connection, subject),
        var connection = readConnection(parts, name ?? entry.name)
      else { return nil }
      connection.retry = parts.retryPolicy(.retry)
      connection.ping = parts[.ping].flatMap { readPing($0.value) }
      connection.idle = parts.tick(.idle)
      connection.onConnect = readOnConnect(parts)
      return name == nil ? nil : connection
    }
  }

  private func readConnection(_ parts: MappingReader, _ name: Located<String>) -> ConnectionSpec? {
    guard let (key, entry) = parts.first(of: [.sse, .websocket, .ndjson]) else { return nil }
    let isSocket = key == .websocket
    let rule = isSocket ? LanguageTable.socketRequest : LanguageTable.connectionRequest
    guard let fields = open(entry.value, rule, "`\(key.rawValue)`"),
      let request = readRequest(fields)
    else { return nil }
    guard isSocket else {
      return ConnectionSpec(name: name, kind: key == .sse ? .eventStream : .lines, request: request)
    }
    let protocols = fields.elements(.protocols).compactMap {
      readSentText($0, .element(.protocols))
    }
    return ConnectionSpec(name: name, kind: .webSocket(protocols: protocols), request: request)
  }

  private func readOnConnect(_ parts: MappingReader) -> (steps: ScriptSpec, key: SourceRange)? {
    guard let entry = parts[.onConnect] else { return nil }
    let steps = readScript(
      entry.value, ScriptContext(.action), .key(.onConnect), takes: .script(.action))
    return steps.map { ($0, entry.keyRange) }
  }

  private func readPing(_ node: YAMLNode) -> PingSpec? {
    guard let fields = open(node, LanguageTable.ping, "`ping`") else { return nil }
    var ping = PingSpec()
    ping.interval = fields.tick(.interval)
    ping.maxFailures = fields.integer(.maxFailures)
    return ping
  }
}

extension ConnectionSpec {
  /// The reactor that runs the steps of `onConnect`: each state of the connection ends the run
  /// before, and one that is connected begins another.
  var openingReactor: ReactorSpec? {
    guard let (steps, key) = onConnect else { return nil }
    // No other name has a dot in it.
    var reactor = ReactorSpec(name: Located("\(name.value).onConnect", key))
    let action = Located("steps", key)
    let isConnected = ExpressionText("kind(\(name.value).state) == 'connected'", key)
    let choice = StepSpec(
      kind: .if(isConnected, then: steps, else: nil), verb: Located("if", key), range: key)
    var run = ActionSpec(name: action, steps: ScriptSpec(range: steps.range, steps: [choice]))
    run.policy = .inFlight(
      DataSpec(.literal(.string(action.value)), action.range))
    reactor.actions = [run]
    reactor.follows = [
      FollowSpec(source: Located("\(name.value).state", key), action: action)
    ]
    return reactor
  }
}

extension MappingReader {
  func retryPolicy(_ key: Key) -> RetryPolicySpec? {
    assertShape(key) { $0 == .mapping(.retryPolicy) }
    guard let node = self[key]?.value,
      let fields = values.open(node, LanguageTable.retryPolicy, "`\(key.rawValue)`")
    else { return nil }
    var policy = RetryPolicySpec(range: fields.range)
    policy.maxAttempts = fields.integer(.maxAttempts)
    policy.initialDelay = fields.duration(.initialDelay)
    policy.maxDelay = fields.duration(.maxDelay)
    policy.multiplier = fields.number(.multiplier)
    policy.jitter = fields.number(.jitter)
    if fields.has(.giveUpOn) {
      policy.nonRetryableStatuses = fields.elements(.giveUpOn).compactMap {
        values.readInteger($0, in: 100...4_999, .element(.giveUpOn))
      }
    }
    return policy
  }
}
