import Secrets
import TextSearch
import YAMLSyntax

/// The keys whose values steps capture as secrets, as in `token: { $as: token, $secret: true }`.
///
/// They are found in the tree, so that diagnostics of a document without a plan hide what a run of
/// it would hide.
package struct SecretCaptures: Sendable {
  /// The keys in lower case, since matchers write names of headers in any letters.
  private var keys: Set<String> = []
  /// True if a step captures a whole message, which has no key of its own.
  private var capturesMessages = false

  package init() {}

  package var isEmpty: Bool { keys.isEmpty && !capturesMessages }

  package mutating func find(in documents: [YAMLDocument]) {
    for document in documents { find(in: document.root, key: "", parent: "") }
  }

  /// - Parameters:
  ///   - key: The nearest key above the node that is no operator.
  ///   - parent: The key above that one.
  private mutating func find(in node: YAMLNode, key: String, parent: String) {
    switch node.content {
    case .scalar: break
    case .sequence(let elements):
      for element in elements { find(in: element, key: key, parent: parent) }
    case .mapping(let entries):
      if node.isMarkedSecret { add(key, below: parent) }
      for entry in entries {
        if entry.key.hasPrefix("$") {
          find(in: entry.value, key: key, parent: parent)
        } else {
          find(in: entry.value, key: entry.key, parent: key)
        }
      }
    }
  }

  private mutating func add(_ key: String, below parent: String) {
    if expectingKeys.contains(key) {
      capturesMessages = true
    } else {
      if expectingKeys.contains(parent) { capturesMessages = true }
      keys.insert(key.lowercased())
    }
  }

  /// Returns the texts in documents that stand under such a key.
  package func literals(in documents: [YAMLDocument]) -> [String] {
    var search = LiteralSearch(keys: keys, capturesMessages: capturesMessages)
    for document in documents { search.visit(document.root, path: []) }
    return search.texts
  }
}

extension YAMLNode {
  /// True for a map with `$secret: true`, also if the value is not written yet.
  fileprivate var isMarkedSecret: Bool {
    guard let mark = entry(Key.secretOperator.rawValue)?.value else { return false }
    return mark.scalar?.value != .bool(false)
  }
}

/// The keys whose values name sources, or are matchers of whole messages.
private let expectingKeys: Set<String> = [
  Key.expect.rawValue, Key.receive.rawValue, Key.eventually.rawValue,
]

/// The keys of what a message contains.
private let messageKeys: Set<String> = [
  Key.json.rawValue, Key.text.rawValue, Key.data.rawValue, Key.form.rawValue,
]

/// The keys of the stage under which names stand that have values.
private let valueLists: Set<String> = [Key.graph.rawValue, Key.vars.rawValue]

/// The search for texts under some keys.
private struct LiteralSearch {
  let keys: Set<String>
  let capturesMessages: Bool
  private(set) var texts: [String] = []

  mutating func visit(_ node: YAMLNode, path: [String]) {
    switch node.content {
    case .scalar: break
    case .sequence(let elements): for element in elements { visit(element, path: path) }
    case .mapping(let entries):
      for entry in entries {
        if isValue(entry, at: path) { gather(entry.value) }
        visit(entry.value, path: path + [entry.key])
      }
    }
  }

  /// The name of an endpoint or another part of the stage has its definition, and no value.
  private func isValue(_ entry: YAMLEntry, at path: [String]) -> Bool {
    let key = entry.key
    if keys.contains(key.lowercased()) { return path.count != 1 || valueLists.contains(path[0]) }
    guard capturesMessages else { return false }
    if messageKeys.contains(key) { return true }
    guard path.first == Key.endpoints.rawValue else { return false }
    // An event may be a map of its parts, of which `data` is the content.
    return key == Key.event.rawValue
      ? entry.value.entries == nil : key == Key.send.rawValue || key == Key.emit.rawValue
  }

  private mutating func gather(_ node: YAMLNode) {
    switch node.content {
    case .sequence(let elements): for element in elements { gather(element) }
    case .mapping(let entries):
      for entry in entries where !namesWithoutValues.contains(entry.key) { gather(entry.value) }
    case .scalar(let scalar):
      // Neither null nor what is true or false has a text that could be hidden.
      let isText = !scalar.value.secretTexts.isEmpty && scalar.value != .null
      if isText, !scalar.text.contains("${") { texts.append(scalar.text) }
    }
  }
}

/// The operators of matchers that hold no part of a value.
private let namesWithoutValues: Set<String> = [
  Key.asOperator.rawValue, Key.secretOperator.rawValue, Key.whereOperator.rawValue,
  Key.schemaOperator.rawValue, Key.typeOperator.rawValue, Key.matchOperator.rawValue,
  Key.regexOperator.rawValue, Key.sizeOperator.rawValue,
]
