import Events
import ScenarioPlan
import Secrets
import Values

/// A longer body is not written into a command.
private let curlBodyLength = 4_000

/// The command that repeats a request. It is masked before it is quoted, since quoting may change
/// how a secret is written.
struct CurlCommand {
  private let hop: Exchange.Hop
  private let redirects: Int
  private let names: EventNames

  init(_ hop: Exchange.Hop, redirects: Int, _ names: EventNames) {
    self.hop = hop
    self.redirects = redirects
    self.names = names
  }

  var text: String {
    (["curl"] + method + connection + headers + body).joined(separator: " ")
  }

  private var request: Exchange.Request { hop.request }

  private var method: [String] {
    switch request.method {
    case "GET": request.body.isEmpty ? [] : ["-X", "GET"]
    case "HEAD": ["--head"]
    default: ["-X", quoted(request.method)]
    }
  }

  private var connection: [String] {
    let url = base + request.target
    // Otherwise `curl` reads brackets and braces as a list of URLs.
    var words = url.contains(where: { "[]{}".contains($0) }) ? ["-g"] : []
    // Otherwise `curl` chooses HTTP/2 where the server has it.
    if url.hasPrefix("https://") { words.append("--http1.1") }
    // Otherwise `curl` removes the dots from the path before it asks.
    if hasDotSegments { words.append("--path-as-is") }
    if redirects > 0 { words += ["--location", "--max-redirs", "\(redirects + 1)"] }
    return words + (hop.place?.curlOptions ?? []).map(quoted) + [quoted(url)]
  }

  private var hasDotSegments: Bool {
    let path = request.target.prefix { $0 != "?" }
    return path.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }

  /// False for a mock in memory that stands for no server: only its scenario can reach it.
  var hasAddress: Bool { hop.place != nil || endpoint?.url != nil }

  private var endpoint: EndpointPlan? { names.plan.endpoints[ifPresent: hop.endpoint] }

  private var base: String {
    if let place = hop.place { return place.url }
    guard let url = endpoint?.url else { return "" }
    return url.hasSuffix("/") ? String(url.dropLast()) : url
  }

  private var headers: [String] {
    request.headers.filter { !isImplied($0) }.flatMap { field in
      let value = names.value(of: field)
      return [
        "-H", commandWord(field.value.isEmpty ? field.name + ";" : "\(field.name): \(value)"),
      ]
    }
  }

  /// Returns whether `curl` sends this header by itself.
  private func isImplied(_ field: Exchange.Field) -> Bool {
    switch field.name.lowercasedASCII {
    case "host":
      hop.place.map { $0.writtenHost == nil }
        ?? (field.value == names.plan.endpoints[ifPresent: hop.endpoint]?.name)
    case "content-length": true
    case "content-type": parts != nil && field.value.hasPrefix("multipart/form-data; boundary=")
    default: false
    }
  }

  private func quoted(_ text: String) -> String { commandWord(names.masked(text)) }

  private var body: [String] {
    guard !request.body.isEmpty else { return [] }
    if let parts { return parts.flatMap(form) }
    let hasType = request.headers.contains { $0.name.lowercasedASCII == "content-type" }
    return (hasType ? [] : ["-H", "Content-Type:"]) + data
  }

  private var data: [String] {
    if case .file(let path)? = request.upload { return ["--data-binary", quoted("@" + path)] }
    guard request.body.count <= curlBodyLength, !request.body.contains(0),
      let text = String(validating: request.body, as: UTF8.self)
    else { return ["--data-binary", "@BODY"] }
    return ["--data-raw", quoted(text)]
  }

  /// The parts of the body if `curl` can make them.
  private var parts: [Exchange.Upload.Part]? {
    guard case .parts(let parts)? = request.upload else { return nil }
    let canWrite = parts.allSatisfy { part in
      !part.name.contains("=") && !part.content.text.unicodeScalars.contains("\0")
    }
    return canWrite ? parts : nil
  }

  private func form(_ part: Exchange.Upload.Part) -> [String] {
    var details = part.contentType.map { ";type=\($0)" } ?? ""
    switch part.content {
    case .file(let path):
      let name = path.split(separator: "/").last.map(String.init)
      if let filename = part.filename, filename != name { details += ";filename=" + word(filename) }
      return ["-F", quoted("\(part.name)=@\(word(path))\(details)")]
    case .text(let text):
      if let filename = part.filename { details += ";filename=" + word(filename) }
      if details.isEmpty { return ["--form-string", quoted("\(part.name)=\(text)")] }
      return ["-F", quoted("\(part.name)=\(inQuotes(text))\(details)")]
    }
  }

  /// Returns a word of a form, in quotes if `curl` would end it too early.
  private func word(_ text: String) -> String {
    text.contains { ";,\"\\ ".contains($0) } ? inQuotes(text) : text
  }

  private func inQuotes(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension EventNames {
  /// Returns a header's value without secrets. Of credentials, whose code mixes letters, nothing is
  /// left.
  func value(of field: Exchange.Field) -> String {
    let masked = masked(field.value)
    guard masked.contains(SecretMask.mark), masked != field.value,
      field.name.lowercasedASCII == "authorization"
    else { return masked }
    return field.value.prefix { $0 != " " } + " ***"
  }
}
