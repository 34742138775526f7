import Diagnostics
import ScenarioPlan
import ScenarioSpec
import YAMLSyntax

/// What may stand in files that use each other.
private enum ComponentLimit {
  /// How deep components may nest.
  static let depth = 16
  /// How many a scenario may hold, those inside others counted each time.
  static let count = 256
  /// How many folders are searched for a file.
  static let folders = 16
}

/// Reads the components that stages use, each file once, and gathers what is wrong with them.
final class ComponentLoader {
  private(set) var sources: SourceMap
  private(set) var diagnostics: [Diagnostic] = []
  /// What was read, for the secrets in it.
  private(set) var trees: [YAMLDocument] = []
  private let files: ComponentFiles
  private var isFull = false
  private var loaded: [String: Loaded?] = [:]
  /// The files that are being read, each used by the one before it.
  private var open: [(path: String, label: Diagnostic.Label?)] = []

  /// A component with all that it uses.
  private struct Loaded {
    var document: ComponentDocument
    var extent: Extent
  }

  private struct Extent {
    var count = 0
    var height = 0
  }

  init(_ sources: SourceMap, files: ComponentFiles) {
    self.sources = sources
    self.files = files
  }

  /// Fills in the components of the stage in a file; nil for those that cannot be had.
  func load(_ stage: inout StageSpec, of path: String) {
    open.append((straightened(path), nil))
    _ = load(&stage)
    open.removeLast()
  }

  private func load(_ stage: inout StageSpec) -> Extent {
    var extent = Extent()
    stage.components = stage.uses.map { use in
      guard let found = component(use) else { return nil }
      let count = extent.count + 1 + found.extent.count
      let height = max(extent.height, 1 + found.extent.height)
      if count > ComponentLimit.count {
        // What uses these has too many as well, which need not be said.
        if !isFull { report(.tooManyComponents(use.path.range, most: ComponentLimit.count)) }
        isFull = true
        return nil
      }
      if open.count - 1 + height > ComponentLimit.depth {
        report(.componentsTooDeep(use.path.range, most: ComponentLimit.depth))
        return nil
      }
      extent = Extent(count: count, height: height)
      return found.document
    }
    return extent
  }

  private func component(_ use: UseSpec) -> Loaded? {
    guard let path = find(use.path) else { return nil }
    if let first = open.firstIndex(where: { $0.path == path }) {
      report(.componentCycle(use.path.range, open[first...].map(\.path) + [path]))
      return nil
    }
    if let known = loaded[path] { return known }
    guard open.count <= ComponentLimit.depth else {
      report(.componentsTooDeep(use.path.range, most: ComponentLimit.depth))
      return nil
    }
    let result = read(path, for: use)
    loaded[path] = .some(result)
    return result
  }

  private func read(_ path: String, for use: UseSpec) -> Loaded? {
    switch files.read(path) {
    case nil: return nil
    case .failure(let problem)?:
      report(.componentUnreadable(use.path.range, path, problem.message))
      return nil
    case .success(let bytes)?:
      let label = Diagnostic.Label(use.name.range, "used here as `\(use.name.value)`")
      open.append((path, label))
      defer { open.removeLast() }
      guard var document = parse(SourceFile(path: path, bytes: bytes)) else { return nil }
      let extent = load(&document.stage)
      return Loaded(document: document, extent: extent)
    }
  }

  private func parse(_ file: SourceFile) -> ComponentDocument? {
    let tree = parseYAML(file, index: sources.add(file))
    trees += tree.value
    let decoded =
      tree.value.isEmpty ? Diagnosed(nil) : decodeComponent(tree.value, in: sources)
    let complaints = foldComplaints(tree.diagnostics, decoded.diagnostics)
    for complaint in complaints { report(complaint) }
    return complaints.hasErrors ? nil : decoded.value
  }

  /// Complaints about a component also say where it is used.
  private func report(_ diagnostic: Diagnostic) {
    var diagnostic = diagnostic
    let uses = open.reversed().compactMap(\.label)
    // Of a long way the ends tell where to look.
    diagnostic.labels += uses.count > 4 ? uses.prefix(2) + uses.suffix(1) : uses
    diagnostics.append(diagnostic)
  }

  // MARK: - finding files

  /// The file beside the one that uses it, or in the nearest folder above that has it.
  private func find(_ path: Located<String>) -> String? {
    let folders =
      path.value.hasPrefix("/")
      ? [""] : foldersAbove(open.last?.path ?? "", most: ComponentLimit.folders)
    let places = folders.map { joined($0, path.value) }
    if let found = places.first(where: { loaded[$0] != nil || files.read($0) != nil }) {
      return found
    }
    report(.componentNotFound(path, lookedFor: places, nearest: nearest(to: path.value, places)))
    return nil
  }

  private func nearest(to path: String, _ places: [String]) -> String? {
    let name = String(path.split(separator: "/").last ?? "")
    for place in places {
      let full = place + ".component.yaml"
      if files.read(full) != nil { return path + ".component.yaml" }
      if let near = nearestName(to: name, among: files.names(folder(of: place))) {
        return String(path.dropLast(name.count)) + near
      }
    }
    return nil
  }
}
