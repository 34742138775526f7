import Licensing
import Testing

// The code of the page.

@MainActor
func mayExport(_ seat: LicenseSeat, key: String) async -> Bool {
  do {
    try await seat.activate(licenseKey: key)
    return seat.checkEntitlement("premium-features").active
  } catch {
    return false
  }
}

@MainActor @Suite struct LicensingArticle {
  @Test func `the license of the page permits what it names`() async {
    let lab = LicenseLab()
    let call = Task.immediate { await mayExport(lab.seat, key: "TEST-KEY") }
    lab.wait(.zero)
    #expect(await call.value)
  }
}
