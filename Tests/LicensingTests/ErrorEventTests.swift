import Licensing
import Testing

/// Which errors are events as well, as the documentation says.
@MainActor
@Suite struct ErrorEventTests {
  enum Call: String, CaseIterable, Sendable {
    case activate, validate, deactivate, heartbeat
    case offlineToken = "offline-token"
    case machineFile = "machine-file"

    @MainActor
    func perform(_ seat: LicenseSeat) async throws {
      switch self {
      case .activate: try await seat.activate(licenseKey: "TEST-KEY")
      case .validate: try await seat.validate()
      case .deactivate: try await seat.deactivate()
      case .heartbeat: try await seat.heartbeat()
      case .offlineToken: try await seat.syncOfflineToken()
      case .machineFile: try await seat.syncMachineFile()
      }
    }

    var event: String {
      switch self {
      case .activate: "activation:error"
      case .validate: "validation:error"
      case .deactivate: "deactivation:error"
      case .heartbeat: "heartbeat:error"
      case .offlineToken: "offlineToken:fetchError"
      case .machineFile: "machineFile:fetchError"
      }
    }
  }

  @Test(arguments: Call.allCases)
  func `a request that fails is one event, with the error that is thrown`(_ call: Call) async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    await lab.activate()
    lab.forget()
    lab.server.answers[call.rawValue] = ScriptedAnswer(status: 403, code: "forbidden")
    let error = await lab.error { try await call.perform($0) }
    #expect(error?.code == "forbidden")
    #expect(lab.events.filter { $0.error != nil }.map(\.name) == [call.event])
    #expect(lab.events.compactMap(\.error) == [error])
  }

  @Test(arguments: [
    (Call.validate, []), (.deactivate, []), (.heartbeat, []),
    (.offlineToken, ["sdk:error", "offlineToken:fetchError"]),
    (.machineFile, ["machineFile:fetchError"]),
  ])
  func `without a license only the syncs of grants have an event of it`(
    _ call: Call, _ names: [String]
  ) async {
    let lab = LicenseLab()
    #expect(await lab.error { try await call.perform($0) }?.code == "no_active_license")
    #expect(lab.names == names && lab.server.requests.isEmpty)
  }

  @Test(arguments: Call.allCases)
  func `of the calls that a newer one replaces, only an activation has an event of it`(
    _ call: Call
  ) async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    await lab.activate()
    lab.forget()
    lab.server.next = [ScriptedAnswer(after: .seconds(2)), ScriptedAnswer(after: .seconds(2))]
    let older = Task.immediate { [seat = lab.seat] in try await call.perform(seat) }
    let newer = Task.immediate { [seat = lab.seat] in try await call.perform(seat) }
    lab.wait(.seconds(5))
    let isActivation = call == .activate
    await #expect {
      try await older.value
    } throws: {
      ($0 as? LicenseError)?.code == (isActivation ? "activation_failed" : "superseded")
    }
    if case .failure(let error) = await newer.result { Issue.record(error) }
    #expect(lab.events.compactMap(\.error).count == (isActivation ? 1 : 0))
  }
}
