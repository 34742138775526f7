extension ValueMap {
  /// Makes a map of names and their texts, in the order of the names. A name that comes several
  /// times has the list of its texts.
  package init(gathering pairs: [(name: String, text: String)]) {
    var places: [String: Int] = [:]
    var all: [(name: String, texts: [Value])] = []
    for pair in pairs {
      // Gathered first: a list inside the map would be copied for each of its texts.
      if let place = places[pair.name] {
        all[place].texts.append(.string(pair.text))
      } else {
        places[pair.name] = all.count
        all.append((pair.name, [.string(pair.text)]))
      }
    }
    self.init(minimumCapacity: all.count)
    for (name, texts) in all { self[.string(name)] = texts.count == 1 ? texts[0] : .list(texts) }
  }
}
