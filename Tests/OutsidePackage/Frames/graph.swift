import StateGraph
import UIKit

class HomeViewController: UIViewController { init(coordinator: AppCoordinator) { super.init() } }
class ProfileViewController: UIViewController { init(coordinator: AppCoordinator) { super.init() } }
class SettingsViewController: UIViewController {
  init(coordinator: AppCoordinator) { super.init() }
}
// BLOCK
