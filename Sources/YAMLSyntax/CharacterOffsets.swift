/// A map from character offsets, which libyaml counts, to byte offsets, which ranges count.
package struct CharacterOffsets {
  private let base: Int
  /// The positions of the characters with several bytes, and for each the surplus of bytes over
  /// characters up to it.
  private var wideCharacters: [Int32] = []
  private var excess: [Int32] = []

  /// Counts characters from `base`, the offset of the first of these bytes.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, base: Int, isASCII: Bool) {
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
  package func byteOffset(ofCharacter number: Int) -> Int {
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
