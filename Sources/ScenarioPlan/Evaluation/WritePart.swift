import CEL
import ScenarioSpec
import Values

extension SetPlan {
  /// Returns the whole value of the target after the write.
  ///
  /// A field that a map does not have is added. An index must be that of an element.
  package func written(
    _ new: Value, into current: @autoclosure () -> Value, in slots: any CELSlots
  ) -> Result<Value, EvaluationFailure> {
    if path.isEmpty { return .success(new) }
    do throws(EvaluationFailure) {
      return .success(try replace(path[...], of: current(), by: new, slots))
    } catch {
      return .failure(error)
    }
  }

  private func replace(
    _ path: ArraySlice<DataPlan>, of value: Value, by new: Value, _ slots: any CELSlots
  ) throws(EvaluationFailure) -> Value {
    guard let part = path.first else { return new }
    let rest = path.dropFirst()
    let key = try evaluate(part, in: slots).get()
    switch (key, value) {
    case (.string(let name), .map(var map)):
      guard let inner = map[key] ?? (rest.isEmpty ? Value.null : nil) else {
        throw failure("there is no entry `\(name)`", at: part)
      }
      map[key] = try replace(rest, of: inner, by: new, slots)
      return .map(map)
    case (.int(let index), .list(var list)):
      guard list.indices.contains(index) else {
        throw failure("index \(index) is outside the list, which has \(list.count)", at: part)
      }
      list[index] = try replace(rest, of: list[index], by: new, slots)
      return .list(list)
    case (.string(let name), _):
      throw failure("`\(name)` is no part of \(value.kindName), only of a map", at: part)
    case (.int(let index), _):
      throw failure("`[\(index)]` is no part of \(value.kindName), only of a list", at: part)
    default:
      throw failure(
        "an index is a whole number or a text, not \(key.display(maxLength: 80))", at: part)
    }
  }

  private func failure(_ message: String, at part: DataPlan) -> EvaluationFailure {
    // The place of a name is its whole address, of which the value says more.
    let isComputed = if case .constant = part.content { false } else { true }
    return EvaluationFailure(range: isComputed ? part.range : value.range, message: message)
  }
}
