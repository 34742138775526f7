import Licensing
import Publishers
import Testing
import Values

@MainActor
@Suite struct LicensePublisherTests {
  @Test func `a status is published once, and not before something happens`() async {
    let lab = LicenseLab()
    #expect(lab.statuses.isEmpty)
    await lab.activate()
    await lab.validate()
    #expect(lab.statuses.map(\.kind) == ["active"])
  }

  @Test func `the stream of statuses begins with the present one`() async {
    let lab = LicenseLab()
    var statuses = lab.seat.statusStream.makeAsyncIterator()
    var online = lab.seat.networkStatusStream.makeAsyncIterator()
    var premium = lab.seat.entitlementStream(for: "premium-features").makeAsyncIterator()
    var events = lab.seat.eventStream.makeAsyncIterator()
    #expect(await statuses.next()?.kind == "inactive")
    #expect(await online.next() == true)
    #expect(await premium.next()?.active == false)
    await lab.activate()
    #expect(await statuses.next()?.kind == "active")
    #expect(await premium.next()?.active == true)
    #expect(await events.next()?.kind == .activationStart)
  }

  @Test func `events are found by name and by kind`() async {
    let lab = LicenseLab()
    var found: [String] = []
    let tokens = [
      lab.seat.eventPublisher(for: "activation:success").sink { found.append("name \($0.name)") },
      lab.seat.eventPublisher(for: .activationSuccess).sink { found.append("kind \($0.name)") },
    ]
    await lab.activate()
    #expect(found == ["name activation:success", "kind activation:success"])
    for token in tokens { token.cancel() }
    await lab.activate()
    #expect(found.count == 2)
  }

  @Test func `all 36 events have their names`() {
    #expect(LicenseEvent.Kind.allCases.count == 36)
    #expect(LicenseEvent.Kind(rawValue: "machineFile:verificationFailed") != nil)
  }

  @Test func `an entitlement is published when it may have changed`() async {
    let lab = LicenseLab()
    var found: [Bool] = []
    let token = lab.seat.entitlementPublisher(for: "premium-features").map(\.active)
      .removeDuplicates().sink { found.append($0) }
    await lab.activate()
    await lab.validate()
    _ = await lab.result { try await $0.deactivate() }
    await lab.activate()
    lab.seat.reset()
    #expect(found == [true, false, true, false])
    token.cancel()
  }

  @Test(arguments: [
    ("lasting", true, nil), ("tomorrow", true, nil), ("now", true, nil),
    ("yesterday", false, EntitlementStatus.Reason.expired), ("other", false, .notFound),
    ("unreadable", false, .notFound),
  ])
  func `an entitlement is active, expired or unknown`(
    _ key: String, _ active: Bool, _ reason: EntitlementStatus.Reason?
  ) async {
    let lab = LicenseLab()
    lab.server.entitlements = [
      ["key": "lasting", "expires_at": .null],
      ["key": "tomorrow", "expires_at": "2000-01-02T00:00:00Z"],
      ["key": "now", "expires_at": "2000-01-01T00:00:00Z"],
      ["key": "yesterday", "expires_at": "1999-12-31T00:00:00Z"],
      ["key": "unreadable", "expires_at": "soon"],
    ]
    #expect(lab.seat.checkEntitlement(key).reason == .noLicense)
    await lab.activate()
    let status = lab.seat.checkEntitlement(key)
    #expect(status.active == active && status.reason == reason)
    if reason == .expired {
      #expect(status.expiresAt == LicenseDate("1999-12-31T00:00:00Z"))
    }
  }

  @Test func `an entitlement that ends by time publishes nothing`() async {
    let lab = LicenseLab {
      $0.autoValidateInterval = .zero
      $0.heartbeatInterval = .zero
    }
    lab.server.entitlements = [["key": "short", "expires_at": "2000-01-01T01:00:00Z"]]
    await lab.activate()
    lab.forget()
    lab.wait(.seconds(7_200))
    #expect(lab.names.isEmpty && lab.seat.checkEntitlement("short").reason == .expired)
  }

  @Test(arguments: [
    ("3.0", "2.9.9", true), ("3.0", "3.0.0", false), ("3.0", "3.0.0-beta", false),
    ("3", "2.99", true), ("3.0.1", "3.0.0+7", true), ("3.0", "10.0", false),
    ("next", "99.0", true), ("3.0", "next", true), ("3.0", "", true), ("1.2.3.4", "9", true),
    (nil, "99.0", true),
  ])
  func `an entitlement covers versions below its limit`(
    _ limit: String?, _ version: String, _ covers: Bool
  ) {
    #expect(Entitlement(key: "updates", belowVersion: limit).covers(version) == covers)
  }

  @Test func `a subscriber may use the client while an event is delivered`() async {
    let lab = LicenseLab()
    let token = lab.seat.eventPublisher(for: .activationSuccess).sink { _ in lab.seat.reset() }
    await lab.activate()
    #expect(lab.names.last == "sdk:reset" && lab.seat.status.kind == "inactive")
    token.cancel()
  }

  @Test func `the client of the program is made once, unless it is forced`() {
    let settings = LicenseConfiguration(
      productSlug: "one", apiKey: "k", baseURL: "https://licenses.example")
    var others = settings
    others.productSlug = "two"
    let environment = LicenseEnvironment(fingerprint: FixedFingerprint("device-0001"))
    LicenseSeat.configure(settings, environment: environment, force: true)
    #expect(
      LicenseSeat.configure(others, environment: environment).configuration.productSlug == "one")
    LicenseSeat.configure(others, environment: environment, force: true)
    #expect(LicenseSeat.shared.configuration.productSlug == "two")
  }

  @Test func `a client that is shut down ends its calls`() async {
    let lab = LicenseLab()
    lab.server.answers["activate"] = ScriptedAnswer(stalls: true)
    let call = Task.immediate { try await lab.seat.activate(licenseKey: "TEST-KEY") }
    lab.seat.shutDown()
    await #expect(throws: CancellationError.self) { try await call.value }
    await #expect(throws: CancellationError.self) { try await lab.seat.deactivate() }
  }
}
