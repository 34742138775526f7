import Publishers
import Testing

// The code of the article.

func queries<S: PublisherScheduler>(
  _ texts: some Publisher<String, Never>, on scheduler: S
) -> AnyPublisher<String, Never> {
  texts
    .map { $0.filter { $0 != " " } }
    .debounce(for: .milliseconds(300), scheduler: scheduler)
    .removeDuplicates()
    .filter { !$0.isEmpty }
    .eraseToAnyPublisher()
}

func typedQueries() -> [String] {
  let scheduler = VirtualScheduler()
  let texts = PassthroughSubject<String, Never>()
  var heard: [String] = []
  let token = queries(texts, on: scheduler).sink { heard.append($0) }
  texts.send("c")
  texts.send("ca ")
  scheduler.advance(by: .milliseconds(300))
  texts.send("cat")
  scheduler.advance(by: .milliseconds(300))
  token.cancel()
  return heard
}

@Suite struct DebouncedQueriesArticleTests {
  @Test func `a query is passed on after a pause`() {
    #expect(typedQueries() == ["ca", "cat"])
  }
}
