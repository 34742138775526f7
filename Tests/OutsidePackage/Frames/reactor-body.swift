import Reactors
import SwiftUI

final class NameReactor: AsyncReactor {
  enum Action { case load }
  enum SyncAction { case buttonClick }
  struct State { var name = "" }
  @Published private(set) var state = State()
  func action(_ action: Action) async {}
  func action(_ action: SyncAction) {}
}
struct NameView: View {
  let reactor = NameReactor()
  // BLOCK
}
