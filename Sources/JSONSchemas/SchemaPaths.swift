import Values

/// A step into a value: to the entry of a map or the element of a list.
enum InstanceStep: Sendable {
  case key(String)
  case index(Int)
}

extension [InstanceStep] {
  /// The path as a JSON Pointer: `/items/2/name`; empty for the whole.
  var pointer: String {
    reduce(into: "") { text, step in
      switch step {
      case .key(let key): text += "/" + escapedToken(key)
      case .index(let index): text += "/\(index)"
      }
    }
  }

  /// The path as scenarios write it: `items[2].name`; empty for the whole.
  var path: String {
    reduce(into: "") { text, step in
      switch step {
      case .key(let key) where isName(key): text += (text.isEmpty ? "" : ".") + key
      case .key(let key): text += "[" + Value.string(key).json() + "]"
      case .index(let index): text += "[\(index)]"
      }
    }
  }
}

private func isName(_ text: String) -> Bool {
  guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
  return text.utf8.allSatisfy {
    $0 == 95 || (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
  }
}

/// Returns a key as a JSON Pointer writes it.
func escapedToken(_ key: String) -> String {
  guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
    return key
  }
  var text = ""
  for letter in key.unicodeScalars {
    switch letter {
    case "~": text += "~0"
    case "/": text += "~1"
    default: text.unicodeScalars.append(letter)
    }
  }
  return text
}

/// Returns the keys of a JSON Pointer that begins with a slash; nil if a `~` is not followed by 0
/// or 1.
func pointerTokens(_ pointer: String) -> [String]? {
  var tokens: [String] = []
  for token in pointer.utf8.dropFirst().split(
    separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  {
    var bytes: [UInt8] = []
    var rest = token
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    tokens.append(String(decoding: bytes, as: UTF8.self))
  }
  return tokens
}
