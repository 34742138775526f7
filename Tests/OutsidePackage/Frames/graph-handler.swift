import Dispatch
import StateGraph

final class MyViewModel { @GraphStored var property = 0 }
final class Screen {
  let viewModel = MyViewModel()
  var subscription: AnyCancellable?
  func updateUI(_ value: Int) {}
  func bind() {
    subscription = withGraphTracking {
      // BLOCK
    }
  }
}
