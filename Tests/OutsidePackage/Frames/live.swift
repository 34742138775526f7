import LiveCommunication
import SwiftUI

let sse = ServerSentEventManager(url: "https://example.com/events")
let ws = WebSocket(url: "ws://127.0.0.1:8080/example")
let sut = ws
do {
  // BLOCK
}
