import CEL
import Diagnostics
import ScenarioSpec
import Values

/// Why an expression has no value: all that is wrong with it.
package struct ExpressionProblems: Error, Sendable {
  package var diagnostics: [Diagnostic]
}

/// The value of an expression that stands by itself, with nothing but these names in scope.
///
/// - Parameter random: The number that random values are made of.
package func evaluateAlone(
  _ origin: ExpressionText, with variables: [(name: String, value: Value)], random: Int
) -> Result<Value, ExpressionProblems> {
  var scope = CELScope()
  scope.randomSlot = 0
  for variable in variables { scope.declareConstant(variable.name, value: variable.value) }
  scope.declareFunction("kind", parameters: [.dyn], result: .string, body: kindFunction)
  switch compileCEL(origin.text, scope: scope) {
  case .failure(let problems):
    return .failure(
      ExpressionProblems(diagnostics: problems.all.map { .expression($0, in: origin) }))
  case .success(let program):
    let compiled = ExpressionPlan(origin: origin, program: program)
    return evaluate(compiled, in: FixedSlots([.int(random)])).mapError {
      ExpressionProblems(diagnostics: [.evaluation($0)])
    }
  }
}
