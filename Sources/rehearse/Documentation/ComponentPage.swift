import ScenarioRuns
import ScenarioSpec
import TextSearch
import Values

/// Returns the page of a component that comes with the program: what it says of itself, and its
/// parameters.
///
/// - Parameter path: The path below `docs`; nil is returned if it is not the page of a component.
func componentPage(_ path: String) -> String? {
  guard let name = StandardComponents.names.first(where: { pathOfPage($0) == path }),
    let component = StandardComponents.component(named: name)
  else { return nil }
  let rows = component.parameters.flatMap { parameter in
    let standard = parameter.initial.map { "`\($0.shortText)`" } ?? "required"
    let takes = parameter.schema?.choices
    return [
      "| `\(parameter.name.value)` | \(takes ?? parameter.kind.rawValue) | \(standard) "
        + "| \(parameter.about ?? "") |\n"
    ] + (parameter.schema?.memberRows(of: parameter.name.value) ?? [])
  }
  return """
    # \(name)

    \(component.title?.value ?? "").

    \(component.description ?? "")
    ## Parameters

    | parameter | takes | default | what it is for |
    |---|---|---|---|
    \(rows.joined())
    """
}

extension DocumentationTopic {
  static let components = StandardComponents.names.map { name in
    DocumentationTopic(
      .components, pathOfPage(name), name,
      StandardComponents.component(named: name)?.title?.value ?? "")
  }
}

/// Lists the components that come with the program, each with what it is.
func listOfComponents(_ format: ListingFormat) -> String {
  let topics = DocumentationTopic.components
  let values: [Value] = topics.map { ["name": .string($0.title), "title": .string($0.purpose)] }
  switch format {
  case .human:
    return columns(topics.map { ($0.title, $0.purpose) })
      + "\n`rehearse docs NAME` shows the page of one.\n"
  case .json: return Value.list(values).json(pretty: true) + "\n"
  case .ndjson: return values.map { $0.json() + "\n" }.joined()
  }
}

/// Returns the path of a component's page: of `std/openai` it is `components/openai.md`.
private func pathOfPage(_ name: String) -> String { "components/\(name.dropFirst(4)).md" }

extension DataSpec {
  private var schema: ValueMap? {
    if case .literal(.map(let map)) = content { map } else { nil }
  }

  fileprivate var shortText: String {
    guard case .literal(let value) = content else { return "…" }
    return value.plainText.isEmpty ? "\"\"" : value.plainText
  }

  /// The words that a value may be, if there are only some.
  fileprivate var choices: String? { schema.flatMap { words(in: $0) } }

  /// The rows for what the schema says of the members of a value, or of the elements of a list.
  fileprivate func memberRows(of name: String) -> [String] {
    guard let schema else { return [] }
    var (place, holder) = (name, schema)
    if case .map(let items)? = schema["items"] { (place, holder) = (name + "[]", items) }
    guard case .map(let members)? = holder["properties"] else { return [] }
    return members.map { key, value in
      guard case .map(let member) = value else { return "" }
      let about = if case .string(let text)? = member["description"] { text } else { "" }
      let takes = words(in: member) ?? typeName(of: member)
      return "| `\(place).\(key.plainText)` | \(takes) | | \(about) |\n"
    }
  }
}

private func words(in schema: ValueMap) -> String? {
  guard case .list(let words)? = schema["enum"] else { return nil }
  return words.map { "`\($0.plainText)`" }.joined(separator: ", ")
}

private func typeName(of schema: ValueMap) -> String {
  switch schema["type"] {
  case .string(let text)?: text
  case .list(let types)?: types.map(\.plainText).joined(separator: " or ")
  default: "any"
  }
}
