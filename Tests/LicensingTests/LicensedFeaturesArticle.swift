import Licensing
import Observation
import Testing

// The code of the article.

@MainActor
@Observable
final class LicenseModel {
  private(set) var status: LicenseStatus
  private(set) var features: Set<String> = []
  private let seat: LicenseSeat

  init(seat: LicenseSeat = .shared) {
    self.seat = seat
    status = seat.status
  }

  func follow() async {
    for await status in seat.statusStream {
      self.status = status
      switch status {
      case .active(let details), .offlineValid(let details):
        features = Set(details.entitlements.map(\.key))
      case .inactive, .pending, .invalid, .offlineInvalid:
        features = []
      }
    }
  }

  private(set) var message: String?

  func activate(_ key: String) async {
    do {
      try await seat.activate(licenseKey: key)
      message = nil
    } catch let error as LicenseError where error.code == "seat_limit_exceeded" {
      message = "This license is in use on all of its devices."
    } catch {
      message = "\(error)"
    }
  }
}

@MainActor
func configureLicensing(folder: String) {
  LicenseSeat.configure(
    LicenseConfiguration(
      productSlug: "my-app", apiKey: "pk_live", baseURL: "https://licenses.example/api/v1"),
    environment: LicenseEnvironment(storage: FileLicenseStorage(path: "\(folder)/license")))
}

@MainActor
@Suite struct LicensedFeaturesArticleTests {
  @Test func `the model of the article follows the license`() async {
    let lab = LicenseLab()
    let model = LicenseModel(seat: lab.seat)
    let following = Task.immediate { await model.follow() }
    await lab.activate()
    while model.features.isEmpty { await Task.yield() }
    #expect(model.features == ["premium-features"] && model.status.kind == "active")
    following.cancel()
  }

  @Test func `the model of the article explains a refusal`() async {
    let lab = LicenseLab()
    lab.server.answers["activate"] = ScriptedAnswer(status: 422, code: "seat_limit_exceeded")
    let model = LicenseModel(seat: lab.seat)
    let call = Task.immediate { await model.activate("TEST-KEY") }
    lab.wait(.zero)
    await call.value
    #expect(model.message == "This license is in use on all of its devices.")
  }
}
