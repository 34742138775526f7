import DataProviders
import SwiftUI

typealias DynamicListViewModel<Item: Equatable> = ListModel<Item, any Error>
extension ListModel: Listed where Failure == any Error {}
protocol Listed {
  associatedtype Item
  // BLOCK
}
