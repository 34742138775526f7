// Writes a trace: one line of JSON for each event. Run: swift trace.swift > shop.trace.jsonl
import Foundation

struct Trace {
  private let started = ContinuousClock.now

  init(by program: String) { write(["trace": 1, "by": program]) }

  func emit(_ source: String, _ value: Any) {
    let elapsed = ContinuousClock.now - started
    write(["us": Int(elapsed / .microseconds(1)), "source": source, "value": value])
  }

  private func write(_ line: [String: Any]) {
    let json = try! JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
    FileHandle.standardOutput.write(json + Data("\n".utf8))
  }
}

let trace = Trace(by: "shop 4.2")
trace.emit("cart.total", 20)
trace.emit("cart.total", 45)
trace.emit("checkout.state", "paying")
trace.emit("payments", ["amount": 45, "key": "k-81"])
trace.emit("checkout.state", "failed")
trace.emit("checkout.state", "paying")
trace.emit("payments", ["amount": 45, "key": "k-81"])
trace.emit("checkout.state", "paid")
trace.emit("cart.total", 0)
