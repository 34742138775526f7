import Diagnostics
import Glibc
import ScenarioRuns

/// The file with the failures of sweeps that are known, which a build server accepts until they are
/// mended.
struct SweepBaseline: Sendable {
  private let path: String?
  private let isWritten: Bool
  private var known = KnownFailures("")
  private var found = KnownFailures("")
  /// The complaints about the file.
  private(set) var problems: [Diagnostic] = []
  /// The warnings about it.
  var warnings: [Diagnostic] { known.isOld ? [.oldBaseline(path ?? "")] : [] }

  init(at path: String?, isWritten: Bool) {
    self.path = path
    self.isWritten = isWritten
    guard let path, !isWritten else { return }
    switch readFile(path) {
    case .success(let bytes):
      known = KnownFailures(String(decoding: bytes, as: UTF8.self))
    case .failure(let problem): problems = [.unreadable(path, problem.message)]
    }
  }

  /// Returns the failures of a scenario that are not known.
  mutating func newGroups(
    _ groups: [SweepGroup], of title: String, _ row: String?, in file: String
  ) -> [SweepGroup] {
    let scenario = KnownFailures.Scenario(title, row: row, in: file, seenFrom: path ?? "")
    found.add(groups, of: scenario)
    return isWritten && path != nil ? [] : known.newGroups(groups, of: scenario)
  }

  /// Writes the file, if it is to be; returns whether nothing failed.
  func write() -> Bool {
    guard let path, isWritten else { return true }
    guard let failure = writeFile(path, found.text) else { return true }
    Terminal.complain(render(.unwritable(path, failure.message), in: SourceMap()))
    return false
  }
}
