import CEL
import Diagnostics
import Protocols
import ScenarioPlan
import Values
import World

/// A maker of requests and responses from their plans.
final class MessageMaker {
  private let endpoints: Table<EndpointPlan>
  let readFile: (String) -> Result<[UInt8], FileFailure>
  /// The tags of the files that were answered with.
  private var tags: [String: String] = [:]
  private let seed: SeededRandom
  private lazy var chance = seed.stream("multipart")
  private lazy var noise = seed.stream("garbage")

  init(
    _ plan: ScenarioPlan, readFile: @escaping (String) -> Result<[UInt8], FileFailure>,
    _ chance: SeededRandom
  ) {
    endpoints = plan.endpoints
    self.readFile = readFile
    seed = chance
  }

  /// The tag of a file that was read when the scenario was loaded.
  func tag(of bytes: [UInt8], ofFile path: String) -> String {
    if let known = tags[path] { return known }
    let tag = entityTag(of: bytes)
    tags[path] = tag
    return tag
  }

  /// A line that no part of the body has in it.
  func boundary(for parts: [Multipart.Part]) -> String {
    while true {
      let number = String(chance.next(), radix: 16)
      let boundary = "rehearsal-" + String(repeating: "0", count: 16 - number.count) + number
      let mark = Array(boundary.utf8)
      if !parts.contains(where: { $0.body.contains(mark) }) { return boundary }
    }
  }

  /// Bytes that are neither a head nor a chunk.
  func makeNoise() -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < bytesOfNoise {
      withUnsafeBytes(of: noise.next().littleEndian) { bytes += $0 }
    }
    // No method, version or size of a chunk begins like this.
    bytes[0] |= 0x80
    return bytes
  }

  /// Header fields, those of a list each under the name.
  func makeHeaders(
    _ plans: [(name: String, value: DataPlan)], in slots: some CELSlots
  ) -> Result<[HTTPHeaderLine], MessageFailure> {
    do throws(MessageFailure) {
      return .success(try makeItems(plans, in: slots).map { HTTPHeaderLine($0.name, $0.value) })
    } catch {
      return .failure(error)
    }
  }

  /// A response as its plan says, its expressions evaluated.
  func makeResponse(
    _ plan: ResponsePlan, in slots: some CELSlots
  ) -> Result<HTTPResponse, MessageFailure> {
    do throws(MessageFailure) {
      let fields = try makeItemsAndNulls(plan.headers, in: slots)
      var headers = HTTPHeaders(fields.items.map { HTTPHeaderLine($0.name, $0.value) })
      let omitted = fields.nulls.map(\.lowercasedASCII)
      let body = try makeBody(plan.body, in: slots, &headers, without: omitted)
      let status = try statusCode(plan.status, in: slots)
      return .success(
        HTTPResponse(
          status: status, headers: headers, body: try compressed(body, headers, plan.headers)))
    } catch {
      return .failure(error)
    }
  }

  /// A request as its plan says, its expressions evaluated.
  func makeRequest(
    _ plan: RequestPlan, in slots: some CELSlots
  ) -> Result<HTTPRequest, MessageFailure> {
    do throws(MessageFailure) {
      let fields = try makeItemsAndNulls(plan.headers, in: slots)
      var headers = HTTPHeaders(fields.items.map { HTTPHeaderLine($0.name, $0.value) })
      let omitted = fields.nulls.map(\.lowercasedASCII)
      if !headers.contains("Host") {
        let host = HTTPHeaderLine("Host", endpoints[plan.endpoint].name)
        headers.lines.insert(host, at: 0)
      }
      var body = try makeBody(plan.body, in: slots, &headers, without: omitted)
      if plan.body.isWritten { body = try compressed(body, headers, plan.headers) }
      let items = try makeItems(plan.query, in: slots)
      let path = try textOf(plan.path, in: slots)
      let method = try textOf(plan.method, in: slots).uppercased()
      var request = HTTPRequest(
        method: method, target: target(path, items), headers: headers, body: body)
      request.omittedHeaders = omitted
      return .success(request)
    } catch {
      return .failure(error)
    }
  }
}

/// The length of random bytes that a fault sends.
private let bytesOfNoise = 64

/// The body as its Content-Encoding says: messages are written as they are to be read.
private func compressed(
  _ body: [UInt8], _ headers: HTTPHeaders, _ plan: [(name: String, value: DataPlan)]
) throws(MessageFailure) -> [UInt8] {
  let place = plan.first { sameName($0.name, "Content-Encoding") }?.value.range
  guard let place, !body.isEmpty else { return body }
  let codings = ContentCoding.all(in: headers)
  for coding in codings {
    guard let library = coding.missingLibrary else { continue }
    throw .evaluation(EvaluationFailure(range: place, lacking: library, for: coding))
  }
  return Protocols.compressed(body, by: codings)
}

extension EvaluationFailure {
  fileprivate init(range: SourceRange, lacking library: MissingLibrary, for coding: ContentCoding) {
    self.init(
      range: range,
      message: "this machine cannot compress with `\(coding.rawValue)`: \(library.reason)",
      help: "install the library: Debian has it in the package `\(library.package)`")
  }
}

func statusCode(
  _ data: DataPlan?, in slots: some CELSlots
) throws(MessageFailure) -> Int {
  guard let data else { return 200 }
  let value = try valueOf(data, in: slots)
  if case .int(let status) = value, (200...599).contains(status) { return status }
  let message = "a status is a whole number from 200 to 599, not \(value.display(maxLength: 80))"
  throw .evaluation(EvaluationFailure(range: data.range, message: message))
}

/// Returns the target of a path with further query items. Characters that a target cannot have are
/// percent-encoded.
private func target(_ path: String, _ items: [QueryItem]) -> String {
  var text = path.hasPrefix("/") ? path : "/" + path
  if !items.isEmpty { text += (text.contains("?") ? "&" : "?") + QueryText.encode(items) }
  guard text.utf8.contains(where: isUnfitForTarget) else { return text }
  return text.utf8.map { byte in
    isUnfitForTarget(byte)
      ? "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      : String(UnicodeScalar(byte))
  }.joined()
}

private func isUnfitForTarget(_ byte: UInt8) -> Bool {
  switch byte {
  case 0...0x20, 0x7F...0xFF: true
  case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"): true
  case UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"): true
  case UInt8(ascii: "}"), UInt8(ascii: "#"): true
  default: false
  }
}

extension [UInt8] {
  fileprivate func contains(_ mark: [UInt8]) -> Bool {
    guard count >= mark.count else { return false }
    return (0...(count - mark.count)).contains { self[$0...].starts(with: mark) }
  }
}
