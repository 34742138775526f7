import Reactors
import SwiftUI

final class RepositorySearchReactor: AsyncReactor {
  enum Action { case load }
  struct State { var name = "" }
  @Published private(set) var state = State()
  func action(_ action: Action) async {}
}
// BLOCK
