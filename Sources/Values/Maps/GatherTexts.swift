extension ValueMap {
  /// Makes a map of names and their texts, in the order of the names. A name that comes several
  /// times has the list of its texts.
  package init(gathering pairs: [(name: String, text: String)]) {
    self.init(minimumCapacity: pairs.count)
    // Gathered apart: a list inside the map would be copied for each of its texts.
    var lists: [Value: [Value]] = [:]
    for pair in pairs {
      let text = Value.string(pair.text)
      guard let earlier = updateValue(text, forKey: .string(pair.name)) else { continue }
      lists[.string(pair.name), default: [earlier]].append(text)
    }
    for (name, texts) in lists { self[name] = .list(texts) }
  }
}
