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

  private func expressionMeant(by text: String) -> String? {
    if text.hasPrefix("{{"), text.hasSuffix("}}") {
      let inner = text.dropFirst(2).dropLast(2).filter { $0 != " " }
      return readsStage(inner) ? inner : nil
    }
    let operators = [" + ", " - ", " * ", " / ", " % ", " == ", " ? ", " && ", " || ", "("]
    return operators.contains(where: text.contains) && readsStage(text) ? text : nil
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
