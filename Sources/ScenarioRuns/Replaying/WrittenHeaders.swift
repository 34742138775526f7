import ScenarioPlan
import TextSearch
import Traces

extension ScenarioPlan {
  /// Returns the facts about this scenario that a comparison needs.
  func replayRules(for header: TraceHeader) -> ReplayRules {
    let isExact = header.isVirtual == true
    return ReplayRules(
      endpoints: Set(endpoints.map(\.name)), writtenHeaders: writtenHeaders(byAll: !isExact))
  }

  /// By endpoint: the headers that its requests write.
  ///
  /// A real endpoint gets other default headers than a mock. There, a header is compared only if
  /// all requests to the endpoint write it.
  private func writtenHeaders(byAll: Bool) -> [String: Set<String>] {
    var written: [String: Set<String>] = [:]
    for request in requests {
      let name = endpoints[request.endpoint].name
      let headers = Set(request.headers.map { $0.name.lowercasedASCII })
      written[name] =
        written[name].map { byAll ? $0.intersection(headers) : $0.union(headers) } ?? headers
    }
    return written
  }

  /// The requests of steps, providers and connections.
  private var requests: [RequestPlan] {
    let ofSteps = scripts.flatMap(\.steps).compactMap { step -> RequestPlan? in
      if case .acting(.request(let exchange)) = step.kind { exchange.request } else { nil }
    }
    let ofProviders = providers.compactMap { provider -> RequestPlan? in
      if case .request(let request) = provider.origin { request } else { nil }
    }
    return ofSteps + ofProviders + connections.compactMap(\.request)
  }
}
