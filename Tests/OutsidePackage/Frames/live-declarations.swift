import ConnectionLoops
import LiveConnections
import SwiftUI

// BLOCK
