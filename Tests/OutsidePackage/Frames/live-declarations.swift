import LiveCommunication
import SwiftUI

// BLOCK
