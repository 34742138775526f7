import TextSearch

/// The place of an element of a JSON list. Of a map it has the places of the entries.
struct JSONElementPlace: Equatable {
  var range: Range<Int>
  var entries: [(key: Range<Int>, value: Range<Int>)] = []

  static func == (left: JSONElementPlace, right: JSONElementPlace) -> Bool {
    left.range == right.range && left.entries.elementsEqual(right.entries, by: ==)
  }
}

/// Returns the places of the elements of a list. The text must be valid JSON.
func elementPlaces(inJSONList bytes: UnsafeBufferPointer<UInt8>) -> [JSONElementPlace] {
  var walk = JSONWalk(bytes)
  var places: [JSONElementPlace] = []
  walk.skipSpace()
  guard walk.take("[") else { return [] }
  repeat {
    walk.skipSpace()
    guard walk.peek != UInt8(ascii: "]"), !walk.isAtEnd else { break }
    places.append(walk.element())
    walk.skipSpace()
  } while walk.take(",")
  return places
}

/// A scanner of valid JSON. Invalid text ends the scan at its end.
private struct JSONWalk {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }
  /// The next byte; 0, which JSON does not allow, at the end.
  var peek: UInt8 { isAtEnd ? 0 : bytes[position] }

  mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: letter) else { return false }
    position += 1
    return true
  }

  mutating func skipSpace() {
    while true {
      switch peek {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  mutating func element() -> JSONElementPlace {
    let start = position
    let entries = take("{") ? entries() : []
    if position == start { skipValue() }
    return JSONElementPlace(range: start..<position, entries: entries)
  }

  /// Reads the entries of a map up to its closing brace.
  private mutating func entries() -> [(key: Range<Int>, value: Range<Int>)] {
    var entries: [(key: Range<Int>, value: Range<Int>)] = []
    skipSpace()
    while !isAtEnd, !take("}") {
      let key = place { $0.skipValue() }
      skipSpace()
      _ = take(":")
      skipSpace()
      entries.append((key, place { $0.skipValue() }))
      skipSpace()
      _ = take(",")
      skipSpace()
    }
    return entries
  }

  private mutating func place(_ body: (inout JSONWalk) -> Void) -> Range<Int> {
    let start = position
    body(&self)
    return start..<position
  }

  private mutating func skipValue() {
    var depth = 0
    repeat {
      switch peek {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        position += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        position += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: skipWord()
      }
    } while depth > 0 && !isAtEnd
  }

  private mutating func skipString() {
    position += 1
    while !isAtEnd, !take("\"") { position += peek == UInt8(ascii: "\\") ? 2 : 1 }
    position = min(position, bytes.count)
  }

  /// A number, or a word such as `true`.
  private mutating func skipWord() {
    let ends = ",:]}\" \n\r\t".utf8
    repeat { position += 1 } while !isAtEnd && !ends.contains(peek)
  }
}
