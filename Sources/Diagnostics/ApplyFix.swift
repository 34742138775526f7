extension Diagnostic {
  /// Returns the bytes of its file that its correction replaces, and the text for them; nil if no
  /// correction is certain.
  public func change(in sources: SourceMap) -> (start: Int, end: Int, text: String)? {
    guard let fix, let place = labels.first?.range, let bytes = sources.file(of: place)?.bytes
    else { return nil }
    switch fix {
    case .text(let range, let text): return (Int(range.start), Int(range.end), text)
    case .line(let text):
      var start = min(Int(place.start), bytes.count)
      var end = start
      while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
      while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      while start < end, bytes[start] == 0x20 { start += 1 }
      return (start, end, text)
    }
  }
}
