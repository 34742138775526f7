import ScenarioSpec
import Values

// The parts of messages that are text are compared with scalars as they are written.
extension MatcherSpec {
  /// The parts of a request that are text, or maps of texts.
  private static let textsOfRequest: Set<String> = [
    "headers", "query", "form", "cookies", "params", "text", "path", "get", "post", "put", "patch",
    "delete", "head", "options",
  ]

  /// The matcher of a request.
  var ofRequest: MatcherSpec {
    mapInner(\.ofRequest) { entry in
      guard case .string(let name) = entry.key.value, Self.textsOfRequest.contains(name) else {
        return entry.value
      }
      return entry.value.ofText
    }
  }

  /// The matcher of a part of an answer.
  func ofAnswer(_ part: Key) -> MatcherSpec {
    switch part {
    case .headers, .text: ofText
    case .cookies: mapInner(\.ofText) { $0.value.ofCookie }
    default: self
    }
  }

  /// The matcher of a cookie. Its value is text; of a plain map of parts, only the value is.
  private var ofCookie: MatcherSpec {
    guard case .map = content else { return ofText }
    return mapInner(\.self) { entry in
      entry.key.value == .string("value") ? entry.value.ofText : entry.value
    }
  }

  /// The matcher with all of its scalars as text. What `$gt` and `$size` compare is a number.
  private var ofText: MatcherSpec {
    switch content {
    case .scalar(let data): return MatcherSpec(.scalar(data.compared), range)
    case .list(let elements): return MatcherSpec(.list(elements.map(\.ofText)), range)
    case .map, .operators: return mapInner(\.ofText) { $0.value.ofText }
    }
  }

  /// Changes the values of a map, and the matchers in operators.
  private func mapInner(
    _ inner: (MatcherSpec) -> MatcherSpec,
    _ value: ((key: Located<Value>, value: MatcherSpec)) -> MatcherSpec
  ) -> MatcherSpec {
    switch content {
    case .scalar, .list: self
    case .map(let entries): MatcherSpec(.map(entries.map { ($0.key, value($0)) }), range)
    case .operators(let operators):
      MatcherSpec(.operators(operators.map { $0.mapMatchers(inner) }), range)
    }
  }
}

extension OperatorSpec {
  fileprivate func mapMatchers(_ change: (MatcherSpec) -> MatcherSpec) -> OperatorSpec {
    var changed = self
    // An operator of one value compares as the matcher of that value does.
    func text(_ data: DataSpec) -> DataSpec {
      if case .scalar(let data) = change(MatcherSpec(.scalar(data), data.range)).content {
        data
      } else {
        data
      }
    }
    switch kind {
    case .data(let test, let data) where test.isOfOneText: changed.kind = .data(test, text(data))
    case .inner(let test, let matcher) where test.object != .derived:
      changed.kind = .inner(test, change(matcher))
    case .list(let test, let matchers): changed.kind = .list(test, matchers.map(change))
    case .any, .absent, .type, .data, .inner, .regex, .where, .capture, .secret, .schema, .example:
      break
    }
    return changed
  }
}

extension DataSpec {
  /// The data as texts that are compared. Null stays what no text is.
  fileprivate var compared: DataSpec {
    var data = self
    switch content {
    case .literal(.null): break
    case .list(let elements): data.content = .list(elements.map(\.compared))
    case .map(let entries): data.content = .map(entries.map { ($0.key, $0.value.compared) })
    case .literal, .expression, .text, .keyedMap, .example: data.use = .compared
    }
    return data
  }
}
