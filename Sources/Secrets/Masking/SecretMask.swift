import Values

/// A filter that replaces secrets in text by `***`, also those in Base64, percent-encoded or with
/// escapes. Credentials that nobody has declared are replaced by their names.
///
/// A secret of fewer than four characters is replaced only where it stands alone, as a whole value
/// or a whole word.
package struct SecretMask: Sendable {
  /// How much of a text a mask hides.
  package enum Extent: Sendable {
    /// The secrets that it knows.
    case secrets
    /// All values in lines of YAML, and all that pages quote. Nobody knows the secrets of a text
    /// that cannot be read.
    case values
    /// Every text.
    case everything
  }

  /// The secrets in groups. Masks that add secrets to another one share its groups.
  private var groups: [SecretForms]
  /// The secrets that are lists or maps, as JSON.
  private var containers: Set<String> = []
  package var extent = Extent.secrets
  /// The credentials that nobody has declared.
  private var credentials: [NamedSecrets] = []

  package init(_ secrets: [String] = []) {
    let known = secrets.filter { !$0.isEmpty }
    groups = known.isEmpty ? [] : [SecretForms(known)]
    containers = Set(known.filter(\.mayBeContainer))
  }

  /// A mask that leaves no text.
  package static let everything: SecretMask = {
    var mask = SecretMask()
    mask.extent = .everything
    return mask
  }()

  /// The fewest characters of a secret that is masked inside longer words as well.
  package static let shortestInsideWords = 4
  package static let mark = "***"

  package var isEmpty: Bool { groups.isEmpty && extent == .secrets && credentials.isEmpty }

  /// Returns the mask with these credentials in place of those that it has.
  package func hiding(credentials: [NamedSecrets]) -> SecretMask {
    var mask = self
    mask.credentials = credentials.filter { !$0.isEmpty }
    return mask
  }

  /// Returns a mask that hides these secrets as well.
  package func adding(_ secrets: [String]) -> SecretMask {
    let new = secrets.filter { !$0.isEmpty }
    guard !new.isEmpty, extent != .everything else { return self }
    var mask = self
    mask.groups.append(SecretForms(new))
    mask.containers.formUnion(new.filter(\.mayBeContainer))
    mask.mergeSmallGroups()
    return mask
  }

  /// Merges groups of similar size, so that a mask that grows one by one has few of them. The
  /// first group stays, since other masks share it.
  private mutating func mergeSmallGroups() {
    while groups.count > 2, groups[groups.count - 2].count <= 2 * groups[groups.count - 1].count {
      let last = groups.removeLast()
      groups[groups.count - 1] = SecretForms(groups[groups.count - 1].secrets + last.secrets)
    }
  }

  /// Returns a text from outside without any secret.
  package func masked(_ text: String) -> String { masked(text, hidesShort: true) }

  /// Returns a finished text without secrets. Short ones stay, since the text has words and numbers
  /// of its own; the values in it were masked before.
  package func masked(page text: String) -> String {
    let masked = masked(text, hidesShort: false)
    return extent == .values ? withoutQuotes(masked) : masked
  }

  private func masked(_ text: String, hidesShort: Bool) -> String {
    if extent == .everything { return SecretMask.mark }
    let declared = groups.isEmpty ? text : withoutDeclared(text, hidesShort: hidesShort)
    return credentials.reduce(declared) { $1.masked(page: $0) }
  }

  private func withoutDeclared(_ text: String, hidesShort: Bool) -> String {
    let bytes = Array(text.utf8)
    let masked = replacing(places(in: bytes, hidesShort: hidesShort), in: bytes)
    let hidden = groups.reduce(masked) { hidingCutForms($1.forms.long, in: $0) }
    return hidden == bytes ? text : String(decoding: hidden, as: UTF8.self)
  }

  /// Returns where secrets stand in a text, as ranges of its UTF-8.
  package func places(in text: String) -> [Range<Int>] {
    switch extent {
    case .everything: text.isEmpty ? [] : [0..<text.utf8.count]
    case .values: lineValues(in: Array(text.utf8))
    case .secrets: isEmpty ? [] : places(in: Array(text.utf8))
    }
  }

  private func places(in bytes: [UInt8]) -> [Range<Int>] {
    places(in: bytes, hidesShort: true) + credentials.flatMap { $0.places(in: bytes) }
  }

  private func places(in bytes: [UInt8], hidesShort: Bool) -> [Range<Int>] {
    groups.flatMap { $0.forms.places(in: bytes, hidesShort: hidesShort) }.united()
  }

  /// Masks the texts inside a value. Cutting the value short then leaves no half of a secret.
  package func masked(_ value: Value) -> Value {
    if isEmpty { return value }
    if value.isContainer(in: containers) { return .string(SecretMask.mark) }
    switch value {
    case .string(let text): return .string(masked(text))
    case .list(let elements): return .list(elements.map { masked($0) })
    case .map(let map): return .map(ValueMap(map.map { (masked($0.key), masked($0.value)) }))
    case .bytes(let bytes):
      return masked(whole: String(decoding: bytes, as: UTF8.self)) ?? value
    case .optional(let inner): return .optional(inner.map { masked($0) })
    case .int, .uint, .double, .digits, .timestamp, .duration:
      return masked(whole: value.plainText) ?? value
    case .null, .bool, .type: return value
    }
  }

  /// Returns what stands for a value that is no text: of a declared secret nothing is left. Nil if
  /// there is no secret in it.
  private func masked(whole text: String) -> Value? {
    let shown = masked(text)
    if shown == text { return nil }
    return .string(shown.contains(SecretMask.mark) ? SecretMask.mark : shown)
  }
}

extension String {
  /// True if the text may be a list or a map as JSON.
  package var mayBeContainer: Bool { hasPrefix("{") || hasPrefix("[") }
}

extension Value {
  /// Returns whether the value is one of some lists and maps, which are JSON with sorted keys.
  package func isContainer(in containers: Set<String>) -> Bool {
    if containers.isEmpty { return false }
    switch self {
    case .list, .map: return containers.contains(json(sortedKeys: true))
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      return false
    }
  }

  /// The texts that hide this value: its own, or those of all its elements and entries. Whether
  /// something is true is never hidden.
  package var secretTexts: [String] {
    switch self {
    case .list(let elements): elements.flatMap(\.secretTexts)
    case .map(let map): map.values.flatMap(\.secretTexts)
    case .optional(let inner): inner?.secretTexts ?? []
    case .bytes(let bytes): textsOfBytes(bytes)
    case .null, .bool: []
    case .int, .uint, .double, .digits, .string, .timestamp, .duration, .type: [plainText]
    }
  }
}

/// The text of bytes. Bytes that are no text have their codes as well.
private func textsOfBytes(_ bytes: [UInt8]) -> [String] {
  let text = String(decoding: bytes, as: UTF8.self)
  return text.utf8.elementsEqual(bytes) ? [text] : [text, Base64.encode(bytes)]
}

extension [Range<Int>] {
  /// Returns the ranges in order, with those that overlap united.
  fileprivate func united() -> [Range<Int>] {
    guard count > 1 else { return self }
    var result: [Range<Int>] = []
    for range in sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
      if let last = result.last, range.lowerBound < last.upperBound {
        let end = Swift.max(last.upperBound, range.upperBound)
        result[result.count - 1] = last.lowerBound..<end
      } else {
        result.append(range)
      }
    }
    return result
  }
}

private func replacing(_ places: [Range<Int>], in bytes: [UInt8]) -> [UInt8] {
  guard !places.isEmpty else { return bytes }
  var result: [UInt8] = []
  var position = 0
  for place in places {
    result += bytes[position..<place.lowerBound]
    result += Array(SecretMask.mark.utf8)
    position = place.upperBound
  }
  return result + bytes[position...]
}
