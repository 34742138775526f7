import CEL
import Values

/// The position of compilation: the part of the stage, the script, and the names that expressions
/// may use there.
struct CompilationPosition {
  /// The part of the stage that compilation is in.
  var unit: StageUnit
  /// The reactor or endpoint whose script is compiled, whose fields are named without prefix.
  var owner: StageNames.Owner = .scenario
  /// The names that expressions may use at this position.
  var scope = CELScope()
  /// The functions that expressions may use in every unit.
  var functions = CELScope()
  /// The names that every step of the script may use before anything is captured.
  var stepScope = CELScope()
  /// The first capture that the script may have made.
  var firstCapture = CaptureID(0)
  /// True if `turn` is the number of the turn of a loop around.
  var isInNumberedLoop = false
  /// The parameters in the path of the route that is compiled; nil outside of routes.
  var pathParameters: [String]?
  /// All parts of the stage that have been declared: components before what uses them, the
  /// scenario's own last.
  var units: [StageUnit] = []
  /// Constants of components, by their names from outside.
  var constants: [(name: String, value: Value)] = []

  init(_ unit: StageUnit) { self.unit = unit }
}
