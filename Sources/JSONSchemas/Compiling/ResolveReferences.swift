import Diagnostics
import Values

extension SchemaRegistry {
  /// Returns the schema that a reference leads to. If there is none, it reports a problem.
  func resolve(_ reference: String, _ keyword: String, from place: SchemaPlace) -> SchemaPlace? {
    let uri = SchemaURI(reference).resolved(against: place.resource.uri)
    guard let resource = resource(uri.document, from: place) else {
      report(
        place, "/" + keyword,
        "`\(reference)` refers to a document that was not given (`\(uri.document)`)")
      return nil
    }
    guard let fragment = uri.fragment, !fragment.isEmpty else { return resource.root }
    guard let path = percentDecoded(fragment) else {
      report(place, "/" + keyword, "`\(reference)` has `%` escapes that are not UTF-8")
      return nil
    }
    if path.hasPrefix("/") { return follow(path, in: resource, reference, keyword, from: place) }
    guard let anchor = resource.anchors[path] else {
      let near = nearestName(to: path, among: resource.anchors.keys.sorted())
      report(
        place, "/" + keyword, "`\(reference)` leads to no anchor: there is no `\(path)`",
        help: near.map { "did you mean `#\($0)`?" })
      return nil
    }
    return SchemaPlace(value: anchor.value, pointer: anchor.pointer, resource: resource)
  }

  /// Follows a JSON Pointer, and enters schemas with a URI of their own on the way.
  private func follow(
    _ pointer: String, in resource: SchemaResource, _ reference: String, _ keyword: String,
    from origin: SchemaPlace
  ) -> SchemaPlace? {
    var place = resource.root
    guard let tokens = pointerTokens(pointer) else {
      report(origin, "/" + keyword, "`\(reference)` has a `~` that is followed by neither 0 nor 1")
      return nil
    }
    for token in tokens {
      guard let next = child(token, of: place.value) else {
        report(
          origin, "/" + keyword,
          "`\(reference)` leads nowhere: there is no `\(token)` in `\(place.location)`",
          help: nearKey(token, of: place.value))
        return nil
      }
      place = place.inner("/" + escapedToken(token), next)
      if let inner = place.resource.document.resources[place.pointer] { place.resource = inner }
    }
    return place
  }

  private func child(_ token: String, of value: Value) -> Value? {
    switch value {
    case .map(let map): map[token]
    case .list(let list):
      Int(token).flatMap { list.indices.contains($0) && "\($0)" == token ? list[$0] : nil }
    default: nil
    }
  }

  private func nearKey(_ token: String, of value: Value) -> String? {
    guard case .map(let map) = value else { return nil }
    return nearestName(to: token, among: map.keys.map(\.plainText)).map {
      "did you mean `\($0)`?"
    }
  }
}
