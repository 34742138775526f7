import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioSpec
import Values

/// Evaluates an expression and prints its value as JSON.
func evalVerb(_ arguments: EvalArguments) -> ExitCode {
  var sources = SourceMap()
  let file = sources.add(SourceFile(path: "<expression>", text: arguments.expression))
  let range = SourceRange(file: file, start: 0, end: Int32(arguments.expression.utf8.count))
  let style = arguments.color.complaintStyle
  let origin = ExpressionText(arguments.expression, range)
  let variables = arguments.variables.map { ($0.name, value(of: $0.value)) }
  switch evaluateAlone(origin, with: variables, random: newSeed()) {
  case .success(let value):
    return Terminal.show(value.json(pretty: true) + "\n", as: .json)
  case .failure(let problems):
    Terminal.complain(problems.diagnostics, in: sources, style)
    return .badInput
  }
}
