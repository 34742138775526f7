import Testing

@testable import Protocols

private func text(_ message: SSEMessage) -> String? {
  (try? message.encoded().get()).map { String(decoding: $0, as: UTF8.self) }
}

struct `writing event streams` {
  @Test(arguments: [
    (SSEMessage(data: "a"), "data: a\n\n"),
    (SSEMessage(data: ""), "data: \n\n"),
    (SSEMessage(data: " a"), "data:  a\n\n"),
    (SSEMessage(data: "a\nb\r\nc\rd"), "data: a\ndata: b\ndata: c\ndata: d\n\n"),
    (SSEMessage(data: "\n"), "data: \ndata: \n\n"),
    (SSEMessage(id: "", data: "a"), "id: \ndata: a\n\n"),
    (SSEMessage(comment: "still here"), ": still here\n\n"),
    (SSEMessage(comment: "a\nb"), ": a\n: b\n\n"),
    (SSEMessage(retry: 0), "retry: 0\n\n"),
    (
      SSEMessage(comment: "c", id: "1", event: "e", retry: 5, data: "a"),
      ": c\nid: 1\nevent: e\nretry: 5\ndata: a\n\n"
    ),
    (SSEMessage(), "\n"),
  ])
  func `a message becomes its fields and a blank line`(message: SSEMessage, expected: String) {
    #expect(text(message) == expected)
  }

  @Test(arguments: [
    (SSEMessage(id: "a\nb"), SSEProblem.unsendableID), (SSEMessage(id: "a\r"), .unsendableID),
    (SSEMessage(id: "\u{0}"), .unsendableID), (SSEMessage(event: "a\r\nb"), .unsendableEvent),
    (SSEMessage(event: "\u{0}"), .unsendableEvent), (SSEMessage(retry: -1), .unsendableRetry),
  ])
  func `what would break the stream is refused`(message: SSEMessage, problem: SSEProblem) {
    #expect(message.encoded() == .failure(problem))
  }

  @Test(arguments: ["", "a", " a", "a\n", "\n\na", ":a", "é\u{0}🎉", "\u{FEFF}"])
  func `what is written is read back`(data: String) {
    var decoder = SSEDecoder()
    let message = SSEMessage(
      id: data.contains("\n") || data.contains("\u{0}") ? "1" : data,
      event: "e", data: data)
    guard case .success(let bytes) = message.encoded() else {
      Issue.record("nothing was written")
      return
    }
    let event = SSEEvent(id: message.id, event: "e", data: data)
    #expect(decoder.receive(bytes) == [.event(event)])
  }

  @Test func `each problem has an id and a sentence of its own`() {
    #expect(Set(SSEProblem.allCases.map(\.id)).count == SSEProblem.allCases.count)
    #expect(Set(SSEProblem.allCases.map(\.message)).count == SSEProblem.allCases.count)
  }
}
