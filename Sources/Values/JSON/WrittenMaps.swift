import TextSearch

/// The texts of the maps that a writer wrote last.
///
/// A run shows one map again and again: in the answer of a server, in the state of its provider, in
/// the events that follow. Its text is made once then. A map is known by its memory, which is kept
/// and so stays as it is: a change of the map makes a copy.
package struct WrittenMaps: Sendable {
  private struct Text {
    var bytes: [UInt8] = []
    /// How many levels of lists and maps are inside the map.
    var height = 0
    /// True if it was found since its place was looked at for another map.
    var wasFound = false
  }

  private static let most = 16
  /// The sizes of texts that are kept. A smaller one is made as fast as it is found.
  private static let keptSizes = 64...(16 << 10)

  /// By place: the memory of the map, in a form that is compared without counting references.
  private var memories: [ObjectIdentifier] = []
  private var maps: [ValueMap] = []
  private var texts: [Text] = []
  private var next = 0

  package init() {}

  /// Appends the text of a map, if it is known. Returns how many levels it has inside.
  ///
  /// - Parameter room: The most levels that may be inside.
  mutating func append(_ map: ValueMap, room: Int, to bytes: inout OutputBytes) -> Int? {
    let memory = map.memory
    guard let place = memories.firstIndex(of: memory), texts[place].height <= room else {
      return nil
    }
    texts[place].wasFound = true
    texts[place].bytes.withUnsafeBufferPointer { bytes.append($0) }
    return texts[place].height
  }

  /// Keeps the text of a map, which is what was written from a place on.
  mutating func keep(
    _ map: ValueMap, height: Int, from start: Int, in bytes: borrowing OutputBytes
  ) {
    guard WrittenMaps.keptSizes.contains(bytes.count - start) else { return }
    let place = freePlace(for: map)
    texts[place].height = height
    bytes.withBytes(from: start) { texts[place].bytes.append(contentsOf: $0) }
  }

  /// Returns a place that is empty: a new one, or that of a map that was not found for long.
  private mutating func freePlace(for map: ValueMap) -> Int {
    guard maps.count >= WrittenMaps.most else {
      memories.append(map.memory)
      maps.append(map)
      texts.append(Text())
      return maps.count - 1
    }
    while texts[next].wasFound { pass() }
    defer { pass() }
    memories[next] = map.memory
    maps[next] = map
    texts[next].bytes.removeAll(keepingCapacity: true)
    return next
  }

  private mutating func pass() {
    texts[next].wasFound = false
    next = (next + 1) % WrittenMaps.most
  }
}
