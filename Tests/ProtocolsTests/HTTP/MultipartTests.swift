import Testing

@testable import Protocols

struct `A body of several parts` {
  private static let parts = [
    Multipart.Part(name: "title", body: Array("Write".utf8)),
    Multipart.Part(
      name: "photo", filename: "me.jpg", contentType: "image/jpeg", body: [0, 13, 10, 45, 45, 255]),
    Multipart.Part(name: "empty", body: []),
  ]

  @Test func `is written as forms are`() {
    let body = Multipart.encode([`A body of several parts`.parts[0]], boundary: "line")
    #expect(
      String(decoding: body, as: UTF8.self)
        == "--line\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nWrite\r\n--line--\r\n")
  }

  @Test func `is read back as it was written`() {
    let parts = `A body of several parts`.parts
    let body = Multipart.encode(parts, boundary: "line")
    #expect(Multipart.decode(body, boundary: "line") == parts)
    #expect(Multipart.decode(Multipart.encode([], boundary: "b"), boundary: "b") == [])
  }

  @Test func `cannot be broken open by a name`() {
    let part = Multipart.Part(name: "a\"\r\nX: b", contentType: "text/plain\r\nY: c", body: [65])
    let text = String(decoding: Multipart.encode([part], boundary: "line"), as: UTF8.self)
    #expect(text.contains("name=\"a%22%0D%0AX: b\"\r\n"))
    #expect(text.contains("Content-Type: text/plainY: c\r\n\r\n"))
  }

  @Test(arguments: [
    ("multipart/form-data; boundary=abc", "abc"),
    ("multipart/form-data; boundary=\"a b\"; charset=utf-8", "a b"),
    ("Multipart/Mixed; charset=utf-8; Boundary=x", "x"),
  ])
  func `has its boundary in its type`(type: String, boundary: String) {
    #expect(Multipart.boundary(in: type) == boundary)
  }

  @Test(arguments: ["text/plain; boundary=x", "multipart/form-data", ""])
  func `has no boundary in another type`(type: String) {
    #expect(Multipart.boundary(in: type) == nil)
  }

  @Test func `that is cut anywhere is none, and nothing breaks`() {
    let body = Multipart.encode(`A body of several parts`.parts, boundary: "line")
    for length in 0..<(body.count - 4) {
      #expect(Multipart.decode(Array(body.prefix(length)), boundary: "line") == nil)
    }
  }
}
