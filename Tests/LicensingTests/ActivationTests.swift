import Licensing
import Testing

@MainActor
@Suite struct ActivationTests {
  @Test func `an activation makes the license active without a validation`() async {
    let lab = LicenseLab()
    #expect(lab.seat.status == .inactive(message: "No license activated"))
    #expect(await lab.activate())
    let details = lab.seat.status.details
    #expect(details?.license == "TEST-KEY" && details?.device == "device-0001")
    #expect(details?.activatedAt == LicenseLab.start && details?.lastValidated == LicenseLab.start)
    #expect(details?.entitlements.map(\.key) == ["premium-features"])
    #expect(lab.server.operations == ["activate", "offline-token", "key-1"])
    #expect(lab.statuses.map(\.kind) == ["active"])
  }

  @Test func `an activation reports its events in their order`() async {
    let lab = LicenseLab()
    await lab.activate()
    #expect(
      lab.names == [
        "activation:start", "autovalidation:stopped", "autovalidation:stopped",
        "activation:success", "autovalidation:cycle", "offlineToken:fetching",
        "offlineToken:fetched", "offlineToken:ready",
      ])
    #expect(lab.events[0].licenseKey == "TEST-KEY")
    #expect(lab.events[0].dictionary?["deviceId"] as? String == "device-0001")
    #expect(lab.events[3].license?.key == "TEST-KEY")
    let next = lab.events[4].dictionary?["nextRunAt"] as? LicenseDate
    #expect(next == LicenseLab.start + .seconds(3600) && next == lab.seat.nextAutoValidationAt)
  }

  nonisolated static let refusals: [(ScriptedAnswer, LicenseError)] = [
    (
      ScriptedAnswer(status: 422, code: "seat_limit_exceeded", message: "All seats are taken"),
      LicenseError(code: "seat_limit_exceeded", status: 422, message: "All seats are taken")
    ),
    (ScriptedAnswer(status: 500), LicenseError(code: "", status: 500, message: "Request failed")),
    (
      ScriptedAnswer(drops: true),
      LicenseError(code: "network_error", message: "the connection was lost")
    ),
    (ScriptedAnswer(key: "OTHER"), mismatch("license key")),
    (ScriptedAnswer(device: "OTHER-DEVICE"), mismatch("device")),
    (ScriptedAnswer(slug: "other-app"), mismatch("product")),
    (ScriptedAnswer(licenseStatus: "suspended"), mismatch("state of the license")),
  ]

  nonisolated static func mismatch(_ what: String) -> LicenseError {
    LicenseError(
      code: "response_mismatch", status: 200, message: "The answer is about another \(what).")
  }

  @Test(arguments: refusals)
  func `a refused activation changes nothing`(
    _ answer: ScriptedAnswer, _ expected: LicenseError
  ) async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    lab.server.answers["activate"] = answer
    #expect(await lab.error { try await $0.activate(licenseKey: "TEST-KEY") } == expected)
    #expect(lab.names("activation:") == ["activation:start", "activation:error"])
    #expect(lab.events[1].error == expected && lab.events[1].licenseKey == "TEST-KEY")
    #expect(lab.seat.status.kind == "inactive" && lab.storage.load() == nil)
  }

  @Test(arguments: [
    ("", "device-0001", "my-app", "invalid_license_key"),
    (" TEST-KEY", "device-0001", "my-app", "invalid_license_key"),
    ("TEST-KEY\n", "device-0001", "my-app", "invalid_license_key"),
    ("TEST\tKEY", "device-0001", "my-app", "invalid_license_key"),
    (String(repeating: "K", count: 513), "device-0001", "my-app", "invalid_license_key"),
    ("TEST-KEY", "five5", "my-app", "invalid_fingerprint"),
    ("TEST-KEY", "device-0001", "", "missing_product"),
  ])
  func `invalid input is reported without an event and without a request`(
    _ key: String, _ device: String, _ product: String, _ code: String
  ) async {
    let lab = LicenseLab(device: device, product: product)
    #expect(await lab.error { try await $0.activate(licenseKey: key) }?.code == code)
    #expect(lab.names.isEmpty && lab.server.requests.isEmpty)
  }

  @Test func `a key of 512 bytes and a fingerprint of 8 are accepted`() async {
    let lab = LicenseLab(device: "device-8")
    #expect(await lab.activate(String(repeating: "K", count: 512)))
  }

  @Test(arguments: [
    ("http://licenses.example", false), ("ftp://licenses.example", false), ("", false),
    ("https://user:word@licenses.example", false), ("http://localhost:8080/api", true),
    ("http://127.0.0.1", true), ("http://[::1]:1", true),
  ])
  func `a license key is sent without TLS to this machine alone`(
    _ url: String, _ isAccepted: Bool
  ) async {
    let lab = LicenseLab {
      $0.baseURL = url
      $0.maxRetries = 0
    }
    let error = await lab.error { try await $0.activate(licenseKey: "TEST-KEY") }
    #expect((error?.code == "invalid_base_url") == !isAccepted)
    #expect(lab.server.requests.isEmpty == !isAccepted)
  }

  @Test func `the newest activation counts, and the one before throws`() async {
    let lab = LicenseLab()
    lab.server.next = [
      ScriptedAnswer(after: .milliseconds(300)), ScriptedAnswer(after: .milliseconds(100)),
    ]
    let first = Task.immediate { try await lab.seat.activate(licenseKey: "FIRST") }
    lab.wait(.milliseconds(50))
    let second = await lab.result(within: .seconds(1)) {
      try await $0.activate(licenseKey: "SECOND")
    }
    #expect((try? second.get())?.key == "SECOND")
    let error = await #expect(throws: LicenseError.self) { try await first.value }
    #expect(error?.code == "activation_failed" && error?.message.contains("superseded") == true)
    #expect(
      lab.names("activation:") == [
        "activation:start", "activation:start", "activation:error", "activation:success",
      ])
    #expect(lab.seat.currentLicense?.key == "SECOND")
  }

  @Test func `an activation that fails leaves the license that was there`() async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    await lab.activate("FIRST")
    lab.server.answers["activate"] = ScriptedAnswer(status: 422, code: "seat_limit_exceeded")
    #expect(await !lab.activate("SECOND"))
    #expect(lab.seat.status.details?.license == "FIRST" && lab.statuses.count == 1)
  }

  @Test func `a caller that is cancelled ends its request, and does not mean offline`() async {
    let lab = LicenseLab()
    lab.server.answers["activate"] = ScriptedAnswer(after: .seconds(5))
    let task = Task.immediate { try await lab.seat.activate(licenseKey: "TEST-KEY") }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    lab.wait(.seconds(60))
    #expect(lab.server.operations == ["activate"] && lab.seat.isOnline)
    #expect(lab.names == ["activation:start", "activation:error"])
  }

  @Test func `a device without an id cannot activate`() async {
    let seat = LicenseSeat(
      LicenseConfiguration(productSlug: "p", apiKey: "k", baseURL: "https://licenses.example"),
      environment: LicenseEnvironment(fingerprint: MachineFingerprint(paths: ["/nonexistent"])))
    var names: [String] = []
    let token = seat.eventPublisher.sink { names.append($0.name) }
    await #expect(throws: LicenseError.self) { try await seat.activate(licenseKey: "TEST-KEY") }
    #expect(names == ["activation:error"])
    token.cancel()
  }
}
