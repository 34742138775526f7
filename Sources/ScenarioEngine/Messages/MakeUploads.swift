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
      if let part = try makeUploadPart(plan, in: slots) { parts.append(part) }
    }
    return .parts(parts)
  }
}

/// Returns nil for a part that is left out.
private func makeUploadPart(
  _ plan: PartPlan, in slots: some CELSlots
) throws(MessageFailure) -> Exchange.Upload.Part? {
  let content: Exchange.Upload.Part.Content
  var type: String?
  switch plan.content {
  case .json(let data):
    content = .text(try valueOf(data, in: slots).json())
    type = "application/json"
  case .text(let data):
    guard let text = try textIfAny(data, in: slots) else { return nil }
    content = .text(text)
  case .file(let data, let folder):
    let path = try textOf(data, in: slots)
    content = .file(path: resolve(path, in: folder))
    type = mediaType(ofFile: path)
  case .none, .form, .multipart, .contents, .bytes: return nil
  }
  var part = Exchange.Upload.Part(
    name: try textOf(plan.name, in: slots), content: content, contentType: type)
  if let filename = plan.filename { part.filename = try textIfAny(filename, in: slots) }
  if let type = plan.contentType { part.contentType = try textIfAny(type, in: slots) }
  return part
}
