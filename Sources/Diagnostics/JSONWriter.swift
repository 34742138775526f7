/// Writes JSON text part by part; the writer sets the brackets, the commas and the quotes.
///
/// Everything a terminal could take for a command is escaped, for reports are looked at with `cat`.
public struct JSONWriter {
  /// Whether parts are in one line, or each in a line of its own.
  public enum Layout {
    case oneLine, lines
  }

  /// The text so far, in UTF-8. A string would look at each part again when it is appended.
  private var bytes: [UInt8] = []
  private var layout = Layout.oneLine
  private var isFirst = true

  private init() {}

  /// Returns the JSON text of an object.
  public static func object(
    _ layout: Layout = .oneLine, _ members: (inout JSONWriter) -> Void
  ) -> String {
    var writer = JSONWriter()
    writer.object(layout, members)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // MARK: Values

  public mutating func object(
    _ layout: Layout = .oneLine, _ members: (inout JSONWriter) -> Void
  ) {
    bytes.append(UInt8(ascii: "{"))
    parts(layout, members)
    bytes.append(UInt8(ascii: "}"))
  }

  public mutating func list<Elements: Collection>(
    _ elements: Elements, _ layout: Layout = .oneLine,
    _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    let breaksLines = layout == .lines && !elements.isEmpty
    raw(breaksLines ? "[\n" : "[")
    parts(layout) { writer in
      for element in elements {
        writer.beginPart()
        write(&writer, element)
      }
    }
    raw(breaksLines ? "\n]" : "]")
  }

  public mutating func text(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { append(escaping: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends what is JSON already.
  public mutating func raw(_ json: String) { bytes.append(contentsOf: json.utf8) }

  // MARK: Members of an object

  public mutating func member(_ name: String, _ write: (inout JSONWriter) -> Void) {
    beginPart()
    text(name)
    bytes.append(UInt8(ascii: ":"))
    write(&self)
  }

  /// Writes a text; `null` for nil.
  public mutating func member(_ name: String, _ text: String?) {
    member(name) { if let text { $0.text(text) } else { $0.raw("null") } }
  }

  /// Writes a whole number; `null` for nil.
  public mutating func member<Number: FixedWidthInteger>(_ name: String, _ number: Number?) {
    member(name) { $0.raw(number.map { String($0) } ?? "null") }
  }

  public mutating func member<Elements: Collection>(
    _ name: String, listOf elements: Elements, _ layout: Layout = .oneLine,
    _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    member(name) { $0.list(elements, layout, write) }
  }

  // MARK: -

  private mutating func parts(_ layout: Layout, _ write: (inout JSONWriter) -> Void) {
    let outer = self.layout
    (self.layout, isFirst) = (layout, true)
    write(&self)
    // What encloses these parts has one part more now.
    (self.layout, isFirst) = (outer, false)
  }

  private mutating func beginPart() {
    if !isFirst { raw(layout == .lines ? ",\n" : ",") }
    isFirst = false
  }

  private mutating func append(escaping utf8: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var index = 0
    while index < utf8.count {
      guard let escaped = escaped(utf8, index) else {
        index += 1
        continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
      append(escapeOf: escaped.code)
      index += escaped.length
      start = index
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
  }

  /// Returns the character at a place, with its length in bytes, if it is to be escaped.
  private func escaped(
    _ utf8: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> (code: UInt8, length: Int)? {
    switch utf8[index] {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: (utf8[index], 1)
    // The control characters from U+0080 on end with the byte that is their number.
    case 0xC2 where utf8[index + 1] < 0xA0: (utf8[index + 1], 2)
    default: nil
    }
  }

  private mutating func append(escapeOf code: UInt8) {
    switch code {
    case UInt8(ascii: "\""): raw("\\\"")
    case UInt8(ascii: "\\"): raw("\\\\")
    case UInt8(ascii: "\n"): raw("\\n")
    case UInt8(ascii: "\r"): raw("\\r")
    case UInt8(ascii: "\t"): raw("\\t")
    default: raw((code < 0x10 ? "\\u000" : "\\u00") + String(code, radix: 16))
    }
  }
}
