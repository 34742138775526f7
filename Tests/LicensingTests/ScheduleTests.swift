import Licensing
import Testing

@MainActor
@Suite struct ScheduleTests {
  @Test func `the interval of validations counts from the end of each`() async {
    let lab = LicenseLab { $0.autoValidateInterval = .milliseconds(300) }
    await lab.activate()
    lab.server.answers["validate"] = ScriptedAnswer(after: .milliseconds(100))
    lab.forget()
    lab.wait(.milliseconds(800))
    let cycle = ["validation:start", "validation:success", "autovalidation:cycle"]
    #expect(lab.names == cycle + cycle)
    #expect(lab.server.requests.map(\.at) == [300_000, 700_000])
    #expect(lab.seat.nextAutoValidationAt == LicenseLab.start + .milliseconds(1_100))
  }

  @Test func `a validation by schedule that fails is reported, and the next one is planned`() async
  {
    let lab = LicenseLab {
      $0.autoValidateInterval = .seconds(60)
      $0.heartbeatInterval = .zero
      $0.maxRetries = 0
      $0.offlineFallback = .never
    }
    await lab.activate()
    lab.server.answers["validate"] = ScriptedAnswer(status: 503)
    lab.forget()
    lab.wait(.seconds(120))
    let cycle = [
      "validation:start", "validation:error", "validation:auto-failed", "autovalidation:cycle",
    ]
    #expect(lab.names == cycle + cycle)
    #expect(lab.events[2].error?.status == 503)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(367 * 86_400)])
  func `an interval out of range is none`(_ interval: Duration) async {
    let lab = LicenseLab {
      $0.autoValidateInterval = interval
      $0.heartbeatInterval = interval
      $0.offlineTokenRefreshInterval = interval
    }
    await lab.activate()
    lab.forget()
    #expect(!lab.seat.isAutoValidating && lab.seat.nextAutoValidationAt == nil)
    lab.wait(.seconds(400 * 86_400))
    #expect(lab.server.requests.isEmpty)
  }

  @Test func `a heartbeat is sent after each interval, and not without a license`() async {
    let lab = LicenseLab { $0.autoValidateInterval = .zero }
    await lab.activate()
    lab.forget()
    lab.wait(.seconds(900))
    #expect(lab.server.operations == ["heartbeat", "heartbeat", "heartbeat"])
    #expect(lab.names == ["heartbeat:success", "heartbeat:success", "heartbeat:success"])
    lab.server.answers["heartbeat"] = ScriptedAnswer(status: 403)
    lab.wait(.seconds(300))
    #expect(lab.names.last == "heartbeat:error" && lab.seat.status.kind == "active")
    lab.server.answers["heartbeat"] = ScriptedAnswer(status: 422, code: "revoked")
    lab.forget()
    lab.wait(.seconds(300))
    #expect(lab.names == ["autovalidation:stopped", "license:revoked", "heartbeat:error"])
    lab.forget()
    lab.wait(.seconds(3_600))
    #expect(lab.server.requests.isEmpty)
  }

  @Test func `a grant is fetched again by schedule`() async {
    let lab = LicenseLab {
      $0.autoValidateInterval = .zero
      $0.heartbeatInterval = .zero
    }
    await lab.activate()
    lab.forget()
    lab.wait(.seconds(6 * 86_400))
    #expect(lab.server.operations == ["offline-token", "offline-token"])
  }

  @Test func `a validation by hand that supersedes a scheduled one keeps the schedule`() async {
    let lab = LicenseLab {
      $0.autoValidateInterval = .seconds(1)
      $0.heartbeatInterval = .zero
    }
    await lab.activate()
    lab.server.next = [ScriptedAnswer(after: .seconds(10))]
    lab.forget()
    lab.wait(.milliseconds(1_500))
    await lab.validate()
    lab.wait(.seconds(1))
    let cycle = ["validation:start", "validation:success", "autovalidation:cycle"]
    #expect(lab.names == ["validation:start"] + cycle + cycle)
  }

  @Test func `schedules are stopped and started by hand`() async {
    let lab = LicenseLab()
    await lab.activate()
    lab.seat.stopAutoValidation()
    lab.forget()
    lab.wait(.seconds(86_400))
    #expect(lab.server.requests.isEmpty && !lab.seat.isAutoValidating)
    lab.seat.startAutoValidation()
    #expect(lab.seat.isAutoValidating)
    #expect(Array(lab.names.prefix(2)) == ["autovalidation:stopped", "autovalidation:cycle"])
  }

  @Test(arguments: [
    (ScriptedAnswer(status: 400), 3, 1), (ScriptedAnswer(status: 403), 3, 1),
    (ScriptedAnswer(status: 501), 3, 1), (ScriptedAnswer(status: 408), 3, 4),
    (ScriptedAnswer(status: 429), 3, 4), (ScriptedAnswer(status: 500), 3, 4),
    (ScriptedAnswer(status: 599), 3, 4), (ScriptedAnswer(drops: true), 3, 4),
    (ScriptedAnswer(status: 500), 1, 2), (ScriptedAnswer(status: 500), 0, 1),
    (ScriptedAnswer(status: 500), -1, 1), (ScriptedAnswer(status: 500), 99, 11),
    (ScriptedAnswer(body: "{}"), 3, 1),
  ])
  func `a request is repeated by what it was answered`(
    _ answer: ScriptedAnswer, _ retries: Int, _ tries: Int
  ) async {
    let lab = LicenseLab {
      $0.maxRetries = retries
      $0.networkRecheckInterval = .seconds(86_400)
    }
    lab.server.answers["activate"] = answer
    _ = await lab.result(within: .seconds(3_600)) { try await $0.activate(licenseKey: "KEY") }
    #expect(lab.server.operations == Array(repeating: "activate", count: tries))
  }

  @Test func `pauses double up to a minute`() async {
    let lab = LicenseLab { $0.retryDelay = .seconds(20) }
    lab.server.answers["activate"] = ScriptedAnswer(status: 503)
    _ = await lab.result(within: .seconds(300)) { try await $0.activate(licenseKey: "KEY") }
    #expect(lab.server.requests.map { $0.at / 1_000_000 } == [0, 20, 60, 120])
  }

  @Test func `a negative delay is refused before any request`() async {
    let lab = LicenseLab { $0.retryDelay = .seconds(-1) }
    let error = await lab.error { try await $0.activate(licenseKey: "KEY") }
    #expect(error?.code == "invalid_retry_configuration" && lab.server.requests.isEmpty)
  }

  @Test func `a request that nobody answers ends after its time`() async {
    let lab = LicenseLab {
      $0.maxRetries = 1
      $0.requestTimeout = .seconds(10)
      $0.networkRecheckInterval = .seconds(86_400)
    }
    lab.server.answers["activate"] = ScriptedAnswer(stalls: true)
    let error = await lab.error(within: .seconds(30)) {
      try await $0.activate(licenseKey: "KEY")
    }
    #expect(error?.code == "timeout" && lab.server.operations == ["activate", "activate"])
    #expect(
      lab.names == [
        "activation:start", "network:offline", "autovalidation:stopped", "activation:error",
      ])
  }
}
