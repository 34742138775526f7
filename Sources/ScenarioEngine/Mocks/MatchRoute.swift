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
/// what is different, or nil if it holds. If no route is for HEAD, one for GET answers it.
func findRoute(
  _ routes: [RoutePlan], for target: RequestTarget, where mayTake: (_ route: Int) -> Bool,
  when: (_ route: Int, _ parameters: ValueMap) -> String?
) -> Int? {
  let found = routes.indices.first { number in
    routes[number].isFor(target) && mayTake(number)
      && when(number, routes[number].parameters(of: target)) == nil
  }
  guard found == nil, target.method == "HEAD" else { return found }
  var target = target
  target.method = "GET"
  return findRoute(routes, for: target, where: mayTake, when: when)
}

extension RoutePlan {
  fileprivate func isFor(_ target: RequestTarget) -> Bool {
    guard method == nil || method == target.method, segments.count == target.segments.count else {
      return false
    }
    return zip(segments, target.segments).allSatisfy { segment, actual in
      switch segment {
      case .literal(let expected): expected == actual
      case .parameter: true
      }
    }
  }

  /// Returns whether the route answers requests of a method.
  func takes(_ method: String) -> Bool {
    self.method == nil || self.method == method || method == "HEAD" && self.method == "GET"
  }

  func parameters(of target: RequestTarget) -> ValueMap {
    var parameters = ValueMap()
    for (segment, actual) in zip(segments, target.segments) {
      if case .parameter(let name) = segment { parameters[name] = .string(actual) }
    }
    return parameters
  }

  /// The locals of a call: the request, with what the path's parameters stand for.
  func locals(for request: Value, _ parameters: ValueMap) -> [Value] {
    var locals = [Value](repeating: .null, count: localCount)
    var value = request
    if case .map(var map) = value, !parameters.isEmpty {
      map["params"] = .map(parameters)
      value = .map(map)
    }
    locals[self.request.index] = value
    return locals
  }
}
