import StateGraph
import Testing

// The code of the page.

final class Cart {
  @GraphStored var prices: [Int] = []
  @GraphComputed var total: Int

  init() { $total = .init { [$prices] _ in $prices.wrappedValue.reduce(0, +) } }
}

func followTotal(of cart: Cart, _ show: @escaping (Int) -> Void) -> AnyCancellable {
  withGraphTracking { cart.$total.onChange { show($0) } }
}

@Suite struct StateGraphArticle {
  @Test func `the total of the page follows its prices`() {
    let cart = Cart()
    var shown: [Int] = []
    let token = followTotal(of: cart) { shown.append($0) }
    cart.prices = [1, 2]
    cart.prices = [2, 1]
    token.cancel()
    cart.prices = []
    #expect(shown == [0, 3])
  }
}
