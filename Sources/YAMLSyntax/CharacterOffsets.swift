/// Finds the byte at which a character stands, as libyaml counts characters and ranges count bytes.
struct CharacterOffsets {
  private let base: Int
  /// Numbers of the characters that have several bytes, and how many bytes more than characters
  /// there are up to and including each.
  private var wideCharacters: [Int32] = []
  private var excess: [Int32] = []

  /// Characters are counted from `base`, which is the offset of the first of these bytes.
  init(_ bytes: UnsafeBufferPointer<UInt8>, base: Int, isASCII: Bool) {
    self.base = base
    if isASCII { return }
    var character: Int32 = 0
    var surplus: Int32 = 0
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      let width = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      if width > 1 {
        surplus += Int32(width - 1)
        wideCharacters.append(character)
        excess.append(surplus)
      }
      character += 1
      position += width
    }
  }

  @inline(__always)
  func byteOffset(ofCharacter number: Int) -> Int {
    wideCharacters.isEmpty ? base + number : searchedOffset(ofCharacter: number)
  }

  private func searchedOffset(ofCharacter number: Int) -> Int {
    var low = 0
    var high = wideCharacters.count
    while low < high {
      let middle = (low + high) / 2
      if Int(wideCharacters[middle]) < number { low = middle + 1 } else { high = middle }
    }
    return base + number + (low > 0 ? Int(excess[low - 1]) : 0)
  }
}
