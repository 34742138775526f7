import Lists
import Testing

// The code of the page.

@MainActor
func firstNames(_ feed: AsyncStream<[String]>) async -> [String] {
  let names = ListModel(dataProvider: DataProvider<String, ProviderError>.sequence { feed })
  for await state in names.states where state.isLoaded {
    return state.items
  }
  return []
}

@MainActor @Suite struct ListsArticle {
  @Test func `the list of the page shows what the feed gives`() async {
    let (feed, source) = AsyncStream.makeStream(of: [String].self)
    source.yield(["Ada", "Grace"])
    #expect(await firstNames(feed) == ["Ada", "Grace"])
  }
}
