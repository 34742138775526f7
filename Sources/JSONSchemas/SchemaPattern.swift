import Patterns
import TextSearch

/// A regular expression of a schema, in the syntax of ECMAScript.
struct SchemaPattern: Sendable {
  let text: String
  private let pattern: Pattern

  static func compile(_ text: String) -> Result<SchemaPattern, PatternMistake> {
    var translation = PatternTranslation(text)
    switch translation.translate() {
    case .failure(let mistake): return .failure(mistake)
    case .success(let translated):
      return Pattern.compile(translated)
        .map { SchemaPattern(text: text, pattern: $0) }
        .mapError { PatternMistake(message: $0.message) }
    }
  }

  /// Returns whether it is found anywhere in a text; nil if that takes too long.
  @inline(__always)
  func isFound(in text: String) -> Bool? { try? pattern.matches(text) }
}

/// The reason why a text is not a regular expression.
struct PatternMistake: Error {
  var message: String
}

/// A translation of a regular expression from ECMAScript to the syntax of PCRE2.
private struct PatternTranslation {
  private let letters: [Unicode.Scalar]
  private var at = 0
  private var isInSet = false
  private var result = ""

  init(_ text: String) { letters = Array(text.unicodeScalars) }

  /// The characters of `\s` in ECMAScript, for use in a set.
  private static let space =
    "\\t\\n\\x{b}\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"
    + "\\x{3000}\\x{feff}"

  mutating func translate() -> Result<String, PatternMistake> {
    while at < letters.count {
      let letter = letters[at]
      at += 1
      switch letter {
      case "\\":
        if let mistake = escape() { return .failure(mistake) }
      case "[": beginSet()
      case "]":
        result += isInSet ? "]" : "\\]"
        isInSet = false
      case ".": result += isInSet ? "." : "[^\\n\\r\\x{2028}\\x{2029}]"
      case "(" where !isInSet && sees("*"):
        return .failure(PatternMistake(message: "this pattern is not valid: `(` before a `*`"))
      default: result.unicodeScalars.append(letter)
      }
    }
    return .success(result)
  }

  private func sees(_ letter: Unicode.Scalar) -> Bool {
    at < letters.count && letters[at] == letter
  }

  /// Begins a set. A bracket inside a set is a plain character; the empty sets mean nothing and
  /// anything.
  private mutating func beginSet() {
    if isInSet {
      result += "\\["
    } else if sees("]") {
      at += 1
      result += "(?!)"
    } else if sees("^"), at + 1 < letters.count, letters[at + 1] == "]" {
      at += 2
      result += "(?s:.)"
    } else {
      isInSet = true
      result += "["
      if sees("^") {
        at += 1
        result += "^"
      }
    }
  }

  private mutating func escape() -> PatternMistake? {
    guard at < letters.count else { return PatternMistake(message: "a pattern ends with a `\\`") }
    let letter = letters[at]
    at += 1
    switch letter {
    case "s": result += isInSet ? Self.space : "[\(Self.space)]"
    case "S":
      // A set cannot be excluded inside a set, so non-space is expressed by Unicode there.
      result += isInSet ? "\\S" : "[^\(Self.space)]"
    case "p", "P": return property(letter)
    case "u": return codePoint()
    case "v": result += "\\x{b}"
    case "0": result += "\\x{0}"
    case "-" where isInSet, "/": result += "\\" + String(letter)
    case "d", "D", "w", "W", "b", "B", "t", "n", "r", "f", "c", "x", "k", "1"..."9":
      result += "\\"
      result.unicodeScalars.append(letter)
    case "a"..."z", "A"..."Z":
      return PatternMistake(message: "this pattern is not valid: there is no `\\\(letter)`")
    default:
      result += "\\"
      result.unicodeScalars.append(letter)
    }
    return nil
  }

  /// Reads `\u0041`, a pair of surrogates, or `\u{1f432}`.
  private mutating func codePoint() -> PatternMistake? {
    let mistake = PatternMistake(message: "this pattern is not valid: `\\u` has 4 digits or `{…}`")
    if sees("{") {
      guard let end = letters[at...].firstIndex(of: "}"),
        let code = UInt32(String(letters[(at + 1)..<end]), radix: 16), code <= 0x10FFFF
      else { return mistake }
      at = end + 1
      result += "\\x{\(String(code, radix: 16))}"
      return nil
    }
    guard var code = fourDigits() else { return mistake }
    if (0xD800..<0xDC00).contains(code), sees("\\"), at + 1 < letters.count,
      letters[at + 1] == "u"
    {
      at += 2
      guard let low = fourDigits(), (0xDC00..<0xE000).contains(low) else { return mistake }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    result += "\\x{\(String(code, radix: 16))}"
    return nil
  }

  private mutating func fourDigits() -> UInt32? {
    guard at + 4 <= letters.count else { return nil }
    let code = UInt32(String(letters[at..<(at + 4)]), radix: 16)
    at += 4
    return code
  }

  /// Reads `\p{Letter}`. The library knows the short names of the general categories.
  private mutating func property(_ letter: Unicode.Scalar) -> PatternMistake? {
    guard sees("{"), let end = letters[at...].firstIndex(of: "}") else {
      return PatternMistake(message: "this pattern is not valid: `\\\(letter)` needs `{…}`")
    }
    var name = String(letters[(at + 1)..<end])
    at = end + 1
    for prefix in ["General_Category=", "gc=", "Script=", "sc=", "Script_Extensions=", "scx="]
    where name.hasPrefix(prefix) {
      name = String(name.dropFirst(prefix.count))
    }
    result += "\\\(letter){\(generalCategories[name] ?? name)}"
    return nil
  }
}

extension String {
  fileprivate init(_ letters: ArraySlice<Unicode.Scalar>) {
    self = ""
    unicodeScalars.append(contentsOf: letters)
  }
}

/// The long names of Unicode's general categories.
private let generalCategories = [
  "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
  "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M",
  "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
  "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
  "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
  "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
  "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
  "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
  "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
  "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf",
  "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn", "ASCII": "ASCII",
]
