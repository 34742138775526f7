import Protocols
import Testing

@testable import ScenarioRuns

@Suite struct ProxySettingsTests {
  private static let environment = [
    "http_proxy": "proxy:3128", "HTTPS_PROXY": "http://me:secret@secure:8080/",
    "HTTP_PROXY": "http://somebody-else", "no_proxy": "localhost, .internal,example.org",
  ]

  @Test(arguments: [
    ("http://far.example", "proxy"), ("https://far.example", "secure"), ("http://localhost", nil),
    ("http://a.internal", nil), ("https://www.EXAMPLE.org:81", nil),
    ("http://notexample.org", "proxy"),
  ])
  func `the environment says what goes through which proxy`(
    url: String, proxy: String?
  ) throws {
    let settings = ProxySettings { ProxySettingsTests.environment[$0] }
    #expect(settings.proxy(for: try AbsoluteURL.read(url).get())?.host == proxy)
  }

  @Test func `without variables nothing does`() throws {
    let settings = ProxySettings { _ in nil }
    #expect(settings.proxy(for: try AbsoluteURL.read("http://far.example").get()) == nil)
  }
}
