import Licensing
import Testing

@MainActor
@Suite struct ValidationTests {
  @Test func `a license that is still valid is active since now`() async {
    let lab = LicenseLab { $0.autoValidateInterval = .zero }
    await lab.activate()
    lab.forget()
    lab.wait(.seconds(60))
    #expect(await lab.validate()?.valid == true)
    #expect(lab.names == ["validation:start", "validation:success"])
    #expect(lab.events[0].licenseKey == "TEST-KEY")
    #expect((lab.events[1].data as? LicenseValidationResult)?.valid == true)
    #expect(lab.seat.status.details?.lastValidated == LicenseLab.start + .seconds(60))
  }

  @Test func `a license that is no longer valid loses its grant and its entitlements`() async {
    let lab = LicenseLab()
    await lab.activate()
    lab.forget()
    lab.server.answers["validate"] = ScriptedAnswer(message: "Seat taken over", valid: false)
    #expect(await lab.validate()?.valid == false)
    #expect(lab.names == ["validation:start", "validation:failed", "autovalidation:stopped"])
    #expect(lab.seat.status == .invalid(message: "Seat taken over"))
    #expect(lab.seat.checkEntitlement("premium-features").reason == .noLicense)
    #expect(lab.seat.currentLicense != nil && !lab.seat.isAutoValidating)
    #expect(String(decoding: lab.storage.load() ?? [], as: UTF8.self).contains("token") == false)
    lab.wait(.seconds(86_400))
    #expect(lab.server.operations == ["validate"])
  }

  @Test(arguments: [
    (ScriptedAnswer(code: "a_code", message: "A message", valid: false), "A message"),
    (ScriptedAnswer(code: "a_code", valid: false), "a_code"),
    (ScriptedAnswer(valid: false), "License invalid"),
  ])
  func `an invalid license is described by message, code or a text of ours`(
    _ answer: ScriptedAnswer, _ text: String
  ) async {
    let lab = LicenseLab()
    await lab.activate()
    lab.server.answers["validate"] = answer
    await lab.validate()
    #expect(lab.seat.status == .invalid(message: text))
  }

  @Test(arguments: [
    (401, "unauthorized"), (403, "forbidden"), (404, "not_found"), (404, "product_not_found"),
    (422, "fingerprint_required"), (429, "rate_limited"),
  ])
  func `an error that is not about the license leaves it active`(
    _ status: Int, _ code: String
  ) async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    await lab.activate()
    lab.forget()
    lab.server.answers["validate"] = ScriptedAnswer(status: status, code: code)
    let error = await lab.error { try await $0.validate() }
    #expect(error?.status == status && error?.code == code)
    #expect(lab.names == ["validation:start", "validation:error"])
    #expect(lab.seat.status.kind == "active" && lab.seat.isOnline && lab.seat.isAutoValidating)
  }

  @Test(arguments: [
    (410, ""), (404, "license_not_found"), (422, "license_invalid"), (422, "invalid_license"),
    (403, "revoked"), (403, "EXPIRED"), (422, "suspended"), (422, "not_active"),
    (422, "device_not_activated"), (404, "activation_not_found"), (403, "license_revoked"),
    (403, "license_expired"), (422, "license_suspended"), (422, "License_Not_Active"),
  ])
  func `a terminal error removes the license`(_ status: Int, _ code: String) async {
    let lab = LicenseLab()
    await lab.activate()
    lab.forget()
    lab.server.answers["validate"] = ScriptedAnswer(status: status, code: code)
    #expect(await lab.error { try await $0.validate() }?.status == status)
    #expect(
      lab.names == [
        "validation:start", "validation:error", "autovalidation:stopped", "license:revoked",
      ])
    let data = lab.events[3].dictionary
    #expect(data?["code"] as? String == (code.isEmpty ? "unknown" : code))
    #expect(data?["status"] as? Int == status)
    #expect(lab.seat.status.kind == "inactive" && lab.seat.currentLicense == nil)
    lab.wait(.seconds(86_400))
    #expect(lab.server.operations == ["validate"])
  }

  @Test(arguments: [
    #"{"error":{"code":"seat_limit","code":"license_suspended"}}"#,
    #"{"error":{"code":"seat_limit","c\u006fde":"license_suspended"}}"#,
    #"{"error":{"code":"x"},"error":{"code":"revoked"}}"#,
    "revoked", "", "[",
  ])
  func `an error with a key twice, or without JSON, removes nothing`(_ body: String) async {
    let lab = LicenseLab()
    await lab.activate()
    lab.server.answers["validate"] = ScriptedAnswer(status: 422, body: body)
    let expected = LicenseError(code: "", status: 422, message: "Request failed")
    #expect(await lab.error { try await $0.validate() } == expected)
    #expect(lab.seat.status.kind == "active")
  }

  @Test(arguments: [
    #"{"valid":true,"valid":false}"#, #"{"valid":"yes"}"#, "[]", "", #"{"valid":true}"#,
  ])
  func `an answer that cannot be understood changes nothing`(_ body: String) async {
    let lab = LicenseLab()
    await lab.activate()
    lab.server.answers["validate"] = ScriptedAnswer(body: body)
    #expect(await lab.error { try await $0.validate() }?.code == "invalid_response")
    #expect(lab.seat.status.kind == "active" && lab.seat.isOnline)
  }

  @Test func `without a license there is nothing to validate`() async {
    let lab = LicenseLab()
    #expect(await lab.error { try await $0.validate() }?.code == "no_active_license")
    #expect(lab.names.isEmpty && lab.server.requests.isEmpty)
  }

  @Test(arguments: [
    ScriptedAnswer(licenseStatus: "suspended"), ScriptedAnswer(key: "OTHER"),
    ScriptedAnswer(slug: "other-app"),
  ])
  func `a valid license that is another one, or is not active, is an error`(
    _ answer: ScriptedAnswer
  ) async {
    let lab = LicenseLab()
    await lab.activate()
    lab.server.answers["validate"] = answer
    #expect(await lab.error { try await $0.validate() }?.code == "response_mismatch")
    #expect(lab.seat.status.kind == "active")
  }

  @Test(arguments: [
    (ScriptedAnswer(status: 410), "validation:error"),
    (ScriptedAnswer(valid: false), "validation:failed"),
    (ScriptedAnswer(), "validation:success"),
  ])
  func `the validation of another key leaves the license as it is`(
    _ answer: ScriptedAnswer, _ end: String
  ) async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    await lab.activate()
    lab.forget()
    lab.server.answers["validate"] = answer
    _ = await lab.result { try await $0.validate(licenseKey: "OTHER-KEY") }
    #expect(lab.names == ["validation:start", end])
    #expect(lab.seat.status.details?.license == "TEST-KEY" && lab.seat.isAutoValidating)
  }

  @Test(arguments: [
    (ScriptedAnswer(after: .seconds(2)), "validation:success"),
    (ScriptedAnswer(valid: false, after: .seconds(2)), "validation:failed"),
    (ScriptedAnswer(status: 503, after: .seconds(2)), "validation:error"),
    (ScriptedAnswer(status: 410, code: "revoked", after: .seconds(2)), "validation:error"),
  ])
  func `a late answer about an activation leaves its replacement as it is`(
    _ answer: ScriptedAnswer, _ end: String
  ) async {
    let lab = LicenseLab { $0.maxRetries = 0 }
    await lab.activate()
    lab.server.next = [answer]
    let late = Task.immediate { try await lab.seat.validate() }
    lab.wait(.milliseconds(500))
    await lab.activate()
    let stored = lab.storage.load()
    lab.forget()
    lab.wait(.seconds(60))
    _ = await late.result
    #expect(lab.names == [end])
    #expect(lab.seat.status.kind == "active" && lab.seat.isAutoValidating)
    #expect(lab.storage.load() == stored)
  }

  @Test func `a validation that is superseded throws and has no end event`() async {
    let lab = LicenseLab { $0.autoValidateInterval = .zero }
    await lab.activate()
    lab.forget()
    lab.server.next = [
      ScriptedAnswer(status: 410, after: .milliseconds(500)),
      ScriptedAnswer(after: .milliseconds(300)),
    ]
    let first = Task.immediate { try await lab.seat.validate() }
    lab.wait(.milliseconds(400))
    #expect(await lab.validate(within: .seconds(1))?.valid == true)
    let error = await #expect(throws: LicenseError.self) { try await first.value }
    #expect(error?.code == "superseded")
    #expect(lab.names == ["validation:start", "validation:start", "validation:success"])
  }
}
