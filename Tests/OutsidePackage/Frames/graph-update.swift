import StateGraph
import UIKit

final class MyViewModel {
  @GraphStored var text = ""
  @GraphStored var isEnabled = true
  @GraphStored var showImage = true
}
final class Part {
  var text = ""
  var isEnabled = true
  var isHidden = true
}
final class Screen {
  let (viewModel, label, button, imageView) = (MyViewModel(), Part(), Part(), Part())
  // BLOCK
}
