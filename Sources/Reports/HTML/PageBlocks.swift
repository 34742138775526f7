/// Documents of the page as lists in JSON, which are compressed and parsed one by one.
struct PageBlocks {
  /// The place of a document.
  struct Place: Equatable {
    var block: Int
    var index: Int
  }

  private let bytes: Int
  private var blocks: [String] = []
  private var open = ""
  private var openCount = 0

  /// - Parameter bytes: The most bytes of a block, unless a single document is longer.
  init(bytes: Int) { self.bytes = bytes }

  mutating func append(_ json: String) -> Place {
    if open.utf8.count + json.utf8.count > bytes { close() }
    let place = Place(block: blocks.count, index: openCount)
    open += (open.isEmpty ? "[" : ",\n") + json
    openCount += 1
    return place
  }

  private mutating func close() {
    if openCount == 0 { return }
    blocks.append(open + "]")
    (open, openCount) = ("", 0)
  }

  func finished() -> [String] {
    var last = self
    last.close()
    return last.blocks
  }
}
