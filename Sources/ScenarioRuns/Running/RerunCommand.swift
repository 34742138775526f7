import Diagnostics
import ScenarioEngine
import ScenarioPlan

/// Returns the command that repeats a run. It names the run by its line, or by the scenario's title
/// and the row if the row stands in another file.
func rerunCommand(
  _ plan: ScenarioPlan, inputs: RunInputs, sources: SourceMap, in kind: WorldKind
) -> String? {
  guard let file = sources.file(of: plan.range) else { return nil }
  let place = asTyped(place(of: plan, inputs.row, in: file))
  let seed = UInt64(bitPattern: Int64(inputs.seed))
  return "rehearse run \(place) --seed \(seed)\(options(of: kind))"
}

private func place(of plan: ScenarioPlan, _ row: RowPlan?, in file: SourceFile) -> String {
  if let row, row.range.file != plan.range.file { return "\(file.path)::\(plan.title)::\(row.id)" }
  let range = row?.range ?? plan.range
  return "\(file.path):\(file.place(of: Int(range.start)).line)"
}

private func options(of world: WorldKind) -> String {
  if world == .mock { return "" }
  let name = " --against \(world.name)"
  guard case .real(let settings) = world else { return name }
  let options = settings.curlOptions + (settings.ignoresDrift ? ["--no-drift"] : [])
  return name + options.map { " " + asTyped($0) }.joined()
}

/// Returns a word as one types it: in quotes if a shell would take it apart.
package func asTyped(_ word: String) -> String {
  let isPlain = word.unicodeScalars.allSatisfy {
    !$0.isASCII || $0.properties.isAlphabetic || ("0"..."9").contains($0)
      || "/._-:+,@%=".unicodeScalars.contains($0)
  }
  if isPlain { return word }
  let parts = word.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + parts.joined(separator: "'\\''") + "'"
}
