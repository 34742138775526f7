import Diagnostics
import Glibc
import ScenarioRuns
import Values

/// The failures of sweeps that are known, which a build server accepts until they are mended.
///
/// The file has one line for each: the scenario, and the shortest course that fails so.
struct SweepBaseline {
  private let path: String?
  private let isWritten: Bool
  private var known: Set<String> = []
  private var lines: [String] = []
  /// The complaints about the file.
  private(set) var problems: [Diagnostic] = []

  init(at path: String?, isWritten: Bool) {
    self.path = path
    self.isWritten = isWritten
    guard let path, !isWritten else { return }
    switch readFile(path) {
    case .success(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      known = Set(text.split(separator: "\n").map { String($0) })
    case .failure(let problem): problems = [.unreadable(path, problem.message)]
    }
  }

  /// Returns the failures that are not known.
  mutating func newGroups(_ groups: [SweepGroup], of scenario: String) -> [SweepGroup] {
    let named = groups.map { (group: $0, line: line(of: $0, scenario)) }
    lines += named.map(\.line)
    return isWritten && path != nil ? [] : named.filter { !known.contains($0.line) }.map(\.group)
  }

  private func line(of group: SweepGroup, _ scenario: String) -> String {
    "\(scenario): \(group.diagnostic.id): \(group.shortest.name)"
  }

  /// Writes the file, if it is to be; returns whether nothing failed.
  func write() -> Bool {
    guard let path, isWritten else { return true }
    guard let failure = writeFile(path, lines.map { $0 + "\n" }.joined()) else { return true }
    Terminal.complain(render(.unwritable(path, failure.message), in: SourceMap()))
    return false
  }
}
