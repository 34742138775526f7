import Glibc
import ScenarioPlan
import ScenarioRuns
import Values

/// A suite whose files are watched: what each of its files was made of, and which of them a change
/// touches.
final class WatchedSuite {
  /// The files that all scenarios depend on: configurations, and files of variables.
  private(set) var common = FileReads()
  private var readsOf: [String: FileReads] = [:]
  private var scenarioCounts: [String: Int] = [:]
  /// The files that run; nil stands for all.
  private var chosen: Set<String>?
  private let events = FolderEvents()
  /// The choice of the last run, with what configurations add to it.
  private var choice: ScenarioChoice?
  private var environment = ValueMap()
  /// The files that were found for it.
  private var lastSelected: Set<String>?
  /// The states of files when they were last looked at, until what they touch runs.
  private var seen: [String: FileStamp?] = [:]
  /// The files that a change has touched, until they run. A wrong configuration keeps them waiting.
  private var waiting: Set<String> = []

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
    (seen, waiting) = ([:], [])
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

  /// Notes which files were found, and how.
  func note(_ selected: SelectedFiles, by choice: ScenarioChoice, in environment: ValueMap) {
    (self.choice, self.environment) = (choice, environment)
    lastSelected = lastSelected ?? Set(selected.files.map(\.path))
  }

  /// Notes how many scenarios a file has.
  func note(_ count: Int, of path: String) { scenarioCounts[path] = count }

  /// The number of files that are there.
  var fileCount: Int { stamps.values.count { $0 != nil } }

  /// Waits for a change, and chooses what it touches. Returns nil if the user ends the watch.
  func nextChange() -> Change? {
    let known = stamps.merging(seen) { _, seen in seen }
    let pathsInFolders = Dictionary(grouping: known.keys) { enclosingFolder(of: $0) }
    for folder in pathsInFolders.keys { events.watch(folder) }
    watchFolders()
    // Something may have changed during the run.
    var (notice, quiet) = (FolderEvents.Notice.ofAnything, 0)
    var unconfirmed: [String: FileStamp?]?
    while !Interruption.wasAsked {
      notice.add(events.wait(atMost: WatchedSuite.interval))
      quiet += 1
      let isDue = !notice.isEmpty || unconfirmed != nil || quiet >= events.longestQuiet
      guard isDue else { continue }
      // Without a notice, or with one of anything, all files are looked at.
      let near = notice.isEmpty ? nil : notice.folders?.flatMap { pathsInFolders[$0] ?? [] }
      let stamps = FileChanges.look(at: near ?? Array(known.keys))
      // A file that is still being written changes from one look to the next.
      guard stamps == unconfirmed else {
        unconfirmed = stamps
        continue
      }
      let mayHaveOtherFiles = notice.mayHaveOtherFiles || !events.areAvailable
      (notice, quiet, unconfirmed) = (FolderEvents.Notice(), 0, nil)
      let changed = changes(known, stamps, mayHaveOtherFiles)
      if !changed.isEmpty { return choose(changed, among: lastSelected ?? []) }
    }
    return nil
  }

  /// Returns the files that have changed, came or went, and notes how they are now.
  private func changes(
    _ known: [String: FileStamp?], _ stamps: [String: FileStamp?], _ mayHaveOtherFiles: Bool
  ) -> Set<String> {
    var changed = Set(stamps.keys.filter { stamps[$0] != known[$0] })
    if mayHaveOtherFiles {
      // Files come in folders that are new as well.
      watchFolders()
      let selected = selectedPaths
      changed.formUnion(selected.symmetricDifference(lastSelected ?? []))
      lastSelected = selected
    }
    if !changed.isEmpty { seen.merge(stamps) { _, now in now } }
    return changed
  }

  private func choose(_ changed: Set<String>, among now: Set<String>) -> Change {
    let ofAll = common.stamps.keys.filter(changed.contains)
    let touched = now.filter { path in
      if changed.contains(path) || ofAll.contains(where: { touches($0, path) }) { return true }
      return readsOf[path]?.stamps.keys.contains(where: changed.contains) ?? false
    }
    for path in Set(readsOf.keys).subtracting(now) { readsOf[path] = nil }
    waiting = touched.union(waiting.intersection(now))
    chosen = waiting
    let count = touched.reduce(0) { $0 + (scenarioCounts[$1] ?? 1) }
    return Change(paths: changed.sorted(), touched: touched.sorted(), scenarioCount: count)
  }

  /// Returns whether a file that is read for all scenarios is of one. A configuration is of those
  /// below it.
  private func touches(_ changed: String, _ path: String) -> Bool {
    guard isConfiguration(changed) else { return true }
    let folder = enclosingFolder(of: changed)
    let isAbove = folder.isEmpty || folder == ".." || folder.hasSuffix("/..")
    return isAbove
      || (path.hasPrefix("./") ? path.dropFirst(2) : path[...]).hasPrefix(resolve("", in: folder))
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
