import Diagnostics
import Glibc
import ScenarioRuns

/// A file with the failures of sweeps that are known, which are accepted until they are mended.
///
/// It is the file of `rehearse sweep --baseline`. Several tests may share one.
struct KnownFailuresFile {
  private let path: String
  private let isUpdated: Bool
  private let known: KnownFailures
  /// The reason why the file cannot be used; nil if it can.
  let problem: Diagnostic?

  init(_ path: String, near file: String, isUpdated: Bool) {
    let found = resolved(path, near: file)
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let isMissing = access(found, F_OK) != 0
    self.path = isMissing && !found.hasPrefix("/") ? folder + found : found
    self.isUpdated = isUpdated
    guard !(isMissing && isUpdated) else {
      (known, problem) = (KnownFailures(""), nil)
      return
    }
    switch readFile(found) {
    case .success(let bytes):
      (known, problem) = (KnownFailures(String(decoding: bytes, as: UTF8.self)), nil)
    case .failure(let failure):
      known = KnownFailures("")
      problem = .unreadableBaseline(path, failure.message)
    }
  }

  /// A file that could not be written.
  struct Unwritten: Error {
    var diagnostic: Diagnostic
  }

  /// Returns the failures that are not known. An updated file has all of them afterwards.
  func newGroups(
    _ groups: [SweepGroup], of title: String, _ row: String?, in file: String
  ) -> Result<[SweepGroup], Unwritten> {
    let scenario = KnownFailures.Scenario(title, row: row, in: file, seenFrom: path)
    guard isUpdated else { return .success(known.newGroups(groups, of: scenario)) }
    if let failure = writeFile(path, known.replacing(scenario, with: groups).text) {
      return .failure(Unwritten(diagnostic: .unwritableBaseline(path, failure.message)))
    }
    return .success([])
  }
}

extension Diagnostic {
  fileprivate static func unreadableBaseline(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      "unreadable-file", "the baseline `\(path)` cannot be read: \(reason)",
      help: "`updatesBaseline: true` writes it")
  }

  fileprivate static func unwritableBaseline(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("unwritable-file", "the baseline `\(path)` cannot be written: \(reason)")
  }
}
