import Diagnostics
import Protocols
import ScenarioPlan
import Values

/// Which of an endpoint's routes answers a request.
enum RouteChoice {
  case route(Int)
  /// None; this one came closest, and differs in this.
  case none(closest: Int?, differences: [String])
}

/// What a request asks for, taken apart for comparing it with routes.
struct RequestTarget {
  var method: String
  var path: String
  /// Taken apart before they are decoded, so that `%2F` is part of a segment.
  var segments: [String]

  init(method: String, path: String) {
    self.method = method
    self.path = URLText.decode(path, as: .path)
    segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { URLText.decode(String($0), as: .path) }
  }
}

/// How one route compares with a request.
struct RouteComparison {
  var differences: [String] = []
  /// Smaller is closer.
  var distance = 0
  var parameters = ValueMap()

  var matches: Bool { differences.isEmpty }
}

/// The first route that matches wins; `when` is asked only of routes that match otherwise.
func chooseRoute(
  _ routes: [RoutePlan], for target: RequestTarget,
  when: (_ route: Int, _ parameters: ValueMap) -> String?
) -> RouteChoice {
  var closest: (route: Int, comparison: RouteComparison)?
  for (number, route) in routes.enumerated() {
    var comparison = compare(route, with: target)
    if comparison.matches, let difference = when(number, comparison.parameters) {
      comparison.differences.append(difference)
      comparison.distance += 1
    }
    if comparison.matches { return .route(number) }
    if comparison.distance < closest?.comparison.distance ?? Int.max {
      closest = (number, comparison)
    }
  }
  return .none(closest: closest?.route, differences: closest?.comparison.differences ?? [])
}

/// What of a route's method and path a request does not meet, and the path's parameters.
func compare(_ route: RoutePlan, with target: RequestTarget) -> RouteComparison {
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
  for (segment, actual) in zip(route.segments, target.segments) {
    switch segment {
    case .literal(let expected): if expected != actual { unequal += 1 }
    case .parameter(let name): comparison.parameters[name] = .string(actual)
    }
  }
  guard unequal > 0 else { return }
  let isTypo = nearestName(to: target.path, among: [route.path]) != nil
  comparison.differences.append(
    "path     the request is for \(target.path), the route \(route.path)")
  comparison.distance += isTypo ? 3 : 3 + 2 * unequal
}
