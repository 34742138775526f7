import TextSearch

/// Bodies of type `multipart/form-data` (RFC 7578).
package enum Multipart {
  package struct Part: Sendable, Equatable {
    package var name: String
    package var filename: String?
    package var contentType: String?
    package var body: [UInt8]

    package init(
      name: String, filename: String? = nil, contentType: String? = nil, body: [UInt8]
    ) {
      self.name = name
      self.filename = filename
      self.contentType = contentType
      self.body = body
    }
  }

  package static func encode(_ parts: [Part], boundary: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      bytes += Array("--\(boundary)\r\n\(head(of: part))\r\n\r\n".utf8)
      bytes += part.body
      bytes += lineEnd
    }
    return bytes + Array("--\(boundary)--\r\n".utf8)
  }

  private static func head(of part: Part) -> String {
    var head = "Content-Disposition: form-data; name=\"\(quoted(part.name))\""
    if let filename = part.filename { head += "; filename=\"\(quoted(filename))\"" }
    // A line break in a type would begin a header of its own.
    if let type = part.contentType { head += "\r\nContent-Type: \(type.filter { !$0.isNewline })" }
    return head
  }

  /// Returns a name as browsers write it: characters that would end the name or the line are
  /// percent-encoded.
  private static func quoted(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": text += "%22"
      case "\r": text += "%0D"
      case "\n": text += "%0A"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Returns the boundary that a Content-Type names.
  package static func boundary(in contentType: String) -> String? {
    guard contentType.lowercasedASCII.hasPrefix("multipart/") else { return nil }
    return parameter("boundary", in: contentType)
  }

  /// Returns the parts of a body; nil if it does not consist of such parts.
  package static func decode(_ body: [UInt8], boundary: String) -> [Part]? {
    let mark = Array("--\(boundary)".utf8)
    guard body.starts(with: mark), !boundary.isEmpty else { return nil }
    var parts: [Part] = []
    var rest = body[mark.count...]
    while !rest.starts(with: Array("--".utf8)) {
      guard rest.starts(with: lineEnd), let end = place(of: lineEnd + mark, in: rest.dropFirst(2)),
        let part = part(rest.dropFirst(2)[..<end])
      else { return nil }
      parts.append(part)
      rest = rest[(end + 2 + mark.count)...]
    }
    return parts
  }

  private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
    guard let end = place(of: lineEnd + lineEnd, in: bytes) else { return nil }
    var part = Part(name: "", body: Array(bytes[(end + 4)...]))
    for line in String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n") {
      let lowered = line.lowercasedASCII
      if lowered.hasPrefix("content-disposition:") {
        guard let name = parameter("name", in: String(line)) else { return nil }
        part.name = name
        part.filename = parameter("filename", in: String(line))
      } else if lowered.hasPrefix("content-type:") {
        part.contentType = String(line.dropFirst("content-type:".count).drop { $0 == " " })
      }
    }
    return part
  }

  /// Returns the value of a parameter such as `; name="title"`.
  private static func parameter(_ name: String, in text: String) -> String? {
    for piece in text.split(separator: ";").dropFirst() {
      let piece = piece.drop { $0 == " " }
      guard piece.lowercasedASCII.hasPrefix(name + "=") else { continue }
      let value = piece.dropFirst(name.count + 1)
      return value.hasPrefix("\"")
        ? String(value.dropFirst().prefix { $0 != "\"" }) : String(value.prefix { $0 != " " })
    }
    return nil
  }

  private static func place(of mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= mark.count else { return nil }
    var start = bytes.startIndex
    while start <= bytes.endIndex - mark.count {
      if bytes[start] == mark[0], bytes[start...].starts(with: mark) { return start }
      start += 1
    }
    return nil
  }

  private static let lineEnd: [UInt8] = [0x0D, 0x0A]
}
