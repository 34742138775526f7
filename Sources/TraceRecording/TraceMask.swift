import Events
import Protocols
import ScenarioPlan
import Secrets
import TextSearch
import Traces
import Values
import Verdicts

/// The filter of all that a trace contains: secrets become `‹name›`, and so do tokens that real
/// endpoints issue during the run.
package struct TraceMask: Sendable {
  private var secrets: NamedSecrets
  private var tokens: CredentialFinder?
  /// By capture: how many values it has had.
  private var captured: [String: Int] = [:]
  /// The side that the scenario owns. What a server of its own issues is no secret of others.
  private let side: TraceSide
  /// The endpoints that are mocks of the scenario, though others take part.
  private var mocks: Set<String> = []
  /// The scenario's settings for the contents of traces.
  private var parts = TracesPlan()
  /// By stream: the texts of its last message in which a piece of a token was hidden, and what
  /// stands for them.
  private var pieces: [String: [String: String]] = [:]
  /// By name of a hidden part: how many values it has had.
  private var hiddenParts: [String: Int] = [:]

  /// - Parameters:
  ///   - findsTokens: True for real endpoints and clients, whose tokens nobody has declared.
  ///   - isPublic: Returns whether everybody may know a text, so that it is no token.
  package init(
    _ secrets: NamedSecrets, findsTokens: Bool,
    side: TraceSide = .client, isPublic: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.secrets = secrets
    tokens = findsTokens ? CredentialFinder(isPublic: isPublic) : nil
    self.side = side
  }

  /// Makes the filter of a run in which others take part.
  ///
  /// - Parameter secrets: Those that are known; nil stands for the ones of the plan.
  package init(
    _ plan: ScenarioPlan, from outside: OutsideParties, _ secrets: NamedSecrets? = nil
  ) {
    // What is sent to a real endpoint is its own business, whatever the scenario says.
    let nothing: @Sendable (String) -> Bool = { _ in false }
    self.init(
      secrets ?? plan.namedSecrets, findsTokens: outside.isAny,
      isPublic: outside.hasRealEndpoints ? nothing : outside.isPublic)
    parts = plan.traces
    guard outside.isAny, !outside.hasRealEndpoints else { return }
    mocks = Set(
      plan.endpoints.withIDs.filter { !outside.endpoints.contains($0.0) }.map(\.1.name))
  }

  /// True if there is nothing to hide, so that lines stay as they are.
  var hidesNothing: Bool { secrets.isEmpty && tokens == nil && parts.hide.isEmpty }

  /// Hides secrets that became known during the run from now on.
  ///
  /// - Parameter name: The name that stands for them; nil if they are numbered.
  mutating func hide(_ secrets: [String], named name: String? = nil) {
    guard let name else { return self.secrets.add(secrets) }
    for secret in secrets { self.secrets.add(secret, name: name) }
  }

  /// Hides what steps capture from now on. The first value of a capture has its name, and each
  /// other one that name with a number: `‹token›`, `‹token.2›`.
  mutating func hide(captured secrets: [NamedSecret]) {
    for secret in secrets where !self.secrets.contains(secret.text) {
      self.secrets.add(secret.text, name: recordedName(secret.text) ?? nextName(of: secret.name))
    }
  }

  private mutating func nextName(of capture: String) -> String {
    captured[capture, default: 0] += 1
    let number = captured[capture] ?? 1
    return number == 1 ? capture : "\(capture).\(number)"
  }

  /// Returns a line without secrets, and without the tokens that it issues or uses.
  package mutating func masked(_ line: TraceLine) -> TraceLine {
    if hidesNothing { return line }
    var line = line
    if !parts.keep.isEmpty { allowKept(in: line) }
    if !parts.hide.isEmpty { hideParts(of: &line) }
    let value = line.value
    if let value, isIssued(line) { tokens?.allow(in: value.json) }
    if tokens != nil { hidePieces(of: &line) }
    line.value = line.value.map { TraceValue(json: masked($0.json)) }
    // The text of a body that is a secret as a whole is one as well.
    if let value, line.text != nil, hasSecretBody(value.json) { line.text = nil }
    if line.knownKind == .request { line.value = line.value.map(maskedTarget) }
    if line.knownKind == .failure || line.knownKind == .problem {
      // The words of a failure cut long values, and with them secrets that it did not know.
      line.value = line.value.map { TraceValue(json: secrets.masked(pages: $0.json)) }
    }
    line.text = line.text.map { TraceValue(json: masked($0.json)) }
    if let value, let now = line.value, let text = line.text, now != value,
      !isText(text.json, of: now.json)
    {
      line.text = nil
    }
    line.at = line.at.map { secrets.masked($0) }
    return line
  }

  /// Hides the pieces of a token that comes in several messages of others, and what the scenario
  /// makes of one before the next message comes.
  private mutating func hidePieces(of line: inout TraceLine) {
    guard let json = line.value?.json, let kind = line.knownKind else { return }
    if [.emitted, .read, .log, .failure].contains(kind) {
      line.value = TraceValue(json: withoutPieces(json))
    } else if [.event, .line, .message].contains(kind), !isIssued(line) {
      let stream = "\(line.source ?? "") \(line.connection ?? 0) \(line.from == .client)"
      var hidden: [String: String] = [:]
      let shown = tokens?.withoutPieces(json, of: stream, hidden: &hidden) ?? json
      pieces[stream] = hidden.isEmpty ? nil : hidden
      line.value = TraceValue(json: shown)
    }
  }

  private func withoutPieces(_ json: Value) -> Value {
    if pieces.isEmpty { return json }
    switch json {
    case .string(let text):
      return .string(pieces.values.lazy.compactMap { $0[text] }.first ?? text)
    case .list(let elements): return .list(elements.map { withoutPieces($0) })
    case .map(let map): return .map(ValueMap(map.map { ($0.key, withoutPieces($0.value)) }))
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      return json
    }
  }

  private mutating func allowKept(in line: TraceLine) {
    guard let json = line.value?.json else { return }
    for part in parts.keep.compactMap({ $0.inValue(of: line) }) {
      for text in part.values(in: json).flatMap(\.secretTexts) { tokens?.allow(text) }
    }
  }

  /// Hides the parts of a line that the scenario names, and their texts from then on.
  private mutating func hideParts(of line: inout TraceLine) {
    for hidden in parts.hide {
      guard let json = line.value?.json, let part = hidden.inValue(of: line) else { continue }
      for text in part.values(in: json).flatMap(\.secretTexts)
      where text.count >= TraceMask.shortestPart && !secrets.contains(text) {
        let name = hidden.keys.last { $0 != "*" } ?? "part"
        hiddenParts[name, default: 0] += 1
        secrets.add(text, name: "\(name)#\(hiddenParts[name] ?? 1)")
      }
      let name = hidden.keys.last { $0 != "*" } ?? "part"
      line.value = TraceValue(json: part.changed(in: json) { named(name, $0) })
    }
  }

  /// The fewest characters of a hidden part that is hidden in other places as well.
  private static let shortestPart = 4

  /// Returns whether a line is what a mock of the scenario has sent.
  private func isIssued(_ line: TraceLine) -> Bool {
    if side == .server { return line.from != .client }
    return line.from == .server && line.source.map(mocks.contains) == true
  }

  /// False if a text is JSON and not that of the value, of which a secret was hidden: it may have
  /// it in a form that nobody looks for, such as with all its letters as numbers.
  private func isText(_ text: Value, of value: Value) -> Bool {
    guard case .string(let text) = text else { return true }
    return TraceRecording.isText(text, ofOneOf: [value, value["body"], value["data"]])
  }

  /// Returns a request without secrets whose target encodes more characters than it must.
  private func maskedTarget(_ value: TraceValue) -> TraceValue {
    guard case .map(var map) = value.json, case .string(let target)? = map["target"],
      target.contains("%")
    else { return value }
    var result = ""
    var part = ""
    for character in target {
      if "/?&=".contains(character) {
        result += maskedPart(part) + String(character)
        part = ""
      } else {
        part.append(character)
      }
    }
    map["target"] = .string(result + maskedPart(part))
    return TraceValue(json: .map(map))
  }

  private func maskedPart(_ part: String) -> String {
    let decoded = URLText.decode(part, as: .segment)
    let masked = hidden(decoded)
    return masked == decoded ? part : masked
  }

  /// Returns a value of the header without secrets.
  package mutating func masked(_ value: Value) -> Value {
    if hidesNothing { return value }
    tokens?.find(in: value)
    hideTokens()
    return hidden(value)
  }

  /// Finds the tokens in the headers of a message, most of which a trace does not have.
  mutating func learn(of headers: [Exchange.Field]) {
    guard tokens != nil else { return }
    let kept = parts.keptHeaders
    for header in headers where !kept.contains(header.name.lowercasedASCII) {
      tokens?.find(inField: header.name, header.value)
    }
    hideTokens()
  }

  private mutating func hideTokens() {
    for token in tokens?.takeFound() ?? [] { secrets.add(token.text, name: token.name) }
  }

  /// Returns a text without secrets.
  package func masked(_ text: String) -> String { hidesNothing ? text : hidden(text) }

  private func hasSecretBody(_ json: Value) -> Bool {
    [json, json["body"], json["data"]].contains { part in
      part.flatMap { secrets.name(ofContainer: $0) } != nil
    }
  }

  /// Returns a list or a map with the name of a secret in place of each text and number in it.
  private func named(_ name: String, _ json: Value) -> Value {
    switch json {
    case .string(let text):
      let shown = hidden(text)
      return shown == text ? .string("‹\(name)›") : .string(shown)
    case .list(let elements): return .list(elements.map { named(name, $0) })
    case .map(let map): return .map(ValueMap(map.map { ($0.key, named(name, $0.value)) }))
    case .int, .uint, .double, .digits: return TraceValue.secret(name).json
    case .null, .bool, .bytes, .timestamp, .duration, .type, .optional: return json
    }
  }

  private func hidden(_ json: Value) -> Value {
    if let name = secrets.name(ofContainer: json) { return named(name, json) }
    switch json {
    case .string(let text): return .string(hidden(text))
    case .list(let elements): return .list(elements.map { hidden($0) })
    case .map(let map):
      if let (code, bytes) = bytes(of: map) {
        if secrets.masked(code) != code, secrets.masked(bytes) == bytes {
          return hidden(number: .string(code))
        }
        return TraceValue(.bytes(secrets.masked(bytes))).json
      }
      if let text = timeText(of: map), secrets.masked(text) != text {
        return hidden(number: .string(text))
      }
      var result = ValueMap(minimumCapacity: map.count)
      let hidesText = map["text"] != nil && hasSecretBody(json)
      for (key, value) in map where !hidesText || key != "text" {
        result[.string(hidden(key.plainText))] = hidden(value)
      }
      if let text = result["text"], result["body"] != map["body"],
        !isText(text, of: .map(result))
      {
        result["text"] = nil
      }
      return .map(result)
    case .int, .uint, .double, .digits: return hidden(number: json)
    case .null, .bool, .bytes, .timestamp, .duration, .type, .optional: return json
    }
  }

  private func hidden(_ text: String) -> String {
    if let credentials = BasicCredentials(encoded: text) {
      let shown = BasicCredentials(text: secrets.masked(credentials.text))
      // In Base64, the letters around a secret depend on it as well. A replay has its placeholder.
      if shown.hasPlaceholder { return shown.shown }
    }
    return secrets.masked(text)
  }

  /// A number that contains a secret shows nothing but the secret's name.
  private func hidden(number: Value) -> Value {
    let text = number.plainText
    let masked = secrets.masked(text)
    if masked == text { return number }
    let name = masked.drop { $0 != "‹" }.dropFirst().prefix { $0 != "›" }
    return TraceValue.secret(String(name)).json
  }

  /// Returns the text of a timestamp or a duration.
  private func timeText(of map: ValueMap) -> String? {
    guard map.count == 1, let encoded = map.first, case .string(let key) = encoded.key,
      [TraceEncoding.time.rawValue, TraceEncoding.duration.rawValue].contains(key)
    else { return nil }
    return encoded.value.plainText
  }

  private func bytes(of map: ValueMap) -> (code: String, bytes: [UInt8])? {
    guard map.count == 1, case .string(let text)? = map[TraceEncoding.bytes.rawValue] else {
      return nil
    }
    return Base64.decode(text).map { (text, $0) }
  }
}

/// Returns the name that stands for a secret in the trace that is replayed; nil if the text is no
/// such name. It keeps that name, also where a client encodes it.
private func recordedName(_ text: String) -> String? {
  text.first == "‹" && text.last == "›" ? String(text.dropFirst().dropLast()) : nil
}
