/// Returns the usual reason phrase of a status; empty for an unknown one.
package func standardReason(of status: Int) -> String {
  switch status {
  case 200: "OK"
  case 404: "Not Found"
  case 503: "Service Unavailable"
  default: reasons[status] ?? ""
  }
}

private let reasons: [Int: String] = [
  100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
  201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
  205: "Reset Content", 206: "Partial Content", 300: "Multiple Choices",
  301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
  307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
  402: "Payment Required", 403: "Forbidden", 405: "Method Not Allowed", 406: "Not Acceptable",
  407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
  411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
  414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
  417: "Expectation Failed", 418: "I'm a Teapot", 421: "Misdirected Request",
  422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency", 425: "Too Early",
  426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
  431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
  500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
  504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  511: "Network Authentication Required",
]
