import Glibc
import TextSearch

/// Returns the places of entries in the order of their keys' text, compared byte by byte; nil if
/// they stand in it.
func placesInOrder(_ entries: UnsafeBufferPointer<ValueMap.Entry>) -> [Int]? {
  if entries.count < 2 { return nil }
  // Nearly all keys differ in their first bytes, which are compared at once.
  return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: entries.count) { starts in
    var isInOrder = true
    for index in entries.indices {
      starts.initializeElement(at: index, to: firstBytes(of: entries[index].key))
      if index > 0, hasSmallerKey(entries, starts, index, index - 1) { isInOrder = false }
    }
    return isInOrder ? nil : sortedPlaces(entries, starts)
  }
}

/// The most keys that are sorted by inserting one after the other.
private let mostInserted = 16

private func sortedPlaces(
  _ entries: UnsafeBufferPointer<ValueMap.Entry>, _ starts: UnsafeMutableBufferPointer<UInt64>
) -> [Int] {
  var places = Array(entries.indices)
  // Nearly all maps are small, and the general sort takes longer for them.
  if places.count > mostInserted {
    return places.sorted { hasSmallerKey(entries, starts, $0, $1) }
  }
  for end in places.indices.dropFirst() {
    let place = places[end]
    var position = end
    while position > 0, hasSmallerKey(entries, starts, place, places[position - 1]) {
      places[position] = places[position - 1]
      position -= 1
    }
    places[position] = place
  }
  return places
}

private func hasSmallerKey(
  _ entries: UnsafeBufferPointer<ValueMap.Entry>, _ starts: UnsafeMutableBufferPointer<UInt64>,
  _ left: Int, _ right: Int
) -> Bool {
  if starts[left] != starts[right] { return starts[left] < starts[right] }
  if case .string(let a) = entries[left].key, case .string(let b) = entries[right].key {
    return precedes(a, b)
  }
  return precedes(entries[left].key.plainText, entries[right].key.plainText)
}

/// Returns the first eight bytes of a key's text as a number, with zeros behind a shorter one.
private func firstBytes(of key: Value) -> UInt64 {
  guard case .string(let text) = key else { return firstBytes(of: key.plainText) }
  return firstBytes(of: text)
}

private func firstBytes(of text: String) -> UInt64 {
  text.utf8.withContiguousStorageIfAvailable { utf8 in
    guard let first = UnsafeRawPointer(utf8.baseAddress) else { return 0 }
    if utf8.count >= 8 { return UInt64(bigEndian: first.loadUnaligned(as: UInt64.self)) }
    var word: UInt64 = 0
    memcpy(&word, first, utf8.count)
    return UInt64(bigEndian: word)
  } ?? firstBytes(of: String(decoding: Array(text.utf8), as: UTF8.self))
}

/// Returns whether a text comes before another, byte by byte.
private func precedes(_ left: String, _ right: String) -> Bool {
  let direct = left.utf8.withContiguousStorageIfAvailable { a in
    right.utf8.withContiguousStorageIfAvailable { b in
      guard let first = a.baseAddress, let other = b.baseAddress else { return a.count < b.count }
      let order = memcmp(first, other, min(a.count, b.count))
      return order == 0 ? a.count < b.count : order < 0
    }
  }
  return (direct ?? nil) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
}
