import TextSearch
import Values

/// Matchers of requests. They are written as people write requests, with header names in any case
/// and a query after the path, and compared in the form that endpoints emit.
extension MatcherPlan {
  func matchingRequests() -> MatcherPlan {
    switch content {
    case .map(let entries):
      var all: [(key: Value, matcher: MatcherPlan)] = []
      for entry in entries { all += entry.matcher.partsOfRequest(under: entry.key) }
      return MatcherPlan(.map(all), range)
    case .operators(let operators):
      let parts = operators.map { part in
        guard case .inner(.match, let inner) = part.kind else { return part }
        return OperatorPlan(
          kind: .inner(.match, inner.matchingRequests()), name: part.name, range: part.range)
      }
      return MatcherPlan(.operators(parts), range)
    case .value, .list: return self
    }
  }

  private func partsOfRequest(under key: Value) -> [(key: Value, matcher: MatcherPlan)] {
    guard case .string(let name) = key else { return [(key, self)] }
    if name == "headers" { return [(key, inLowerCase())] }
    guard ["get", "post", "put", "patch", "delete", "head", "options"].contains(name),
      case .value(let data) = content, case .constant(.string(let path)) = data.content,
      let mark = path.firstIndex(ofASCII: "?")
    else { return [(key, self)] }
    let query = queryEntries(path[path.index(after: mark)...])
    return [
      (key, constant(String(path[..<mark]))),
      ("query", MatcherPlan(.map(query), range)),
    ]
  }

  /// A name that comes several times stands for the list of its values.
  private func queryEntries(_ query: Substring) -> [(key: Value, matcher: MatcherPlan)] {
    var names: [Value] = []
    var values: [Value: [MatcherPlan]] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = Value.string(String(parts[0]))
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(constant(parts.count > 1 ? String(parts[1]) : ""))
    }
    return names.map { name in
      let all = values[name] ?? []
      return (name, all.count == 1 ? all[0] : MatcherPlan(.list(all), range))
    }
  }

  private func constant(_ text: String) -> MatcherPlan {
    MatcherPlan(.value(DataPlan(.constant(.string(text)), range)), range)
  }

  func inLowerCase() -> MatcherPlan {
    guard case .map(let entries) = content else { return self }
    let lowered = entries.map { entry in
      if case .string(let name) = entry.key {
        return (key: Value.string(name.lowercasedASCII), matcher: entry.matcher)
      }
      return entry
    }
    return MatcherPlan(.map(lowered), range)
  }
}
