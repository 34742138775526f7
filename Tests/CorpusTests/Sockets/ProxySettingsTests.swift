import Protocols
import Testing

@testable import ScenarioRuns

@Suite struct ProxySettingsTests {
  private static let environment = [
    "http_proxy": "proxy:3128", "HTTPS_PROXY": "http://me:secret@secure:8080/",
    "HTTP_PROXY": "http://somebody-else",
    "no_proxy": "localhost, .internal,example.org,10.0.0.0/9,fd00::/8",
  ]

  @Test(arguments: [
    ("http://far.example", "proxy"), ("https://far.example", "secure"), ("http://localhost", nil),
    ("http://a.internal", nil), ("https://www.EXAMPLE.org:81", nil),
    ("http://notexample.org", "proxy"), ("http://10.127.1.2:80", nil),
    ("http://10.128.1.2", "proxy"), ("http://[fd12::1]:80", nil), ("http://[fe80::1]", "proxy"),
  ])
  func `the environment says what goes through which proxy`(
    url: String, proxy: String?
  ) throws {
    let settings = ProxySettings { ProxySettingsTests.environment[$0] }
    #expect(settings.proxy(for: try AbsoluteURL.read(url).get())?.host == proxy)
  }

  @Test(arguments: ["https://secure:8080", "socks5://somewhere:1080", "http://host:0"])
  func `a proxy that cannot be used is reported, not bypassed`(proxy: String) throws {
    let settings = ProxySettings { ["all_proxy": proxy, "no_proxy": "localhost"][$0] }
    let far = try AbsoluteURL.read("https://far.example").get()
    #expect(settings.problem(for: far)?.contains("`all_proxy`") == true)
    #expect(settings.problem(for: try AbsoluteURL.read("https://localhost").get()) == nil)
    let socket = try AbsoluteURL.read("unix:///run/app.sock").get()
    #expect(settings.problem(for: socket) == nil)
  }

  @Test func `a variable that is empty asks for no proxy, whatever others say`() throws {
    let settings = ProxySettings { ["http_proxy": "", "all_proxy": "proxy:1"][$0] }
    #expect(settings.proxy(for: try AbsoluteURL.read("http://far.example").get()) == nil)
  }

  @Test func `without variables nothing does`() throws {
    let settings = ProxySettings { _ in nil }
    #expect(settings.proxy(for: try AbsoluteURL.read("http://far.example").get()) == nil)
  }
}
