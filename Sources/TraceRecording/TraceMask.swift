import Protocols
import Traces
import Values

/// The filter of all that a trace contains: secrets become `‹name›`, and so do tokens that real
/// endpoints issue during the run.
package struct TraceMask: Sendable {
  private var secrets: NamedSecrets
  private var tokens: IssuedTokens?

  /// - Parameter findsTokens: True for real endpoints, whose tokens nobody has declared.
  package init(_ secrets: [String], names: [String: String], findsTokens: Bool) {
    self.secrets = NamedSecrets(secrets, names: names)
    tokens = findsTokens ? IssuedTokens() : nil
  }

  /// True if there is nothing to hide, so that lines stay as they are.
  var hidesNothing: Bool { secrets.isEmpty && tokens == nil }

  /// Hides secrets that became known during the run from now on.
  mutating func hide(_ secrets: [String]) { self.secrets.add(secrets) }

  /// Returns a line without secrets, and without the tokens that it issues or uses.
  package mutating func masked(_ line: TraceLine) -> TraceLine {
    if hidesNothing { return line }
    var line = line
    let value = line.value
    line.value = value.map { TraceValue(json: masked($0.json)) }
    // The text of a body that is a secret as a whole is one as well.
    if let value, line.text != nil, hasSecretBody(value.json) { line.text = nil }
    if line.knownKind == .request { line.value = line.value.map(maskedTarget) }
    line.text = line.text.map { TraceValue(json: masked($0.json)) }
    line.at = line.at.map { secrets.masked($0) }
    return line
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
    tokens?.find(in: value)
    return hidden(value)
  }

  /// Returns a text without secrets.
  package func masked(_ text: String) -> String { hidden(text) }

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
    case .int, .uint, .double: return TraceValue.secret(name).json
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
      return .map(result)
    case .int, .uint, .double: return hidden(number: json)
    case .null, .bool, .bytes, .timestamp, .duration, .type, .optional: return json
    }
  }

  private func hidden(_ text: String) -> String {
    if let credentials = BasicCredentials(encoded: text) {
      let shown = BasicCredentials(text: hiddenWords(of: credentials.text))
      // In Base64, the letters around a secret depend on it as well. A replay has its placeholder.
      if shown.hasPlaceholder { return shown.shown }
    }
    return hiddenWords(of: text)
  }

  private func hiddenWords(of text: String) -> String {
    let text = secrets.masked(text)
    return tokens?.hidden(in: text) ?? text
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
