import CEL
import Values

/// Where compilation stands: in which part of the stage, in whose script, and what expressions may
/// name there.
struct CompilationPosition {
  /// The part of the stage that compilation is in.
  var unit: StageUnit
  /// The reactor or endpoint whose script is compiled, whose fields are named without prefix.
  var owner: StageNames.Owner = .scenario
  /// What expressions may name where compilation stands now.
  var scope = CELScope()
  /// What expressions may name in every unit.
  var functions = CELScope()
  /// What every step sees, before anything was captured.
  var stepScope = CELScope()
  /// All parts of the stage that have been declared: components before what uses them, the
  /// scenario's own last.
  var units: [StageUnit] = []
  /// Constants of components, by their names from outside.
  var constants: [(name: String, value: Value)] = []

  init(_ unit: StageUnit) { self.unit = unit }
}
