import Testing
import Values

@testable import CEL

@Suite struct HeaderNameTests {
  @Test(arguments: [
    ("ContentType", "content-type"), ("contentType", "content-type"), ("Accept", "accept"),
    ("XApiKey", "x-api-key"), ("ETag", "etag"), ("WWWAuthenticate", "www-authenticate"),
    ("host", "host"), ("X_Trace", "x_trace"), ("MCPSessionId", "mcp-session-id"),
  ])
  func `a name in camel case is the name of one header field`(name: String, field: String) {
    #expect(headerName(name) == field)
  }

  @Test func `a variable of a macro hides the request, and its keys stay as they are`() {
    var scope = CELScope()
    scope.declare("request", slot: 0)
    scope.declare("all", slot: 0)
    scope.lowerCaseMaps = [["request", "headers"]]
    let text = "[{'headers': {'A': 1}}].map(request, request.headers['A'] + request.headers.A)"
    guard case .success(let program) = compileCEL(text, scope: scope) else {
      Issue.record("it compiles")
      return
    }
    #expect(program.constant == nil || program.constant == .list([.int(2)]))
    #expect(program.readSlots.isEmpty)
  }
}
