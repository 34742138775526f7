import Testing

@testable import Protocols

struct `URL text` {
  @Test(arguments: [
    ("a b/c&d=é", URLText.Part.path, "a%20b/c&d=%C3%A9"), ("a b/c", .segment, "a%20b%2Fc"),
    ("a b&c=d+e", .query, "a+b%26c%3Dd%2Be"), ("-._~", .query, "-._~"), ("%", .path, "%25"),
    ("?#", .path, "%3F%23"),
  ])
  func `coding leaves only what means itself, and can be undone`(
    text: String, part: URLText.Part, coded: String
  ) {
    #expect(URLText.encode(text, as: part) == coded)
    #expect(URLText.decode(coded, as: part) == text)
  }

  @Test(arguments: [
    ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%41%", "A%"), ("a+b", "a+b"), ("%FF", "\u{FFFD}"),
  ])
  func `what codes nothing stays`(coded: String, text: String) {
    #expect(URLText.decode(coded, as: .path) == text)
  }

  @Test func `a query is read as ordered pairs, and names may repeat`() {
    let items = QueryText.decode("b=1&a=x+y%3D&b=2&c&=d&&e=f=g")
    #expect(
      items == [
        QueryItem("b", "1"), QueryItem("a", "x y="), QueryItem("b", "2"), QueryItem("c", ""),
        QueryItem("", "d"), QueryItem("e", "f=g"),
      ])
    #expect(QueryText.decode(QueryText.encode(items)) == items)
    #expect(QueryText.decode("") == [])
  }

  @Test func `a target is taken apart and put together`() {
    let target = HTTPTarget("/a%2Fb/c?x=1?y#z")
    #expect(target.path == "/a%2Fb/c")
    #expect(target.segments == ["a/b", "c"])
    #expect(target.query == "x=1?y")
    #expect(target.items == [QueryItem("x", "1?y")])
    #expect(target.text == "/a%2Fb/c?x=1?y")
    #expect(HTTPTarget(path: "/a", items: [QueryItem("q", "1 2")]).text == "/a?q=1+2")
    #expect(HTTPTarget(path: "/a", items: []).text == "/a")
    #expect(HTTPTarget("http://host/p?q").path == "/p")
    #expect(HTTPTarget("http://host").path == "/")
    #expect(HTTPTarget("").path == "")
    #expect(HTTPTarget("*").path == "*")
  }
}
