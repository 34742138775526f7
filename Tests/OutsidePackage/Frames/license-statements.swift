import Licensing
import SwiftUI

let licenseSeat = LicenseSeat()
var cancellables = Set<AnyCancellable>()
final class PremiumButton { var isEnabled = false }
let premiumButton = PremiumButton()
func enableFullFeatures() {}
func showActivationScreen() {}
func showErrorScreen() {}
func updateConnectionIndicator(online: Bool) {}
func logValidationEvent(_ event: LicenseEvent) {}
func showSuccessMessage() {}
// BLOCK
