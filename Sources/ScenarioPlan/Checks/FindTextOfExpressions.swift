import CEL
import Diagnostics
import ScenarioSpec
import TextSearch
import Values

extension PlanCompiler {
  /// Warns of text that would be an expression over names of the stage, such as `count + 1`.
  func warnOfExpression(in data: DataSpec) {
    guard case .literal(.string(let text)) = data.content,
      let expression = expressionMeant(by: text)
    else { return }
    report(.textLikeExpression(expression, at: data.range))
  }

  /// Warns of `{{name}}` with a known name, which is a variable in other tools.
  func warnOfTemplate(in value: Value, at range: SourceRange) {
    switch value {
    case .string(let text):
      guard text.contains(byte: UInt8(ascii: "{")), let template = template(in: text)
      else { return }
      report(.template(template.whole, meaning: template.expression, at: range))
    case .list(let elements): for element in elements { warnOfTemplate(in: element, at: range) }
    case .map(let entries): for entry in entries { warnOfTemplate(in: entry.value, at: range) }
    default: return
    }
  }

  /// Returns the first `{{…}}` in a text whose inside reads the stage.
  private func template(in text: String) -> (whole: String, expression: String)? {
    guard text.utf8.count <= longestSuspect, let open = text.firstRange(of: "{{"),
      let close = text[open.upperBound...].firstRange(of: "}}")
    else { return nil }
    let inner = text[open.upperBound..<close.lowerBound].filter { $0 != " " }
    guard namesSomething(inner) else { return nil }
    return (String(text[open.lowerBound..<close.upperBound]), inner)
  }

  private func expressionMeant(by text: String) -> String? {
    let operators = [" + ", " - ", " * ", " / ", " % ", " == ", " ? ", " && ", " || ", "("]
    return operators.contains(where: text.contains) && readsStage(text) ? text : nil
  }

  /// Returns whether a text is a known name, perhaps with fields: `id`, `request.path`.
  private func namesSomething(_ text: String) -> Bool {
    guard text.utf8.first.map({ $0 | 0x20 &- UInt8(ascii: "a") < 26 }) == true,
      !["true", "false", "null"].contains(text),
      case .success(let program) = compileCEL(text, scope: scope)
    else { return false }
    return program.type != .type
  }

  private func readsStage(_ text: String) -> Bool {
    guard text.utf8.count <= longestSuspect,
      case .success(let program) = compileCEL(text, scope: scope)
    else { return false }
    return !program.readAddresses.isEmpty
  }
}

/// The longest text that is tried as an expression; longer texts are prose or data.
private let longestSuspect = 200
