import Glibc
import Values

/// Values as text: in messages, by `string(x)` and by `%s`.
enum Spelling {
  private static let longestShown = 40

  /// Returns a key or a small value as an expression writes it.
  static func of(_ value: Value) -> String {
    switch value {
    case .string(let text):
      text.utf8.count <= longestShown ? "'\(text)'" : "'\(text.prefix(longestShown))…'"
    case .int(let number): String(number)
    case .uint(let number): "\(number)u"
    case .double(let number): number.shortText
    case .digits(let text): text
    case .bool(let truth): truth ? "true" : "false"
    case .null: "null"
    case .bytes, .list, .map, .timestamp, .duration, .type, .optional: value.article
    }
  }
}
