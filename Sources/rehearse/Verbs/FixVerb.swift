import Diagnostics
import Glibc
import ScenarioRuns

/// Shows the certain corrections of scenarios as a difference, or writes them.
func fixVerb(_ arguments: FixArguments) -> ExitCode {
  let inputs = loadInputs()
  let style = arguments.color.complaintStyle
  var choice = arguments.scenarios
  let (selected, configurations) = choice.select(inputs.value)
  if configurations.complain(style) { return .badInput }
  var counts = (mended: 0, files: 0, left: 0)
  var code = ExitCode.passed
  for file in selected.files {
    guard case .success(let bytes) = file.read() else { continue }
    let mended = mend(SourceFile(path: file.path, bytes: bytes)) {
      loadScenarios(
        $0, inputs: inputs.value, components: file.components,
        configuration: configurations.configuration(of: file.path))
    }
    counts.left += mended.loaded.diagnostics.count { $0.severity == .error }
    guard !mended.mended.isEmpty else { continue }
    counts.mended += mended.mended.count
    counts.files += 1
    for (line, diagnostic) in mended.mended {
      Terminal.complain(
        "\(visibleText(file.path)):\(line)  \(diagnostic.id.rawValue): "
          + "\(visibleText(diagnostic.message))")
    }
    if !put(mended, instead: bytes, file.path, arguments) { code = .couldNotRun }
  }
  for problem in selected.problems {
    Terminal.complain(render(problem, in: SourceMap(), style: style))
  }
  Terminal.complain(summary(counts, isWritten: arguments.isWritten))
  if code == .passed, counts.left > 0 || !selected.problems.isEmpty { return .badInput }
  return code
}

/// Shows or writes a mended file, and returns whether that was possible.
private func put(
  _ mended: MendedFile, instead bytes: [UInt8], _ path: String, _ arguments: FixArguments
) -> Bool {
  let text = String(decoding: mended.bytes, as: UTF8.self)
  if arguments.isWritten {
    guard let problem = writeFile(path, text) else { return true }
    Terminal.complain([.unwritable(path, problem.message)], arguments.color.complaintStyle)
    return false
  }
  let difference = UnifiedDiff(String(decoding: bytes, as: UTF8.self), text)
  return Terminal.show(mended.loaded.mask.masked(difference.text(from: path, to: path))) == .passed
}

private func summary(_ counts: (mended: Int, files: Int, left: Int), isWritten: Bool) -> String {
  let left =
    counts.left == 0
    ? "" : "; \(counted(counts.left, "error")) left, which `rehearse validate` shows"
  guard counts.mended > 0 else { return "no correction is certain" + left }
  let mended = "\(counted(counts.mended, "mistake")) in \(counted(counts.files, "file"))"
  return mended + (isWritten ? " mended" : " can be mended: `rehearse fix --write` writes it")
    + left
}
