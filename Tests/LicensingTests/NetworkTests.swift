import Licensing
import Testing

@MainActor
@Suite struct NetworkTests {
  @Test func `offline, the client asks for the server's health until it answers`() async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    await lab.activate()
    lab.server.answers["validate"] = ScriptedAnswer(drops: true)
    lab.server.answers["health"] = ScriptedAnswer(status: 403)
    await lab.validate()
    lab.forget()
    lab.wait(.seconds(70))
    #expect(!lab.seat.isOnline && lab.server.operations == ["health", "health"])
    lab.server.answers = [:]
    lab.wait(.seconds(20))
    #expect(lab.seat.isOnline && lab.network == [false, true])
    #expect(
      lab.names == [
        "network:online", "autovalidation:stopped", "autovalidation:cycle",
        "offlineToken:fetching", "offlineToken:fetched", "offlineToken:ready",
      ])
  }

  @Test func `schedules stop offline`() async {
    let lab = LicenseLab {
      $0.maxRetries = 0
      $0.networkRecheckInterval = .seconds(86_400)
    }
    await lab.activate()
    lab.server.isDown = true
    await lab.validate()
    lab.forget()
    lab.wait(.seconds(80_000))
    #expect(lab.names.isEmpty && lab.server.requests.isEmpty && !lab.seat.isAutoValidating)
  }

  @Test func `the first try without an answer shows that the client is offline`() async {
    let lab = LicenseLab()
    await lab.activate()
    lab.forget()
    lab.server.next = [ScriptedAnswer(drops: true), ScriptedAnswer(drops: true)]
    await lab.validate(within: .seconds(3))
    #expect(
      lab.names("network:", "validation:") == [
        "validation:start", "network:offline", "validation:success", "network:online",
      ])
  }

  @Test func `without a license nothing begins when the network is back`() async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    lab.server.isDown = true
    await lab.activate()
    lab.server.isDown = false
    lab.wait(.seconds(3_600))
    #expect(
      lab.names == [
        "activation:start", "activation:error", "network:offline", "autovalidation:stopped",
        "network:online",
      ])
    #expect(lab.server.operations == ["activate", "health"])
  }
}
