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

  private func begin(_ plan: ExchangePlan) -> Result<ClientExchange, MessageFailure> {
    let client = run.suppliers.client
    do throws(MessageFailure) {
      let request = try client.prepare(plan.request, in: self).get()
      let limits = ClientExchange.Limits(
        time: request.timeout ?? run.plan.timeout, isOfStep: true)
      return .success(
        ClientExchange(client, request, limits, upload: try makeUpload(plan.request.body, in: self))
      )
    } catch {
      return .failure(error)
    }
  }

  private func end(
    _ exchange: Exchange, _ result: Result<HTTPResponse, RequestFailure>, _ plan: ExchangePlan,
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
