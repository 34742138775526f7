import CEL
import Events
import ScenarioPlan
import Values

/// Returns the origin of a body that is made from files or parts; nil for any other body.
func makeUpload(
  _ body: BodyPlan, in slots: some CELSlots
) throws(MessageFailure) -> Exchange.Upload? {
  switch body {
  case .none, .json, .text, .form, .contents, .bytes: return nil
  case .file(let data, let folder):
    return .file(path: resolve(try textOf(data, in: slots), in: folder))
  case .multipart(let plans):
    var parts: [Exchange.Upload.Part] = []
    for plan in plans {
      guard let part = try makeUploadPart(plan, in: slots) else { return nil }
      parts.append(part)
    }
    return .parts(parts)
  }
}

private func makeUploadPart(
  _ plan: PartPlan, in slots: some CELSlots
) throws(MessageFailure) -> Exchange.Upload.Part? {
  let content: Exchange.Upload.Part.Content
  var type: String?
  switch plan.content {
  case .json(let data):
    content = .text(try valueOf(data, in: slots).json())
    type = "application/json"
  case .text(let data): content = .text(try textOf(data, in: slots))
  case .file(let data, let folder):
    let path = try textOf(data, in: slots)
    content = .file(path: resolve(path, in: folder))
    type = mediaType(ofFile: path)
  case .none, .form, .multipart, .contents, .bytes: return nil
  }
  var part = Exchange.Upload.Part(
    name: try textOf(plan.name, in: slots), content: content, contentType: type)
  if let filename = plan.filename { part.filename = try textOf(filename, in: slots) }
  if let type = plan.contentType { part.contentType = try textOf(type, in: slots) }
  return part
}
