import Licensing
import SwiftUI

// BLOCK
