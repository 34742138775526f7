import Lists
import SwiftUI

extension ListModel: Listed where Failure == any Error {}
protocol Listed {
  associatedtype Item
  // BLOCK
}
