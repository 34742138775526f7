import ScenarioSpec
import Values

extension SetPlan {
  /// Returns the whole value of the target after the write.
  ///
  /// A field that a map does not have is added. An index must be that of an element.
  package func written(
    _ new: Value, into current: @autoclosure () -> Value
  ) -> Result<Value, EvaluationFailure> {
    if path.isEmpty { return .success(new) }
    do throws(EvaluationFailure) {
      return .success(try replace(path[...], of: current(), by: new))
    } catch {
      return .failure(error)
    }
  }

  private func replace(
    _ path: ArraySlice<ValuePath.Part>, of value: Value, by new: Value
  ) throws(EvaluationFailure) -> Value {
    guard let part = path.first else { return new }
    let rest = path.dropFirst()
    switch (part, value) {
    case (.field(let name), .map(var map)):
      let key = Value.string(name)
      guard let inner = map[key] ?? (rest.isEmpty ? Value.null : nil) else {
        throw failure("there is no entry `\(name)`")
      }
      map[key] = try replace(rest, of: inner, by: new)
      return .map(map)
    case (.index(let index), .list(var list)):
      guard index < list.count else {
        throw failure("index \(index) is outside the list, which has \(list.count)")
      }
      list[index] = try replace(rest, of: list[index], by: new)
      return .list(list)
    case (.field(let name), _):
      throw failure("`\(name)` is no part of \(value.kindName), only of a map")
    case (.index(let index), _):
      throw failure("`[\(index)]` is no part of \(value.kindName), only of a list")
    }
  }

  private func failure(_ message: String) -> EvaluationFailure {
    EvaluationFailure(range: value.range, message: message)
  }
}
