import Events
import Protocols
import ScenarioPlan
import Values
import World

/// The step `request`: one exchange, logged with its answer, and left to the judge.
extension ScriptRun {
  func request(_ plan: ExchangePlan, _ step: StepPlan) -> Flow {
    switch begin(plan) {
    case .failure(.evaluation(let failure)): return .fails(scriptFailure(failure))
    case .failure(let failure):
      return .fails(cannot(step, failure.message, at: failure.range))
    case .success(let exchange):
      let reference = lastReference
      onCancel = { exchange.cancel() }
      exchange.begin { [self] result in
        onCancel = nil
        guard mayGoOn else { return }
        end(exchange.exchange, result, plan, reference)
      }
      return .waits
    }
  }

  private func begin(_ plan: ExchangePlan) -> Result<StepExchange, MessageFailure> {
    if plan.forgetsCookies { run.client.forgetCookies(of: plan.request.endpoint) }
    do throws(MessageFailure) {
      let request = try run.suppliers.messages.makeRequest(plan.request, in: self).get()
      let cookies = try makeItemsAndNulls(plan.cookies, in: self)
      let authorization = try plan.authorization.flatMap { plan throws(MessageFailure) in
        try makeAuthorization(plan)
      }
      return .success(
        StepExchange(
          run.client, plan, request, cookies: cookies.items, without: cookies.nulls,
          authorization: authorization,
          upload: try makeUpload(plan.request.body, in: self)))
    } catch {
      return .failure(error)
    }
  }

  /// Returns nil for a token that is null.
  private func makeAuthorization(
    _ plan: ExchangePlan.Authorization
  ) throws(MessageFailure) -> String? {
    switch plan {
    case .bearer(let token): return try textIfAny(token, in: self).map { "Bearer " + $0 }
    case .basic(let user, let password):
      let pair = try textOf(user, in: self) + ":" + textOf(password, in: self)
      return "Basic " + Base64.encode(pair.utf8)
    }
  }

  private func end(
    _ exchange: Exchange, _ result: Result<Exchange, RequestFailure>, _ plan: ExchangePlan,
    _ step: StepReference
  ) {
    switch result {
    case .success:
      run.recorder.record(
        .assertion(.exchanged(plan.assertion, step, exchange, reads: readings(of: plan.assertion))))
      switch run.judge.status(in: branch) {
      case .failed: return run.supervisor.stop()
      case .retried: leaveTry()
      case .met, .pending: break
      }
      run.loop.after(0, phase: .assertion) { self.resume() }
    case .failure(let failure):
      let problem = RunProblem.requestFailed(
        step, exchange, error: failure.error, message: failure.message)
      let scriptFailure = ScriptFailure(error: failure.error, problem: problem)
      run.loop.after(0, phase: .assertion) {
        if self.decidesTries {
          self.run.recorder.record(.run(.failed(problem)))
          self.leaveTry()
        } else {
          self.fail(scriptFailure)
        }
        self.resume()
      }
    }
  }
}
