import Publishers
import Testing

// The code of the page.

func heardLoud(_ words: [String]) -> [String] {
  let texts = PassthroughSubject<String, Never>()
  var heard: [String] = []
  let token =
    texts
    .removeDuplicates()
    .map { $0.uppercased() }
    .sink { heard.append($0) }
  for word in words { texts.send(word) }
  token.cancel()
  return heard
}

@Suite struct PublishersArticle {
  @Test func `the chain of the page passes on what is new`() {
    #expect(heardLoud(["a", "a", "b"]) == ["A", "B"])
  }
}
