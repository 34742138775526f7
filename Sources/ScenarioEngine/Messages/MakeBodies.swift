import CEL
import Diagnostics
import Protocols
import ScenarioPlan
import Values

/// The reason why a message could not be made.
enum MessageFailure: Error {
  case evaluation(EvaluationFailure)
  case file(DataPlan, path: String, FileFailure)

  /// The failure for reports that point at a value.
  var evaluation: EvaluationFailure {
    switch self {
    case .evaluation(let failure): failure
    case .file: EvaluationFailure(range: range, message: message)
    }
  }

  var range: SourceRange {
    switch self {
    case .evaluation(let failure): failure.range
    case .file(let data, _, _): data.range
    }
  }

  var message: String {
    switch self {
    case .evaluation(let failure): failure.message
    case .file(_, let path, let failure): "the file `\(path)` cannot be read: \(failure.message)"
    }
  }
}

func valueOf(_ data: DataPlan, in slots: some CELSlots) throws(MessageFailure) -> Value {
  do {
    return try evaluate(data, in: slots).get()
  } catch {
    throw .evaluation(error)
  }
}

/// Returns a text that cannot be left out, such as a path.
func textOf(_ data: DataPlan, in slots: some CELSlots) throws(MessageFailure) -> String {
  if let text = try textIfAny(data, in: slots) { return text }
  throw .evaluation(.nullInText(at: data.range))
}

/// Returns a text; nil for null, which leaves it out.
func textIfAny(_ data: DataPlan, in slots: some CELSlots) throws(MessageFailure) -> String? {
  try valueOf(data, in: slots).sentText
}

/// Names and values, those of a list each under the name. Null leaves its name out.
func makeItems(
  _ plans: [(name: String, value: DataPlan)], in slots: some CELSlots
) throws(MessageFailure) -> [QueryItem] {
  try makeItemsAndNulls(plans, in: slots).items
}

/// Names and values, and the names of those that are null.
func makeItemsAndNulls(
  _ plans: [(name: String, value: DataPlan)], in slots: some CELSlots
) throws(MessageFailure) -> (items: [QueryItem], nulls: [String]) {
  var items: [QueryItem] = []
  var nulls: [String] = []
  for plan in plans {
    let value = try valueOf(plan.value, in: slots)
    if case .list(let values) = value {
      items += values.compactMap(\.sentText).map { QueryItem(plan.name, $0) }
    } else if let text = value.sentText {
      items.append(QueryItem(plan.name, text))
    } else {
      nulls.append(plan.name)
    }
  }
  return (items, nulls)
}

// Bodies.
extension MessageMaker {
  /// A body as its plan says; its type is added to the headers unless they name one.
  func makeBody(
    _ body: BodyPlan, in slots: some CELSlots, _ headers: inout HTTPHeaders,
    without omitted: [String] = []
  ) throws(MessageFailure) -> [UInt8] {
    var type: String?
    let bytes: [UInt8]
    switch body {
    case .none: return []
    case .json, .text, .file, .contents, .bytes:
      (bytes, type) = try makeContent(body, in: slots)
    case .form(let items):
      bytes = Array(QueryText.encode(try makeItems(items, in: slots)).utf8)
      type = "application/x-www-form-urlencoded"
    case .multipart(let plans):
      var parts: [Multipart.Part] = []
      for plan in plans {
        if let part = try makePart(plan, in: slots) { parts.append(part) }
      }
      let boundary = boundary(for: parts)
      bytes = Multipart.encode(parts, boundary: boundary)
      type = "multipart/form-data; boundary=\(boundary)"
      headers.addBoundary(boundary)
    }
    if let type, !headers.contains("Content-Type"), !omitted.contains("content-type") {
      headers.add("Content-Type", type)
    }
    return bytes
  }

  /// JSON, text or a file, and its type.
  private func makeContent(
    _ content: BodyPlan, in slots: some CELSlots
  ) throws(MessageFailure) -> (bytes: [UInt8], type: String?) {
    switch content {
    case .json(let data): (try valueOf(data, in: slots).jsonBytes, "application/json")
    case .text(let data): try makeText(data, in: slots) ?? ([], nil)
    case .file(let data, let folder):
      try contents(of: data, named: try textOf(data, in: slots), in: folder)
    case .contents(let bytes, let path): (bytes, mediaType(ofFile: path.value))
    case .bytes(let pieces, _): (try makeBytes(pieces, in: slots), "application/octet-stream")
    case .none, .form, .multipart: ([], nil)
    }
  }

  func makeBytes(
    _ pieces: [BytesPlan], in slots: some CELSlots
  ) throws(MessageFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .constant(let constant): bytes += constant
      case .value(let data): bytes += try makeText(data, in: slots)?.bytes ?? []
      }
    }
    return bytes
  }

  /// Text, or the bytes of a value that is bytes; nil for null, which leaves it out.
  private func makeText(
    _ data: DataPlan, in slots: some CELSlots
  ) throws(MessageFailure) -> (bytes: [UInt8], type: String?)? {
    switch try valueOf(data, in: slots) {
    case .bytes(let bytes): (bytes, "application/octet-stream")
    case let value: value.sentText.map { (Array($0.utf8), "text/plain") }
    }
  }

  func contents(
    of data: DataPlan, named path: String, in folder: String
  ) throws(MessageFailure) -> (bytes: [UInt8], type: String?) {
    switch readFile(resolve(path, in: folder)) {
    case .success(let bytes): return (bytes, mediaType(ofFile: path))
    case .failure(let failure): throw .file(data, path: path, failure)
    }
  }

  /// Returns nil for a part whose text is null.
  private func makePart(
    _ plan: PartPlan, in slots: some CELSlots
  ) throws(MessageFailure) -> Multipart.Part? {
    if case .text(let data) = plan.content, try textIfAny(data, in: slots) == nil { return nil }
    let content = try makeContent(plan.content, in: slots)
    var part = Multipart.Part(name: try textOf(plan.name, in: slots), body: content.bytes)
    switch plan.content {
    case .file(let data, _):
      part.filename = try textOf(data, in: slots).split(separator: "/").last.map(String.init)
      part.contentType = content.type
    case .json: part.contentType = content.type
    case .none, .text, .form, .multipart, .contents, .bytes: break
    }
    if let filename = plan.filename { part.filename = try textIfAny(filename, in: slots) }
    if let type = plan.contentType { part.contentType = try textIfAny(type, in: slots) }
    return part
  }
}

/// Returns a file's media type by the end of its name.
func mediaType(ofFile path: String) -> String {
  let name = path.lowercasedASCII
  let known = mediaTypes.first { name.hasSuffix("." + $0.ending) }
  return known?.type ?? "application/octet-stream"
}

private let mediaTypes: [(ending: String, type: String)] = [
  ("json", "application/json"), ("txt", "text/plain"), ("csv", "text/csv"),
  ("html", "text/html"), ("xml", "application/xml"), ("yaml", "application/yaml"),
  ("pdf", "application/pdf"), ("png", "image/png"), ("jpg", "image/jpeg"),
  ("jpeg", "image/jpeg"), ("gif", "image/gif"), ("svg", "image/svg+xml"),
  ("zip", "application/zip"),
]

extension HTTPHeaders {
  /// Adds the boundary of a body's parts to a type of the scenario's own, such as
  /// `multipart/related`, which no server could read without it.
  fileprivate mutating func addBoundary(_ boundary: String) {
    guard let type = self["Content-Type"], mediaTypeName(type).hasPrefix("multipart/"),
      Multipart.boundary(in: type) == nil
    else { return }
    self["Content-Type"] = "\(type); boundary=\(boundary)"
  }
}
