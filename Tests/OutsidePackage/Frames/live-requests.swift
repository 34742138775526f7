import LiveCommunication

let address = "ws://127.0.0.1:8080/example"
let request = WebSocketRequest(url: address)
// BLOCK
