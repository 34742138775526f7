import TextSearch

/// Returns the offset of the first byte that is not well-formed UTF-8; nil if all are.
public func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  var position = 0
  while position < bytes.count {
    if bytes[position] < 0x80 {
      position = skipASCII(bytes, from: position)
    } else {
      let length = utf8SequenceLength(bytes, at: position)
      if length == 0 { return position }
      position += length
    }
  }
  return nil
}

/// Skips ASCII eight bytes at a time, as nearly all text is ASCII.
private func skipASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
  var position = start
  let raw = UnsafeRawBufferPointer(bytes)
  while position + 8 <= bytes.count,
    raw.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
  {
    position += 8
  }
  while position < bytes.count, bytes[position] < 0x80 { position += 1 }
  return position
}

/// Returns the length of the multi-byte sequence that begins here; 0 if it is not valid.
public func utf8SequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
  func byte(_ distance: Int) -> UInt8 {
    start + distance < bytes.count ? bytes[start + distance] : 0
  }
  func continues(_ distance: Int) -> Bool { byte(distance) & 0xC0 == 0x80 }
  let second = byte(1)
  switch bytes[start] {
  case 0xC2...0xDF: return continues(1) ? 2 : 0
  case 0xE0: return second >= 0xA0 && continues(1) && continues(2) ? 3 : 0
  case 0xED: return second < 0xA0 && continues(1) && continues(2) ? 3 : 0
  case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
  case 0xF0: return second >= 0x90 && continues(1) && continues(2) && continues(3) ? 4 : 0
  case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
  case 0xF4: return second < 0x90 && continues(1) && continues(2) && continues(3) ? 4 : 0
  default: return 0
  }
}
