import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Values
import YAMLSyntax

/// The limits of files that use each other.
package enum ComponentLimit {
  /// The depth to which components and files of steps nest.
  package static let depth = 16
  /// The number of components in a scenario. One inside others counts each time.
  package static let count = 256
  /// The number of included files in a scenario, counted in the same way.
  package static let includes = 1_000
  /// The number of folders that are searched for a file.
  package static let folders = 16
}

/// A loader of the components that stages use and the steps that scripts include. It reads each
/// file once, and collects the diagnostics.
final class ComponentLoader {
  var sources: SourceMap
  private var diagnostics: [Diagnostic] = []
  /// The trees of files that were read since the last findings, in which secrets are looked for.
  private var trees: [YAMLDocument] = []
  let files: ComponentFiles
  /// The places in files of components and steps that name files of values.
  private var uses = DataFileUses()
  var isFull = false
  // Most files use no others, and the first dictionary of a type takes as long as a small file.
  private lazy var loaded: [Value: Loaded<ComponentDocument>?] = [:]
  /// The files of steps, by the kind of script that they were read for.
  lazy var loadedSteps: [Value: [Place: Loaded<StepsDocument>?]] = [:]
  /// The files that are being read. Each is used by the one before it.
  var open: [(path: String, label: Diagnostic.Label?)] = []

  /// The document of a file, with all that it uses.
  struct Loaded<Document> {
    var document: Document
    var extent: Extent
  }

  /// The numbers of components and of files of steps that a file uses, and the depth of their
  /// nesting.
  struct Extent {
    var components = 0
    var includes = 0
    var height = 0
  }

  init(_ sources: SourceMap, files: ComponentFiles) {
    self.sources = sources
    self.files = files
  }

  /// Returns what was found since the last time: the trees of files, the diagnostics, and the
  /// places that name files of values.
  func takeFindings() -> (trees: [YAMLDocument], diagnostics: [Diagnostic], uses: DataFileUses) {
    defer { (trees, diagnostics, uses) = ([], [], DataFileUses()) }
    return (trees, diagnostics, uses)
  }

  /// Fills in the components and the included steps of a scenario.
  func load(_ document: inout ScenarioDocument, of path: String) {
    guard document.includesFiles else { return load(&document.stage, of: path) }
    open.append((straightened(path), nil))
    var extent = load(&document.steps, load(&document.stage))
    if var finally = document.finally {
      extent = load(&finally, extent)
      document.finally = finally
    }
    open.removeLast()
  }

  /// Fills in the components of a stage, and the steps that its mocks include. A component that
  /// cannot be loaded is nil.
  func load(_ stage: inout StageSpec, of path: String) {
    guard !stage.uses.isEmpty || stage.includesFiles else { return }
    open.append((straightened(path), nil))
    _ = load(&stage)
    open.removeLast()
  }

  private func load(_ stage: inout StageSpec) -> Extent {
    var extent = Extent()
    stage.components = stage.uses.map { load($0, &extent) }
    guard stage.includesFiles else { return extent }
    for index in stage.endpoints.indices {
      stage.endpoints[index].mapScripts { load($0, &extent) }
    }
    return extent
  }

  private func load(_ use: UseSpec, _ extent: inout Extent) -> ComponentDocument? {
    guard let found = component(use) else { return nil }
    let sum = extent.adding(found.extent, components: 1)
    // The files that use this one have too many as well: one diagnostic is enough.
    guard sum.components <= ComponentLimit.count else {
      return refuse(use.path.range, .component, most: ComponentLimit.count)
    }
    guard sum.includes <= ComponentLimit.includes else {
      return refuse(use.path.range, .steps, most: ComponentLimit.includes)
    }
    if open.count - 1 + sum.height > ComponentLimit.depth {
      report(.filesTooDeep(use.path.range, .component, most: ComponentLimit.depth))
      return nil
    }
    extent = sum
    return found.document
  }

  /// Reports once that there are too many files.
  func refuse<Document>(_ place: SourceRange, _ kind: UsedFile, most: Int) -> Document? {
    if !isFull { report(.tooManyFiles(place, kind, most: most)) }
    isFull = true
    return nil
  }

  private func component(_ use: UseSpec) -> Loaded<ComponentDocument>? {
    guard let path = find(use.path, .component) else { return nil }
    if let first = open.firstIndex(where: { $0.path == path }) {
      report(.fileCycle(use.path.range, .component, open[first...].map(\.path) + [path]))
      return nil
    }
    if let known = loaded[.string(path)] { return known }
    guard open.count <= ComponentLimit.depth else {
      report(.filesTooDeep(use.path.range, .component, most: ComponentLimit.depth))
      return nil
    }
    let label = Diagnostic.Label(use.name.range, "used here as `\(use.name.value)`")
    let result = read(
      path, for: use.path, .component, label, { decodeComponent($0, in: $1, tables: $2) },
      { load(&$0.stage) })
    loaded[.string(path)] = .some(result)
    return result
  }

  /// Reads a file, and then the files it uses.
  func read<Document>(
    _ path: String, for use: Located<String>, _ kind: UsedFile, _ label: Diagnostic.Label,
    _ decode: ([YAMLDocument], SourceMap, TableFiles) -> Diagnosed<Document?>,
    _ fillIn: (inout Document) -> Extent
  ) -> Loaded<Document>? {
    let carried = StandardComponents.text(named: path).map { Array($0.utf8) }
    switch carried.map({ .success($0) }) ?? files.read(path) {
    case nil: return nil
    case .failure(let problem)?:
      report(.fileUnreadable(use.range, kind, path, problem.message))
      return nil
    case .success(let bytes)?:
      open.append((path, label))
      defer { open.removeLast() }
      let file = SourceFile(path: path, bytes: bytes, isCarried: carried != nil)
      guard var document = parse(file, decode) else { return nil }
      let extent = fillIn(&document)
      return Loaded(document: document, extent: extent)
    }
  }

  private func parse<Document>(
    _ file: SourceFile, _ decode: ([YAMLDocument], SourceMap, TableFiles) -> Diagnosed<Document?>
  ) -> Document? {
    let tree = parseYAML(file, index: sources.add(file))
    trees += tree.value
    let tables = TableLoader(sources, files: files, folder: enclosingFolder(of: file.path))
    let decoded =
      tree.value.isEmpty ? Diagnosed(nil) : decode(tree.value, sources, TableFiles(tables))
    sources = tables.sources
    uses.add(tables.uses)
    let complaints = foldComplaints(
      tree.diagnostics, decoded.diagnostics, textPlaces: Set(decoded.textPlaces))
    for complaint in complaints { report(complaint) }
    return complaints.hasErrors ? nil : decoded.value
  }

  /// Reports a diagnostic, with a label for each use that led to its file.
  func report(_ diagnostic: Diagnostic) {
    var diagnostic = diagnostic
    let uses = open.reversed().compactMap(\.label)
    // The ends of a long way show where to look.
    diagnostic.labels += uses.count > 4 ? uses.prefix(2) + uses.suffix(1) : uses
    diagnostics.append(diagnostic)
  }

  // MARK: - finding files

  /// Finds a component of the program, or a file beside the one that uses it or in the nearest
  /// folder above.
  func find(_ path: Located<String>, _ kind: UsedFile) -> String? {
    if kind == .component, StandardComponents.isMeant(path.value) {
      if StandardComponents.names.contains(path.value) { return path.value }
      report(.noStandardComponent(path, known: StandardComponents.names))
      return nil
    }
    let folders =
      path.value.hasPrefix("/")
      ? [""] : foldersAbove(open.last?.path ?? "", most: ComponentLimit.folders)
    let places = folders.map { straightPath(path.value, in: $0) }
    let found = places.first {
      loaded[.string($0)] != nil || loadedSteps[.string($0)] != nil || files.read($0) != nil
    }
    if let found { return found }
    let near = nearest(to: path.value, kind, places)
    report(.fileNotFound(path, kind, lookedFor: places, nearest: near))
    return nil
  }

  private func nearest(to path: String, _ kind: UsedFile, _ places: [String]) -> String? {
    let name = String(path.split(separator: "/").last ?? "")
    for place in places {
      let full = place + kind.ending
      if files.read(full) != nil { return path + kind.ending }
      if let near = nearestName(to: name, among: files.names(enclosingFolder(of: place))) {
        return String(path.dropLast(name.count)) + near
      }
    }
    return nil
  }
}

extension ComponentLoader.Extent {
  /// Returns the extent together with that of a further file.
  func adding(
    _ other: ComponentLoader.Extent, components: Int = 0, includes: Int = 0
  ) -> ComponentLoader.Extent {
    ComponentLoader.Extent(
      components: self.components + components + other.components,
      includes: self.includes + includes + other.includes,
      height: max(height, 1 + other.height))
  }
}
