import LiveConnections
import ScenarioPlan
import Values

/// Steps that reach clients that stay connected.
extension ScriptRun {
  func connect(_ connections: [ConnectionID], _ step: StepPlan) -> Flow {
    for connection in connections {
      do throws(ConnectionRefusal) {
        try run.suppliers.clients.connect(connection)
      } catch {
        return .fails(refused(error, by: connection, step))
      }
    }
    let open = connections.filter { run.suppliers.clients.awaitsServer($0) }
    return isMainScript && !open.isEmpty ? awaitServers(open) : .next
  }

  /// Waits until real servers have agreed or refused, at most as long as any step waits.
  private func awaitServers(_ connections: [ConnectionID]) -> Flow {
    var left = connections.count
    let goOn = { [run] in
      left = 0
      run.loop.after(0, phase: .assertion) { self.resume() }
    }
    let timer = run.loop.after(run.plan.timeout, phase: .assertion) {
      if left > 0 { goOn() }
    }
    for connection in connections {
      run.suppliers.clients.whenMade(connection) { [run] in
        left -= 1
        guard left == 0 else { return }
        run.loop.cancel(timer)
        goOn()
      }
    }
    return .waits
  }

  func disconnect(_ connections: [ConnectionID]) -> Flow {
    for connection in connections { run.suppliers.clients.disconnect(connection) }
    return .next
  }

  func send(
    _ payload: Value, to connection: ConnectionID, _ step: StepPlan
  ) -> ScriptFailure? {
    do throws(ConnectionRefusal) {
      try run.suppliers.clients.send(payload, to: connection)
      return nil
    } catch {
      if case .action(let action) = role,
        run.suppliers.clients.hasServerClosed(connection, behind: run.recorder.cause)
      {
        // What the action answers was said before the goodbye, and nobody is there to hear it.
        action.script?.cancel()
        return nil
      }
      return refused(error, by: connection, step)
    }
  }

  private func notConnected(_ connection: ConnectionID, _ name: String) -> String {
    let state = run.stage.value(of: run.plan.connections[connection].state)
    switch state {
    case "notConnected": return "`\(name)` is not connected: no step asked it to `connect`"
    case "connecting":
      return "`\(name)` is still connecting; `eventually: kind(\(name).state) == 'connected'` waits"
    default: return "`\(name)` is not connected: \(state.display(maxLength: 200))"
    }
  }

  private func refused(
    _ refusal: ConnectionRefusal, by connection: ConnectionID, _ step: StepPlan
  ) -> ScriptFailure {
    let name = run.plan.connections[connection].name
    let message =
      switch refusal {
      case .alreadyConnected: "`\(name)` is connected already"
      case .stillConnecting: "`\(name)` is still connecting"
      case .notConnected: notConnected(connection, name)
      case .terminated: "`\(name)` was terminated, and that is for good"
      }
    var failure = cannot(step, message)
    failure.error = .string(refusal.rawValue)
    return failure
  }
}
