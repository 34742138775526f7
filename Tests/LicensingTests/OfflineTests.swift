import Licensing
import Testing
import Values

@MainActor
@Suite struct OfflineTests {
  /// A client with a license that is offline and asks for nothing by itself.
  private func offline(
    _ adjust: (inout LicenseConfiguration) -> Void = { _ in },
    prepare: (LicenseLab) -> Void = { _ in }
  ) async -> LicenseLab {
    let lab = LicenseLab {
      $0.maxRetries = 0
      $0.autoValidateInterval = .zero
      $0.heartbeatInterval = .zero
      $0.networkRecheckInterval = .seconds(86_400)
      adjust(&$0)
    }
    prepare(lab)
    await lab.activate()
    lab.forget()
    lab.server.isDown = true
    return lab
  }

  @Test func `a signed grant confirms the license offline, and is reported once`() async {
    let lab = await offline()
    let result = await lab.validate()
    #expect(result?.valid == true && result?.offline == true)
    #expect(
      lab.names == [
        "validation:start", "validation:error", "offlineToken:verified",
        "validation:offline-success", "network:offline", "autovalidation:stopped",
      ])
    #expect(lab.events[2].dictionary?["kid"] as? String == "key-1")
    #expect(lab.seat.status.kind == "offlineValid" && lab.network == [false])
    lab.forget()
    #expect(await lab.validate()?.valid == true)
    #expect(lab.names == ["validation:start", "validation:error", "offlineToken:verified"])
  }

  @Test func `without a grant the original error is thrown`() async {
    let lab = await offline(prepare: { $0.server.answers["offline-token"] = .init(status: 403) })
    #expect(await lab.error { try await $0.validate() }?.code == "network_error")
    #expect(
      lab.names == [
        "validation:start", "validation:error", "validation:offline-failed", "network:offline",
        "autovalidation:stopped",
      ])
    #expect(lab.seat.status == .offlineInvalid(message: "Offline validation: no_offline_token"))
    #expect(lab.seat.checkEntitlement("premium-features").reason == .noLicense)
    lab.forget()
    await lab.validate()
    #expect(lab.names == ["validation:start", "validation:error", "validation:offline-failed"])
  }

  @Test(arguments: [
    (503, true), (500, true), (408, true), (501, true), (401, false), (403, false), (429, false),
  ])
  func `a grant decides only if the server did not`(_ status: Int, _ decides: Bool) async {
    let lab = await offline()
    lab.server.isDown = false
    lab.server.answers["validate"] = ScriptedAnswer(status: status)
    await lab.validate()
    #expect(lab.seat.status.kind == (decides ? "offlineValid" : "active"))
  }

  @Test(arguments: [
    (LicenseConfiguration.OfflineFallback.always, 403, "offlineValid"), (.never, 503, "active"),
    (.always, 410, "inactive"),
  ])
  func `the mode of the fallback decides`(
    _ mode: LicenseConfiguration.OfflineFallback, _ status: Int, _ expected: String
  ) async {
    let lab = await offline { $0.offlineFallback = mode }
    lab.server.isDown = false
    lab.server.answers["validate"] = ScriptedAnswer(status: status)
    await lab.validate()
    #expect(lab.seat.status.kind == expected)
  }

  private func offlineCode(_ lab: LicenseLab) async -> String? {
    await lab.validate()
    return lab.seat.status.message.map { String($0.dropFirst("Offline validation: ".count)) }
  }

  nonisolated static let day = 86_400

  @Test(arguments: [
    (0, 7, nil), (7 * day, 7, nil), (7 * day + 1, 7, "grace_period_expired"),
    (8 * day, 0, nil), (30 * day - 1, 0, nil), (30 * day, 0, "token_expired"),
    (0, -1, "invalid_configuration"), (0, 36_601, "invalid_configuration"),
  ])
  func `a grant holds for its time`(_ seconds: Int, _ days: Int, _ code: String?) async {
    let lab = await offline {
      $0.maxOfflineDays = days
      $0.offlineTokenRefreshInterval = .seconds(300 * 86_400)
    }
    lab.wait(.seconds(seconds))
    #expect(await offlineCode(lab) == code)
  }

  @Test(arguments: [
    ("iat", Value.int(946_684_800 + 299), nil), ("nbf", .int(946_684_801), "token_not_yet_valid"),
    ("iat", .int(946_684_800 + 301), "clock_tamper"),
    ("product_slug", "other-app", "product_mismatch"),
    ("license_key", "OTHER", "license_mismatch"),
    ("fingerprint", "OTHER-DEVICE", "fingerprint_mismatch"),
    ("license_expires_at", .int(946_684_800), "license_expired"),
    ("license_expires_at", .int(946_684_801), nil),
  ])
  func `a grant is about this license, this device and now`(
    _ claim: String, _ value: Value, _ code: String?
  ) async {
    let lab = await offline(prepare: { lab in
      lab.server.changeToken = { token in
        guard case .map(var map) = token else { return token }
        map[claim] = value
        return .map(map)
      }
    })
    #expect(await offlineCode(lab) == code)
  }

  @Test(arguments: [
    ("schema_version", Value.int(2), "unsupported_schema"),
    ("fingerprint", "", "fingerprint_missing"), ("exp", .int(1), "invalid_time_window"),
    ("iat", "soon", "invalid_token_claims"), ("kid", "key-2", "signature_metadata_mismatch"),
    ("license_expires_at", "soon", "invalid_token_claims"),
  ])
  func `a grant that cannot be believed is not stored`(
    _ claim: String, _ value: Value, _ code: String
  ) async {
    let lab = LicenseLab()
    lab.server.changeToken = { token in
      guard case .map(var map) = token else { return token }
      map[claim] = value
      return .map(map)
    }
    await lab.activate()
    #expect(lab.events.last?.name == "offlineToken:fetchError")
    #expect(lab.events.last?.error?.code == code)
  }

  @Test func `a grant signed by another key is refused, after one look for a newer key`() async {
    let lab = await offline(prepare: { $0.server.signer = .first })
    lab.server.isDown = false
    lab.server.signer = .second
    lab.server.answers["key-1"] = ScriptedAnswer(body: Signer.first.keyAnswer("key-1").json())
    let error = await lab.error { try await $0.syncOfflineToken() }
    #expect(error?.code == "signature_invalid")
    #expect(
      lab.names == [
        "offlineToken:fetching", "offlineToken:fetched", "offlineToken:verificationFailed",
      ])
    #expect(lab.server.operations == ["offline-token", "key-1"])
    lab.server.answers = [:]
    #expect(await lab.error { try await $0.syncOfflineToken() } == nil)
    #expect(lab.names.last == "offlineToken:ready")
  }

  @Test func `a key of the settings is believed, and no other`() async {
    let pinned = LicenseLab {
      $0.signingKeys = ["key-1": Base64.encode(bytes(Signer.first.publicKey))]
    }
    await pinned.activate()
    #expect(pinned.names.last == "offlineToken:ready")
    #expect(pinned.server.operations == ["activate", "offline-token"])
    pinned.server.signer = .second
    #expect(await pinned.error { try await $0.syncOfflineToken() }?.code == "signature_invalid")
    #expect(!pinned.server.operations.contains("key-1"))
  }

  @Test func `a clock that was put back beyond the skew is noticed`() async {
    let lab = await offline()
    lab.wait(.seconds(86_400))
    #expect(await offlineCode(lab) == nil)
    lab.clock.error = .seconds(-299)
    #expect(await offlineCode(lab) == nil)
    lab.clock.error = .seconds(-301)
    #expect(await offlineCode(lab) == "clock_tamper")
  }

  @Test func `an answer of the server puts the latest known time back`() async {
    let lab = await offline()
    lab.server.isDown = false
    lab.clock.error = .seconds(7_200)
    await lab.validate()
    lab.clock.error = .zero
    await lab.validate()
    lab.server.isDown = true
    #expect(await lab.validate()?.offline == true)
  }

  @Test func `a reset keeps the latest known time`() async {
    let lab = await offline()
    lab.clock.error = .seconds(7_200)
    lab.server.isDown = false
    await lab.validate()
    lab.seat.reset()
    #expect(String(decoding: lab.storage.load() ?? [], as: UTF8.self).contains("946692000"))
  }

  @Test func `entitlements that have ended are not part of a grant`() async {
    let lab = await offline(prepare: {
      $0.server.entitlements = [
        ["key": "short", "expires_at": "2000-01-01T01:00:00Z"], ["key": "long"],
      ]
    })
    lab.wait(.seconds(7_200))
    #expect(await lab.validate()?.license?.entitlements.map(\.key) == ["long"])
  }

  @Test func `a machine file confirms the license beyond its end, for its grace`() async {
    let lab = await offline { $0.offlineTokenRefreshInterval = .seconds(300 * 86_400) }
    lab.server.isDown = false
    #expect(await lab.error { try await $0.syncMachineFile() } == nil)
    #expect(lab.names == ["machineFile:fetching", "machineFile:fetched", "machineFile:ready"])
    #expect(lab.events[2].dictionary?["kid"] as? String == "key-1")
    lab.server.isDown = true
    lab.forget()
    lab.wait(.seconds(31 * 86_400 - 1))
    #expect(await lab.validate()?.offline == true)
    #expect(lab.names("machineFile:") == ["machineFile:verified"])
    lab.wait(.seconds(1))
    #expect(await offlineCode(lab) == "token_expired")
    let failure = lab.events.last { $0.name == "machineFile:verificationFailed" }
    #expect(failure?.dictionary?["code"] as? String == "token_expired")
  }
}
