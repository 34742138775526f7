import Reactors
import SwiftUI

struct Toggle: Leaf { init(_ title: String, isOn: ReactorBinding<Bool>) {} }
// BLOCK
