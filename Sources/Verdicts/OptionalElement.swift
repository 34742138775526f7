import TextSearch

extension Array {
  /// The element at a place; nil where there is none, as a log read from a file may point anywhere.
  subscript(ifPresent place: Int) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}
