import Licensing
import Testing

@MainActor
@Suite struct DeactivationTests {
  @Test func `a deactivation removes the license`() async {
    let lab = LicenseLab()
    await lab.activate()
    lab.forget()
    #expect(await lab.error { try await $0.deactivate() } == nil)
    #expect(
      lab.names == ["deactivation:start", "autovalidation:stopped", "deactivation:success"])
    #expect(lab.events[2].dictionary?["localStateCleared"] as? Bool == true)
    #expect(lab.statuses == [.inactive(message: "No license activated")])
    lab.wait(.seconds(86_400))
    #expect(lab.server.operations == ["deactivate"])
  }

  @Test(arguments: [
    (404, "license_not_found", true), (404, "activation_not_found", true),
    (404, "already_deactivated", true), (410, "", true), (422, "revoked", true),
    (422, "already_deactivated", true), (404, "not_found", false),
    (404, "product_not_found", false), (403, "forbidden", false),
    (422, "fingerprint_required", false), (500, "", false),
  ])
  func `a server that knows of no activation has deactivated it`(
    _ status: Int, _ code: String, _ isGone: Bool
  ) async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    await lab.activate()
    lab.forget()
    lab.server.answers["deactivate"] = ScriptedAnswer(status: status, code: code)
    #expect((await lab.error { try await $0.deactivate() } == nil) == isGone)
    #expect(lab.names.last == (isGone ? "deactivation:success" : "deactivation:error"))
    #expect(lab.seat.status.kind == (isGone ? "inactive" : "active"))
    #expect(lab.seat.isAutoValidating == !isGone)
  }

  @Test func `the end of another activation is an error`() async {
    let lab = LicenseLab()
    await lab.activate()
    lab.server.answers["deactivate"] = ScriptedAnswer(id: "act-99")
    #expect(await lab.error { try await $0.deactivate() }?.code == "response_mismatch")
    #expect(lab.events.last?.license?.key == "TEST-KEY" && lab.seat.status.kind == "active")
  }

  @Test func `without a license there is nothing to deactivate`() async {
    let lab = LicenseLab()
    #expect(await lab.error { try await $0.deactivate() }?.code == "no_active_license")
    #expect(lab.names.isEmpty && lab.server.requests.isEmpty)
  }

  @Test(arguments: [
    ScriptedAnswer(after: .seconds(2), id: "act-1"),
    ScriptedAnswer(status: 404, code: "activation_not_found", after: .seconds(2)),
    ScriptedAnswer(status: 410, after: .seconds(2)),
  ])
  func `a late answer does not remove the replacement`(_ answer: ScriptedAnswer) async {
    let lab = LicenseLab()
    await lab.activate()
    lab.server.next = [answer]
    let late = Task.immediate { try await lab.seat.deactivate() }
    lab.wait(.milliseconds(500))
    await lab.activate()
    lab.wait(.seconds(10))
    _ = await late.result
    #expect(lab.seat.status.kind == "active" && lab.seat.isAutoValidating)
    let end = lab.events.last { $0.kind == .deactivationSuccess }
    #expect(end?.dictionary?["localStateCleared"] as? Bool == false)
  }

  @Test func `a reset ends all that waits, and removes the license`() async {
    let lab = LicenseLab()
    await lab.activate()
    lab.forget()
    lab.server.next = Array(repeating: ScriptedAnswer(after: .seconds(2)), count: 4)
    let calls = [
      Task.immediate { _ = try await lab.seat.validate() },
      Task.immediate { try await lab.seat.deactivate() },
      Task.immediate { try await lab.seat.heartbeat() },
      Task.immediate { _ = try await lab.seat.activate(licenseKey: "NEXT") },
    ]
    lab.wait(.seconds(1))
    lab.forget()
    lab.seat.reset()
    #expect(lab.names == ["autovalidation:stopped", "sdk:reset", "activation:error"])
    for call in calls { await #expect(throws: LicenseError.self) { try await call.value } }
    lab.wait(.seconds(86_400))
    #expect(lab.names.count == 3 && lab.seat.status.kind == "inactive")
    #expect(await lab.activate("SECOND"))
  }
}
