import Protocols
import TextSearch
import Values

extension ImportedBody {
  /// Reads a body as its type says; nil if it is empty.
  init?(_ bytes: [UInt8], type: String?) {
    guard !bytes.isEmpty else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      self = .bytes(bytes)
      return
    }
    self.init(text: text, type: type)
  }

  init?(text: String, type: String?) {
    // A byte order mark is no part of the text.
    let text =
      text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    guard !text.isEmpty else { return nil }
    let type = type?.lowercased() ?? ""
    if type.contains("json"), case .success(let json) = parseJSON(text) {
      self = .json(json)
    } else if type.hasPrefix("application/x-www-form-urlencoded") {
      self = .form(HTTPTarget("/?" + text).items.map { ImportedField($0.name, $0.value) })
    } else {
      self = .text(text)
    }
  }
}

/// Returns a text as the value that a reader sees: an object or an array of JSON is decoded.
func payload(_ text: String) -> Value {
  guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
    case .success(let json) = parseJSON(text)
  else { return .string(text) }
  return json
}

extension [ImportedField] {
  /// The subprotocols of a WebSocket that a head names.
  var subprotocols: [String] {
    let named = filter { $0.name.lowercased() == "sec-websocket-protocol" }
    let parts: [Substring] = named.flatMap { $0.value.split(separator: ",") }
    return parts.map { part in String(part.drop { $0 == " " }.prefix { $0 != " " }) }
  }
}
