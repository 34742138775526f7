import StateGraph
import UIKit

final class MyViewModel { @GraphStored var property = 0 }
// BLOCK
