import CEL
import Protocols
import ScenarioPlan
import Values

/// A request with what its client needs beside it, all of it evaluated.
struct PreparedRequest {
  var http: HTTPRequest
  var endpoint: EndpointID
  /// The user that sends it.
  var session: ScenarioClient.Session
  var authorization: String?
  /// Given by the scenario, and sent as long as redirects stay with the endpoint.
  var cookies: [QueryItem] = []
  /// The names of cookies that are not sent, even if they are kept.
  var omittedCookies: [String] = []
  /// The most redirects that are followed; nil for the default of the place.
  var redirects: Int?
  var timeout: Microseconds?
  var addressing: Addressing
}

extension ScenarioClient {
  /// Makes a request as its plan says. Its session forgets cookies if the plan says so.
  func prepare(
    _ plan: RequestPlan, in slots: some CELSlots
  ) -> Result<PreparedRequest, MessageFailure> {
    do throws(MessageFailure) {
      let name = try plan.session.map { name throws(MessageFailure) in try textOf(name, in: slots) }
      var prepared = PreparedRequest(
        http: try messages.makeRequest(plan, in: slots).get(), endpoint: plan.endpoint,
        session: session(named: name), addressing: Addressing(keepsHost: plan.namesHost))
      let cookies = try makeItemsAndNulls(plan.cookies, in: slots)
      (prepared.cookies, prepared.omittedCookies) = (cookies.items, cookies.nulls)
      if let who = plan.authorization {
        prepared.authorization = try makeAuthorization(who, in: slots)
      }
      (prepared.redirects, prepared.timeout) = (plan.redirects, plan.timeout)
      if plan.forgetsCookies { forgetCookies(of: prepared) }
      return .success(prepared)
    } catch {
      return .failure(error)
    }
  }
}

/// Returns nil for a token that is null.
private func makeAuthorization(
  _ plan: RequestPlan.Authorization, in slots: some CELSlots
) throws(MessageFailure) -> String? {
  switch plan {
  case .bearer(let token): return try textIfAny(token, in: slots).map { "Bearer " + $0 }
  case .basic(let user, let password):
    let pair = try textOf(user, in: slots) + ":" + textOf(password, in: slots)
    return "Basic " + Base64.encode(pair.utf8)
  }
}
