extension Arena {
  /// Sorts the queue into the order of registration; most waves arrive in it.
  func sortQueue() {
    var queue = state.pointee.queue.buffer
    for index in queue.indices.dropFirst()
    where queue[index - 1].sequence > queue[index].sequence {
      if !queue.sortByPlaces() { queue.sort { $0.sequence < $1.sequence } }
      return
    }
  }
}

extension UnsafeMutableBufferPointer<QueueEntry> {
  /// The number of entries from which on places pay.
  private static var fewestEntries: Int { 32 }
  /// The number of places that there may be for an entry.
  private static var placesPerEntry: Int { 4 }

  /// Sorts entries that were registered close together. Each goes to its place among all numbers in
  /// between, so none is compared with another. Returns false if they are few, or far apart.
  fileprivate func sortByPlaces() -> Bool {
    guard count >= Self.fewestEntries, let range = sequences else { return false }
    let nobody = QueueEntry(sequence: 0, node: -1)
    return withUnsafeTemporaryAllocation(of: QueueEntry.self, capacity: range.count) { places in
      places.initialize(repeating: nobody)
      for entry in self { places[entry.sequence - range.lowerBound] = entry }
      var index = 0
      for entry in places where entry.node >= 0 {
        self[index] = entry
        index += 1
      }
      return true
    }
  }

  /// The numbers of the entries; nil if they are far apart.
  private var sequences: ClosedRange<Int>? {
    var (lowest, highest) = (Int.max, 0)
    for entry in self {
      lowest = Swift.min(lowest, entry.sequence)
      highest = Swift.max(highest, entry.sequence)
    }
    return highest - lowest < count * Self.placesPerEntry ? lowest...highest : nil
  }
}
