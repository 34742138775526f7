import Diagnostics
import ScenarioPlan

/// Returns the text of a scenario that always takes one course: the scenario's own text with
/// `disturb`, right behind its title, and a comment that says why it is there.
///
/// - Parameters:
///   - plan: The scenario, whose text is in `file`.
///   - cause: What is wrong after the disturbances.
package func pinnedScenario(
  _ plan: ScenarioPlan, in file: SourceFile, to course: SweepCourse, because cause: String
) -> String {
  let text = Array(file.bytes[Int(plan.extent.start)..<Int(plan.extent.end)])
  let title = Int(plan.range.end - plan.extent.start)
  let end = text[title...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
  let names = course.disturbances.map { "  - \"\($0)\"\n" }.joined()
  let head = String(decoding: text[..<end], as: UTF8.self)
  let rest = String(decoding: text[min(end + 1, text.count)...], as: UTF8.self)
  let reason = cause.split(separator: "\n").map { "# \($0)\n" }.joined()
  let pinned = "\(head)\n# Pinned by `rehearse sweep`:\n\(reason)disturb:\n\(names)\(rest)"
  return modeline(of: file) + pinned + (pinned.hasSuffix("\n") ? "" : "\n")
}

/// The first line of a file, if it names the schema of the language.
private func modeline(of file: SourceFile) -> String {
  let first = file.bytes.prefix { $0 != UInt8(ascii: "\n") }
  let line = String(decoding: first, as: UTF8.self)
  return line.hasPrefix("# yaml-language-server:") ? line + "\n" : ""
}

/// Returns the path of the first pinned scenario beside a file that does not exist yet:
/// `orders.pinned-1.scenario.yaml` beside `orders.scenario.yaml`.
package func pinnedPath(beside path: String, exists: (String) -> Bool) -> String {
  let stem = pathWithoutSuffix(path)
  let paths = (1...).lazy.map { "\(stem).pinned-\($0).scenario.yaml" }
  return paths.first { !exists($0) } ?? path
}
