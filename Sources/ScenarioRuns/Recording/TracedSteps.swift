import Diagnostics
import ScenarioPlan
import Synchronization
import TextSearch
import Values
import YAMLSyntax

/// The steps of the scenarios of a file, as traces name them. They are found when they are first
/// asked for.
package final class TracedSteps: Sendable {
  private struct Made {
    /// By number of a file.
    var trees: [Int32: [YAMLDocument]] = [:]
    /// By the place of a scenario.
    var steps: [SourceRange: StepIdentities] = [:]
  }

  private let sources: SourceMap
  private let made = Mutex(Made())

  package init(_ sources: SourceMap) { self.sources = sources }

  /// Returns the headers that the files name, in lower case: those that steps send, expect or
  /// capture, and those that expressions read.
  package func headers() -> [String] {
    made.withLock { made in
      var names: Set<String> = []
      for (index, file) in sources.files.enumerated() {
        guard file.path.hasSuffix(".yaml") || file.path.hasSuffix(".yml") else { continue }
        let number = Int32(index)
        let documents = made.trees[number] ?? parseYAML(file, index: number).value
        made.trees[number] = documents
        for document in documents { document.root.addHeaders(to: &names) }
      }
      return names.sorted()
    }
  }

  /// Returns the steps of a scenario.
  package func steps(of plan: ScenarioPlan) -> StepIdentities {
    made.withLock { made in
      if let steps = made.steps[plan.range] { return steps }
      var finder = StepFinder(plan, sources, made.trees)
      let steps = finder.steps()
      made.trees = finder.trees
      made.steps[plan.range] = steps
      return steps
    }
  }
}

/// The identity of each step of a scenario: its path in the document, and a hash of its text
/// without comments and layout, without the steps in it, and before variables are put in.
package struct StepIdentities: Sendable {
  struct Step: Sendable {
    var place: Place
    /// The path and the hash.
    var identity: String
    var isOfComponent: Bool
  }

  /// The place of a step, and the places of the `include` steps around it.
  struct Place: Sendable, Hashable {
    var range: SourceRange
    var includes: [SourceRange]
  }

  /// The steps, in the order of the scripts.
  fileprivate(set) var all: [Step] = []
  private var identities: [Place: String] = [:]

  package init() {}

  fileprivate mutating func add(_ step: Step) {
    guard identities.updateValue(step.identity, forKey: step.place) == nil else { return }
    all.append(step)
  }

  func identity(at range: SourceRange, includedBy includes: [SourceRange]) -> String? {
    identities[Place(range: range, includes: includes)]
  }

  /// The steps that the header of a trace lists.
  package var listed: [String] { all.map(\.identity) }
}

/// The beginning of the paths of steps of components.
let pathOfComponents = "use/"

/// The search for the steps of one scenario in the texts of its files.
private struct StepFinder {
  private let plan: ScenarioPlan
  private let sources: SourceMap
  var trees: [Int32: [YAMLDocument]]
  /// Where steps begin: what is inside of another one has a hash of its own.
  private let starts: Set<SourceRange>
  private var found = StepIdentities()

  init(_ plan: ScenarioPlan, _ sources: SourceMap, _ trees: [Int32: [YAMLDocument]]) {
    self.plan = plan
    self.sources = sources
    self.trees = trees
    starts = Set(plan.scripts.flatMap { $0.steps.map(\.verbRange) })
  }

  mutating func steps() -> StepIdentities {
    let steps = plan.scripts.flatMap(\.steps)
    let inner = Set(steps.flatMap(\.kind.innerScripts))
    for script in plan.scripts.indices where !inner.contains(script) {
      add(script, includes: [], prefix: "")
    }
    return found
  }

  private mutating func add(_ script: ScriptID, includes: [SourceRange], prefix: String) {
    for step in plan.scripts[script].steps {
      let place = StepIdentities.Place(range: step.verbRange, includes: includes)
      if let (path, node) = node(at: step.verbRange) {
        let isOfComponent = prefix.isEmpty && step.verbRange.file != plan.range.file
        let name = isOfComponent ? nameOfFile(step.verbRange) + path : prefix + path
        found.add(
          .init(
            place: place, identity: "\(name) \(hash(of: node))", isOfComponent: isOfComponent))
      }
      if case .structure(.include(let include)) = step.kind {
        let path = node(at: include.range)?.path ?? ""
        add(include.script, includes: includes + [include.range], prefix: prefix + path + "/")
      } else {
        for script in step.kind.innerScripts {
          add(script, includes: includes, prefix: prefix)
        }
      }
    }
  }

  /// Returns how the paths of another file than the scenario's begin: `use/license/`.
  private func nameOfFile(_ range: SourceRange) -> String {
    let path = sources.file(of: range)?.path ?? ""
    let name = path.split(separator: "/").last?.prefix { $0 != "." } ?? ""
    return "\(pathOfComponents)\(name)/"
  }

  /// Returns the map whose key stands at a place, or the scalar there, with its path.
  private mutating func node(at range: SourceRange) -> (path: String, node: YAMLNode)? {
    if trees[range.file] == nil, let file = sources.file(of: range) {
      trees[range.file] = parseYAML(file, index: range.file).value
    }
    let documents = trees[range.file] ?? []
    guard let document = documents.last(where: { $0.root.range.start <= range.start }) else {
      return nil
    }
    var path: [String] = []
    return find(range.start, in: document.root, &path).map { (path.joined(separator: "/"), $0) }
  }

  private func find(_ start: Int32, in node: YAMLNode, _ path: inout [String]) -> YAMLNode? {
    switch node.content {
    case .scalar(let scalar): return scalar.range.start == start ? node : nil
    case .sequence(let elements):
      for (number, element) in elements.enumerated() where element.contains(start) {
        path.append(String(number))
        return find(start, in: element, &path)
      }
    case .mapping(let entries):
      for entry in entries {
        if entry.keyRange.start == start { return node }
        guard entry.value.contains(start) else { continue }
        path.append(entry.key)
        return find(start, in: entry.value, &path)
      }
    }
    return nil
  }

  private func hash(of step: YAMLNode) -> String {
    var hash = SHA256()
    add(step, to: &hash, isStep: true)
    return String(hash.digest().prefix(StepFinder.hashDigits))
  }

  private static let hashDigits = 8

  /// Adds what a formatted text of the node says. Quotes, brackets and indentation say nothing, but
  /// that a text is quoted does.
  private func add(_ node: YAMLNode, to hash: inout SHA256, isStep: Bool) {
    switch node.content {
    case .scalar(let scalar): add(scalar, to: &hash)
    case .sequence(let elements):
      hash.append(UInt8(ascii: "["))
      for element in elements { add(element, to: &hash, isStep: false) }
      hash.append(UInt8(ascii: "]"))
    case .mapping(let entries):
      if !isStep, entries.contains(where: { starts.contains($0.keyRange) }) { return }
      hash.append(UInt8(ascii: "{"))
      for entry in entries {
        add(entry.keyScalar, to: &hash)
        add(entry.value, to: &hash, isStep: false)
      }
      hash.append(UInt8(ascii: "}"))
    }
  }

  private func add(_ scalar: YAMLScalar, to hash: inout SHA256) {
    hash.append(scalar.style == .plain ? UInt8(ascii: "p") : UInt8(ascii: "q"))
    hash.append(scalar.typeTag.rawValue)
    hash.append(Array(scalar.text.utf8))
    hash.append(0)
  }
}

extension YAMLNode {
  /// Adds the keys of each map under `headers`, and what texts read of `headers`.
  fileprivate func addHeaders(to names: inout Set<String>) {
    switch content {
    case .scalar(let scalar): names.formUnion(headersRead(by: scalar.text))
    case .sequence(let elements): for element in elements { element.addHeaders(to: &names) }
    case .mapping(let entries):
      for entry in entries {
        if entry.key == "headers" {
          for header in entry.value.entries ?? [] { names.insert(header.key.lowercasedASCII) }
        }
        entry.value.addHeaders(to: &names)
      }
    }
  }

  fileprivate func contains(_ start: Int32) -> Bool { range.start <= start && start < range.end }
}

/// Returns the names behind `headers.` and in `headers["…"]`, in lower case.
private func headersRead(by text: String) -> [String] {
  var names: [String] = []
  var rest = text[...]
  while let found = rest.firstRange(of: "headers") {
    rest = rest[found.upperBound...].drop { $0 == "." || $0 == "?" || $0 == "[" }
    if let quote = rest.first, quote == "\"" || quote == "'" { rest = rest.dropFirst() }
    let name = rest.utf8.prefix { isNameByte($0) }
    if !name.isEmpty { names.append(String(Substring(name)).lowercasedASCII) }
  }
  return names
}

private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
    true
  default: false
  }
}
