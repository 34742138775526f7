import Licensing
import SwiftUI

class LicenseViewModel: ObservableObject {
  @Published var status: LicenseStatus = .inactive(message: "")
  @Published var isOnline = true
  @Published var isValidating = false
  func hasEntitlement(_ key: String) -> Bool { false }
}
struct PremiumFeaturesView: View { var body: some View { Spacer() } }
struct UpgradePromptView: View { var body: some View { Spacer() } }
struct AnalyticsView: View { var body: some View { Spacer() } }
func showUpgrade() {}
// BLOCK
