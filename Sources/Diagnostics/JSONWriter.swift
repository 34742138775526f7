/// Writes JSON text part by part; the writer sets the brackets, the commas and the quotes.
///
/// Everything a terminal could take for a command is escaped, for reports are looked at with `cat`.
public struct JSONWriter {
  /// Whether parts stand in one line, or each in a line of its own.
  public enum Layout {
    case oneLine, lines
  }

  public private(set) var json = ""
  private var layout = Layout.oneLine
  private var isFirst = true

  private init() {}

  /// Returns the JSON text of an object.
  public static func object(
    _ layout: Layout = .oneLine, _ members: (inout JSONWriter) -> Void
  ) -> String {
    var writer = JSONWriter()
    writer.object(layout, members)
    return writer.json
  }

  // MARK: Values

  public mutating func object(
    _ layout: Layout = .oneLine, _ members: (inout JSONWriter) -> Void
  ) {
    json += "{"
    parts(layout, members)
    json += "}"
  }

  public mutating func list<Elements: Collection>(
    _ elements: Elements, _ layout: Layout = .oneLine,
    _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    let breaks = layout == .lines && !elements.isEmpty ? "\n" : ""
    json += "[" + breaks
    parts(layout) { writer in
      for element in elements {
        writer.beginPart()
        write(&writer, element)
      }
    }
    json += breaks + "]"
  }

  public mutating func text(_ text: String) {
    json += "\""
    for scalar in text.unicodeScalars { append(scalar) }
    json += "\""
  }

  /// Appends what is JSON already.
  public mutating func raw(_ json: String) { self.json += json }

  // MARK: Members of an object

  public mutating func member(_ name: String, _ write: (inout JSONWriter) -> Void) {
    beginPart()
    text(name)
    json += ":"
    write(&self)
  }

  /// Writes a text; `null` where there is none.
  public mutating func member(_ name: String, _ text: String?) {
    member(name) { if let text { $0.text(text) } else { $0.raw("null") } }
  }

  /// Writes a whole number; `null` where there is none.
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
    if !isFirst { json += layout == .lines ? ",\n" : "," }
    isFirst = false
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": json += "\\\""
    case "\\": json += "\\\\"
    case "\n": json += "\\n"
    case "\r": json += "\\r"
    case "\t": json += "\\t"
    case "\0"..<" ", "\u{7F}"..<"\u{A0}":
      let digits = String(scalar.value, radix: 16)
      json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: json.unicodeScalars.append(scalar)
    }
  }
}
