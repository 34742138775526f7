import Testing

@testable import Protocols

/// Bytes of an event stream, and the items in them.
struct SSEVector: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var bytes: [UInt8]
  var items: [SSEItem]
  /// The last event id afterwards.
  var lastEventID: String

  init(_ what: String, _ bytes: [UInt8], _ items: [SSEItem], lastEventID: String = "") {
    testDescription = what
    self.bytes = bytes
    self.items = items
    self.lastEventID = lastEventID
  }

  init(_ what: String, _ text: String, _ items: [SSEItem], lastEventID: String = "") {
    self.init(what, Array(text.utf8), items, lastEventID: lastEventID)
  }
}

private func event(
  _ data: String, id: String? = nil, last: String = "", as event: String = "message",
  retry: Int? = nil
) -> SSEItem {
  .event(SSEEvent(id: id, lastEventID: last, event: event, data: data, retry: retry))
}

let sseVectors: [SSEVector] = lineVectors + fieldVectors + idVectors + byteVectors

private let lineVectors: [SSEVector] = [
  SSEVector("nothing", "", []),
  SSEVector("LF", "data: a\n\n", [event("a")]),
  SSEVector("CR LF", "data: a\r\n\r\n", [event("a")]),
  SSEVector("CR alone", "data: a\r\rdata: b\r\r", [event("a"), event("b")]),
  SSEVector("CR behind LF is a blank line", "data: a\n\rdata: b\n\n", [event("a"), event("b")]),
  SSEVector(
    "all line ends in one event", "data: a\ndata: b\r\ndata: c\rdata: d\n\r\n",
    [event("a\nb\nc\nd")]),
  SSEVector("CR LF and LF are two line ends", "data: a\r\n\ndata: b\r\n", [event("a")]),
  SSEVector("blank lines without end", "\n\r\n\r\n\n\rdata: a\n\n\n\n", [event("a")]),
  SSEVector(
    "other line breaks of Unicode are characters", "data: a\u{B}b\u{C}c\u{85}d\u{2028}e\n\n",
    [event("a\u{B}b\u{C}c\u{85}d\u{2028}e")]),
  SSEVector("the end without a blank line", "data: a\n\ndata: b\n", [event("a")]),
  SSEVector("the end in a line", "data: a\n\ndata: b", [event("a")]),
  SSEVector("the end in a line end", "data: a\r\n\r", [event("a")]),
  SSEVector("a blank line at the end only", "data: a\n", []),
]

private let fieldVectors: [SSEVector] = [
  SSEVector("three lines, one empty", "data: a\ndata:\ndata: c\n\n", [event("a\n\nc")]),
  SSEVector("no colon", "data\n\ndata\ndata\n\n", [event(""), event("\n")]),
  SSEVector("no space", "data:a\n\n", [event("a")]),
  SSEVector("one space of two", "data:  a \n\n", [event(" a ")]),
  SSEVector("a tab is no space", "data:\ta\n\n", [event("\ta")]),
  SSEVector("only a space", "data: \n\n", [event("")]),
  SSEVector("colons in a value", "data: a: b::\n\n", [event("a: b::")]),
  SSEVector("a colon first in the value", "data::a\n\n", [event(":a")]),
  SSEVector(
    "unknown fields", "Data: a\ndata : b\ndat: c\ndatas: d\n data: e\nfoo\ndata: x\n\n",
    [event("x")]),
  SSEVector("only unknown fields", "foo: a\n\nDATA: b\n\n", []),
  SSEVector("a type", "event: tick\ndata: a\n\n", [event("a", as: "tick")]),
  SSEVector("the last type", "event: a\nevent: b\ndata: x\n\n", [event("x", as: "b")]),
  SSEVector("an empty type", "event: a\nevent:\ndata: x\n\n", [event("x")]),
  SSEVector("a type without a colon", "event: a\nevent\ndata: x\n\n", [event("x")]),
  SSEVector(
    "a type is forgotten at a blank line", "event: a\n\ndata: x\n\n", [event("x")]),
  SSEVector(
    "a type is forgotten behind its event", "event: a\ndata: x\n\ndata: y\n\n",
    [event("x", as: "a"), event("y")]),
  SSEVector("a type and no data", "event: a\ndata\n\n", [event("", as: "a")]),
  SSEVector(
    "comments", ": a\n:b\n:\n:  c\ndata: x\n: d\ndata: y\n\n:e",
    [.comment("a"), .comment("b"), .comment(""), .comment(" c"), .comment("d"), event("x\ny")]),
  SSEVector(
    "a new time to wait", "retry: 300\ndata: x\n\n",
    [.retry(milliseconds: 300), event("x", retry: 300)]),
  SSEVector(
    "a time without data", "retry: 300\n\ndata: x\n\n", [.retry(milliseconds: 300), event("x")]),
  SSEVector("a time at once", "retry:300\n", [.retry(milliseconds: 300)]),
  SSEVector("a time that is not complete", "retry: 300", []),
  SSEVector(
    "times in several shapes", "retry: 02000\nretry: 0\r\nretry:1\r",
    [.retry(milliseconds: 2000), .retry(milliseconds: 0), .retry(milliseconds: 1)]),
  SSEVector(
    "times that are none",
    "retry: 2000x\nretry: 10.5\nretry: -5\nretry: +5\nretry: 5 \nretry:  5\nretry:\nretry\n"
      + "retry: \u{0665}\nretry: 1e3\ndata: x\n\n", [event("x")]),
  SSEVector(
    "a time longer than any", "retry: 99999999999999999999999\n",
    [.retry(milliseconds: SSELimits.retryMilliseconds)]),
  SSEVector(
    "all fields in disorder", "data: x\nretry: 5\nid: 1\nevent: e\n\n",
    [.retry(milliseconds: 5), event("x", id: "1", as: "e", retry: 5)], lastEventID: "1"),
]

private let idVectors: [SSEVector] = [
  SSEVector("an id", "id: 7\ndata: x\n\n", [event("x", id: "7")], lastEventID: "7"),
  SSEVector(
    "an id stays", "id: 7\ndata: x\n\ndata: y\n\n", [event("x", id: "7"), event("y", last: "7")],
    lastEventID: "7"),
  SSEVector(
    "an id without data", "id: 7\n\ndata: x\n\n", [event("x", last: "7")], lastEventID: "7"),
  SSEVector("an id before its blank line", "id: 7\ndata: x\n", []),
  SSEVector(
    "an empty id takes it back", "id: 7\ndata: x\n\nid\ndata: y\n\nid: 8\n\nid:\n\n",
    [event("x", id: "7"), event("y", id: "")]),
  SSEVector("the last id", "id: 7\nid: 8\ndata: x\n\n", [event("x", id: "8")], lastEventID: "8"),
  SSEVector(
    "an id with NUL is none", "id: 7\n\nid: a\u{0}b\ndata: x\n\n", [event("x", last: "7")],
    lastEventID: "7"),
  SSEVector(
    "an id with NUL takes nothing back", "id: 7\nid: \u{0}\ndata: x\n\n", [event("x", id: "7")],
    lastEventID: "7"),
  SSEVector(
    "an id with spaces", "id:   7 \ndata: x\n\n", [event("x", id: "  7 ")], lastEventID: "  7 "),
  SSEVector(
    "the id of an event that never ends", "id: 1\ndata: a\n\nid: 2\ndata: b\n",
    [event("a", id: "1")], lastEventID: "1"),
]

private let byteVectors: [SSEVector] = [
  SSEVector("a mark", "\u{FEFF}data: a\n\n", [event("a")]),
  SSEVector("a mark and a blank line", "\u{FEFF}\ndata: a\n\n", [event("a")]),
  SSEVector("only a mark", "\u{FEFF}", []),
  SSEVector("a second mark spoils its line", "\u{FEFF}\u{FEFF}data: a\ndata: b\n\n", [event("b")]),
  SSEVector("a mark in a later line", "data: a\n\n\u{FEFF}data: b\n\n", [event("a")]),
  SSEVector("a mark in data", "data: \u{FEFF}a\n\n", [event("\u{FEFF}a")]),
  SSEVector("half a mark", [0xEF, 0xBB] + Array("data: a\ndata: b\n\n".utf8), [event("b")]),
  SSEVector(
    "a mark of another coding", [0xFF, 0xFE] + Array("data: a\n\ndata: b\n\n".utf8), [event("b")]),
  SSEVector("NUL in data", "data: a\u{0}b\nda\u{0}ta: c\n\n", [event("a\u{0}b")]),
  SSEVector("characters of all lengths", "data: aé€🎉\n\n", [event("aé€🎉")]),
  SSEVector("combining marks behind the space", "data: \u{301}a\n\n", [event("\u{301}a")]),
  SSEVector("combining marks behind the colon", "data:\u{301}a\n\n", [event("\u{301}a")]),
  SSEVector(
    "a byte that is no UTF-8", Array("data: a".utf8) + [0xFF] + Array("b\n\n".utf8),
    [event("a\u{FFFD}b")]),
  SSEVector(
    "a character that is cut off",
    Array("data: ".utf8) + [0xE2, 0x82] + Array("\ndata: b\n\n".utf8),
    [event("\u{FFFD}\nb")]),
  SSEVector(
    "a character that is too long", Array("data: ".utf8) + [0xF0, 0x80, 0x80, 0xC0, 0x0A, 0x0A],
    [event("\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")]),
  SSEVector(
    "half a pair", Array("data: ".utf8) + [0xED, 0xA0, 0x80, 0x0A, 0x0A],
    [event("\u{FFFD}\u{FFFD}\u{FFFD}")]),
  SSEVector(
    "an id that is no UTF-8", Array("id: ".utf8) + [0x80] + Array("\ndata: a\n\n".utf8),
    [event("a", id: "\u{FFFD}")], lastEventID: "\u{FFFD}"),
  SSEVector(
    "a type that is no UTF-8", Array("event: ".utf8) + [0xC3] + Array("\ndata: a\n\n".utf8),
    [event("a", as: "\u{FFFD}")]),
]
