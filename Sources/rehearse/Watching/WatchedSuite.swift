import Glibc
import ScenarioRuns
import Values

/// A suite whose files are watched: what each of its files was made of, and which of them a change
/// touches.
final class WatchedSuite {
  /// What all scenarios depend on: configurations, and files of variables.
  private(set) var common = FileReads()
  private var readsOf: [String: FileReads] = [:]
  private var scenarioCounts: [String: Int] = [:]
  /// The files that run; nil stands for all.
  private var chosen: Set<String>?
  private let events = FolderEvents()
  /// The choice of the last run, with what configurations add to it.
  private var choice: ScenarioChoice?
  private var environment = ValueMap()

  /// The time between two looks at files, in milliseconds.
  private static let interval: Int32 = 20

  /// A change, and the files that it touches.
  struct Change {
    var paths: [String]
    var touched: [String]
    var scenarioCount: Int
  }

  /// Begins a run: leaves out the files that a change does not touch, and notes what is read for
  /// the others.
  func begin(_ selected: inout SelectedFiles) {
    if let chosen { selected.files.removeAll { !chosen.contains($0.path) } }
    for index in selected.files.indices where selected.files[index].pipedText == nil {
      let reads = FileReads()
      readsOf[selected.files[index].path] = reads
      selected.files[index].reads = reads
    }
  }

  /// Begins to note what is read for all scenarios.
  func beginReading(_ files: [String]) {
    common = FileReads()
    for path in files where !isPiped(path) { common.willRead(path) }
  }

  func choose(_ choice: ScenarioChoice, in environment: ValueMap) {
    (self.choice, self.environment) = (choice, environment)
  }

  /// Notes how many scenarios a file has.
  func note(_ count: Int, of path: String) { scenarioCounts[path] = count }

  /// The number of files that are there.
  var fileCount: Int { stamps.values.count { $0 != nil } }

  /// Waits for a change, and chooses what it touches. Returns nil if the user ends the watch.
  func nextChange() -> Change? {
    let known = stamps
    for path in known.keys { events.watch(folder(of: path)) }
    watchFolders()
    var before: [String: FileStamp?] = [:]
    // Something may have changed during the run.
    var quiet = Int.max - 1
    var isStable = true
    var selected = selectedPaths
    while !Interruption.wasAsked {
      let isNoticed = events.wait(atMost: WatchedSuite.interval)
      quiet += 1
      guard isNoticed || !isStable || quiet >= events.longestQuiet else { continue }
      quiet = 0
      let stamps = FileChanges.look(at: known.keys)
      let now = selectedPaths
      isStable = stamps == before && now == selected
      (before, selected) = (stamps, now)
      let changed = known.keys.filter { stamps[$0] != known[$0] }.sorted()
      let added = now.subtracting(readsOf.keys)
      if isStable, !changed.isEmpty || !added.isEmpty {
        return choose(changed, added.sorted(), among: now)
      }
    }
    return nil
  }

  private func choose(_ changed: [String], _ added: [String], among now: Set<String>) -> Change {
    let all = Set(changed)
    let ofAll = common.stamps.keys.filter(all.contains)
    let touched = now.filter { path in
      if ofAll.contains(where: { touches($0, path) }) { return true }
      return readsOf[path].map { $0.stamps.keys.contains(where: all.contains) } ?? true
    }
    for path in Set(readsOf.keys).subtracting(now) { readsOf[path] = nil }
    chosen = touched
    // Nothing runs that would read the changed files again.
    if touched.isEmpty { common = common.lookingAgain }
    let count = touched.reduce(0) { $0 + (scenarioCounts[$1] ?? 1) }
    return Change(paths: changed + added, touched: touched.sorted(), scenarioCount: count)
  }

  /// Returns whether a file that is read for all scenarios is of one. A configuration is of those
  /// below it.
  private func touches(_ changed: String, _ path: String) -> Bool {
    guard isConfiguration(changed) else { return true }
    let folder = folder(of: changed)
    let isAbove = folder.isEmpty || folder == ".." || folder.hasSuffix("/..")
    return isAbove || (path.hasPrefix("./") ? path.dropFirst(2) : path[...]).hasPrefix(folder + "/")
  }

  private var stamps: [String: FileStamp?] {
    readsOf.values.reduce(into: common.stamps) { all, reads in
      all.merge(reads.stamps) { first, _ in first }
    }
  }

  private var selectedPaths: Set<String> {
    guard let choice else { return [] }
    return Set(
      SelectedFiles(choice, environment: environment).files.filter { $0.pipedText == nil }.map(
        \.path))
  }

  /// Watches the folders in which new scenarios would be found.
  private func watchFolders() {
    for selector in choice?.selectors ?? [] {
      if case .path(let path) = selector.selection { watchFolders(below: path, depth: 0) }
    }
  }

  private func watchFolders(below path: String, depth: Int) {
    guard depth < 16, let folder = opendir(path) else { return }
    defer { closedir(folder) }
    events.watch(path)
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), Int32(entry.pointee.d_type) == Int32(DT_DIR) else { continue }
      watchFolders(below: "\(path)/\(name)", depth: depth + 1)
    }
  }
}

private func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
