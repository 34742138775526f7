import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Secrets
import Values

/// The folders with the snapshots of a file's scenarios. Each scenario has its own folder, inside a
/// folder beside the file.
struct SnapshotStore {
  static let folder = "__snapshots__"
  private let files: ComponentFiles
  /// The folder around those of the scenarios.
  let path: String
  /// The name of the scenario's file, up to its first dot.
  private let fileName: String

  init(_ files: ComponentFiles, of path: String) {
    self.files = files
    self.path = straightPath(SnapshotStore.folder, in: enclosingFolder(of: path))
    let name = path.split(separator: "/").last ?? ""
    fileName = fileWord(String(name.prefix { $0 != "." }))
  }

  /// Returns the name of a scenario's folder, such as `login.a-user-logs-in`.
  func name(of plan: ScenarioPlan) -> String {
    let title = fileWord(plan.title)
    return [fileName, title].map { $0.isEmpty ? "scenario" : $0 }.joined(separator: ".")
  }

  /// Reads the snapshots of a plan.
  fileprivate func fill(_ plan: inout ScenarioPlan) {
    guard plan.takesSnapshots else { return }
    var snapshots = plan.snapshots
    snapshots.folder = straightPath(name(of: plan), in: path)
    for file in files.names(snapshots.folder) where file.hasSuffix(".json") {
      snapshots.contents[file] = content(of: snapshots.folder + "/" + file)
    }
    plan = plan.changed { $0.snapshots = snapshots }
  }

  private func content(of path: String) -> SnapshotFiles.Content {
    switch files.read(path) {
    case nil: return .unreadable("it is not there")
    case .failure(let problem)?: return .unreadable(problem.message)
    case .success(let bytes)?:
      switch parseJSON(bytes) {
      case .success(let value): return .value(value)
      case .failure(let problem): return .unreadable(problem.text(in: bytes))
      }
    }
  }

  /// Leaves out each scenario that would use another's files, with a diagnostic.
  fileprivate func withoutClashes(_ plans: [ScenarioPlan]) -> Diagnosed<[ScenarioPlan]> {
    var first: [Value: SourceRange] = [:]
    var result = Diagnosed<[ScenarioPlan]>([])
    for plan in plans {
      if plan.takesSnapshots {
        let folder = name(of: plan)
        if let other = first[.string(folder)] {
          result.diagnostics.append(.snapshotsShared(plan.range, with: other, folder: folder))
          continue
        }
        first[.string(folder)] = plan.range
      }
      result.value.append(plan)
    }
    return result
  }
}

extension [ScenarioPlan] {
  /// Returns the plans of a file with their snapshots. Most files take no snapshots at all.
  func withSnapshots(of path: String, _ files: ComponentFiles) -> Diagnosed<[ScenarioPlan]> {
    guard contains(where: \.takesSnapshots) else { return Diagnosed(self) }
    let store = SnapshotStore(files, of: path)
    var plans = store.withoutClashes(self)
    for index in plans.value.indices { store.fill(&plans.value[index]) }
    return plans
  }
}

extension ScenarioPlan {
  var takesSnapshots: Bool {
    assertions.contains { if case .snapshot = $0.kind { true } else { false } }
  }
}

/// Returns a row's part of a file's name. Rows whose ids would give the same part are numbered, and
/// so are those whose ids hold the value of a secret column.
func rowName(_ row: RowPlan, of plan: ScenarioPlan) -> String {
  let mask = plan.secretMask
  let word = fileWord(mask.masked(row.id))
  let number = (plan.rows.firstIndex { $0.id == row.id } ?? 0) + 1
  let own = plan.secretTexts(of: row)
  if SecretMask(own + own.map(fileWord)).masked(word) != word { return "row-\(number)" }
  let alike = plan.rows.filter { fileWord(mask.masked($0.id)) == word }
  if alike.count < 2, !word.isEmpty { return word }
  return word.isEmpty ? "row-\(number)" : "\(word)-row-\(number)"
}

extension Diagnostic {
  static func snapshotsShared(
    _ title: SourceRange, with other: SourceRange, folder: String
  ) -> Diagnostic {
    Diagnostic(
      "snapshots-shared", "two scenarios of a file cannot keep their snapshots in one folder",
      labels: [.init(title, "`\(folder)`"), .init(other, "as those of this one")],
      help: "give them titles that differ in their words")
  }
}
