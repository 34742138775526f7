import Diagnostics
import Protocols
import ScenarioPlan
import Values

/// The route that answers a request.
enum RouteChoice {
  case route(Int)
  /// None; this one came closest, and differs in this.
  case none(closest: Int?, differences: [String])
}

/// A request's method and path, split for comparison with routes.
struct RequestTarget {
  var method: String
  var path: String
  /// Taken apart before they are decoded, so that `%2F` is part of a segment.
  var segments: [String]

  init(method: String, path: String) {
    self.method = method
    self.path = URLText.decode(path, as: .path)
    segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst().map { URLText.decode(String(Substring($0)), as: .path) }
  }
}

/// The first route that matches wins; `when` is asked only of routes that match otherwise, and says
/// what is different, or nil where it holds.
func chooseRoute(
  _ routes: [RoutePlan], for target: RequestTarget,
  when: (_ route: Int, _ parameters: ValueMap) -> String?
) -> RouteChoice {
  var refusals: [Int: String] = [:]
  for number in routes.indices where routes[number].isFor(target) {
    guard let refusal = when(number, routes[number].parameters(of: target)) else {
      return .route(number)
    }
    refusals[number] = refusal
  }
  return closest(routes, to: target, refusals)
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

  fileprivate func parameters(of target: RequestTarget) -> ValueMap {
    var parameters = ValueMap()
    for (segment, actual) in zip(segments, target.segments) {
      if case .parameter(let name) = segment { parameters[name] = .string(actual) }
    }
    return parameters
  }
}

/// The comparison of one route with a request; a smaller distance is closer.
private struct RouteComparison {
  var differences: [String] = []
  var distance = 0
}

private func closest(
  _ routes: [RoutePlan], to target: RequestTarget, _ refusals: [Int: String]
) -> RouteChoice {
  var closest: (route: Int, comparison: RouteComparison)?
  for (number, route) in routes.enumerated() {
    var comparison = compare(route, with: target)
    if let refusal = refusals[number] {
      comparison.differences.append(refusal)
      comparison.distance += 1
    }
    if comparison.distance < closest?.comparison.distance ?? Int.max {
      closest = (number, comparison)
    }
  }
  return .none(closest: closest?.route, differences: closest?.comparison.differences ?? [])
}

/// Returns the differences between a route's method and path and a request.
private func compare(_ route: RoutePlan, with target: RequestTarget) -> RouteComparison {
  var comparison = RouteComparison()
  comparePath(route, target, &comparison)
  if let method = route.method, method != target.method {
    comparison.differences.append("method   the request is \(target.method), the route \(method)")
    comparison.distance += 2
  }
  return comparison
}

private func comparePath(
  _ route: RoutePlan, _ target: RequestTarget, _ comparison: inout RouteComparison
) {
  var unequal = abs(route.segments.count - target.segments.count)
  for case (.literal(let expected), let actual) in zip(route.segments, target.segments) {
    if expected != actual { unequal += 1 }
  }
  guard unequal > 0 else { return }
  let isTypo = nearestName(to: target.path, among: [route.path]) != nil
  comparison.differences.append(
    "path     the request is for \(target.path), the route \(route.path)")
  comparison.distance += isTypo ? 3 : 3 + 2 * unequal
}
