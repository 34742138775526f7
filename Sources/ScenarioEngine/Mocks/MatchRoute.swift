import Events
import Protocols
import ScenarioPlan
import Values

/// A request's method and path, split for comparison with routes.
struct RequestTarget {
  var method: String
  var path: String
  /// Taken apart before they are decoded, so that `%2F` is part of a segment.
  var segments: [String]

  init(method: String, path: String) {
    self.method = method
    self.path = URLText.decode(path, as: .path)
    segments = RequestTarget.segments(of: path)
  }

  init(_ request: HTTPRequest) {
    self.init(method: request.method, path: HTTPTarget(request.target).path)
  }

  /// Returns what follows each slash of a path.
  private static func segments(of path: String) -> [String] {
    var path = path
    return path.withUTF8 { bytes in
      var segments: [String] = []
      var rest = bytes[...]
      while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
        rest = rest[(slash + 1)...]
        let segment = rest.prefix { $0 != UInt8(ascii: "/") }
        segments.append(URLText.decode(String(decoding: segment, as: UTF8.self), as: .path))
      }
      return segments
    }
  }
}

/// Returns the first route that fits. `when` is asked only of routes that fit otherwise; it returns
/// what is different, or nil if it holds. If no route is for HEAD alone, the routes for GET answer
/// it as well.
func findRoute(
  _ routes: [RoutePlan], for target: RequestTarget, where mayTake: (_ route: Int) -> Bool,
  when: (_ route: Int, _ parameters: ValueMap) -> String?
) -> Int? {
  func first(where isOfMethod: (RoutePlan) -> Bool) -> Int? {
    routes.indices.first { number in
      isOfMethod(routes[number]) && routes[number].hasPath(of: target) && mayTake(number)
        && when(number, routes[number].parameters(of: target)) == nil
    }
  }
  if target.method == "HEAD", let found = first(where: { $0.method == "HEAD" }) { return found }
  return first { $0.takes(target.method) }
}

extension RoutePlan {
  fileprivate func hasPath(of target: RequestTarget) -> Bool {
    let isOpen = if case .rest? = segments.last { true } else { false }
    let fits =
      isOpen
      ? segments.count <= target.segments.count : segments.count == target.segments.count
    return fits
      && zip(segments, target.segments).allSatisfy { segment, actual in
        switch segment {
        // A literal may be written as it is sent, such as `team%2Fone`.
        case .literal(let expected):
          expected == actual || URLText.decode(expected, as: .segment) == actual
        case .parameter(let parameter): parameter.value(in: actual) != nil
        case .rest: true
        }
      }
  }

  /// Returns whether the route answers requests of a method.
  func takes(_ method: String) -> Bool {
    self.method == nil || self.method == method || method == "HEAD" && self.method == "GET"
  }

  func parameters(of target: RequestTarget) -> ValueMap {
    var parameters = ValueMap()
    for (index, segment) in segments.enumerated() where index < target.segments.count {
      switch segment {
      case .literal: break
      case .parameter(let parameter):
        parameters[.string(parameter.name)] = parameter.value(in: target.segments[index])
          .map { .string($0) }
      case .rest(let name):
        parameters[.string(name)] = .string(target.segments[index...].joined(separator: "/"))
      }
    }
    return parameters
  }

  /// Returns what is different from the conditions of the route; nil if they hold.
  func difference(
    of request: Value, _ message: HTTPRequest, in slots: some PlanSlots, by judge: any Judge
  ) -> String? {
    if let difference = when.flatMap({ differenceOf($0, in: slots) }) { return difference }
    return match.flatMap { match in
      judge.difference(
        of: request.withBody(of: message, askedBy: match.matcher), from: match.matcher,
        reads: match.reads,
        values: match.reads.map { slots.value(of: $0) })
    }
  }

  /// Returns what the route counts a call by; null if it counts all of them together, or if the
  /// request has none.
  func session(in slots: some PlanSlots) -> Value {
    turnsBy.flatMap { try? evaluate($0, in: slots).get() } ?? .null
  }

  /// The locals of a call: the request, with what the path's parameters stand for.
  func locals(for request: Value, _ parameters: ValueMap) -> [Value] {
    var locals = [Value](filledWith: .null, count: localCount)
    var value = request
    if case .map(var map) = value, !parameters.isEmpty {
      map["params"] = .map(parameters)
      value = .map(map)
    }
    locals[self.request.index] = value
    return locals
  }
}
