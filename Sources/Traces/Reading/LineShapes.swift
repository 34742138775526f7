import TextSearch

/// The kinds of lines, each with the number of the line's source. Few lines differ in both, so a
/// line has the number of its pair alone: one byte of it while that is enough, else two.
struct LineShapes: Sendable {
  /// The kind of a line, and its source.
  struct Shape: Hashable, Sendable {
    var kind: UInt8
    var source: UInt16
  }

  private enum Column: Sendable {
    case bytes([UInt8])
    case words([UInt16])
  }

  private var shapes: [Shape] = []
  private var numbers: [Shape: UInt16] = [:]
  private var column = Column.bytes([])
  /// Stands for a source when there are too many pairs; a pair of each kind with it has its place.
  private let unlistedSource: UInt16

  /// The most pairs whose numbers are not kept for the unlisted source, of which there is one for
  /// each kind.
  private static let mostListed = Int(UInt16.max) - Int(UInt8.max)

  init(unlistedSource: UInt16) { self.unlistedSource = unlistedSource }

  var count: Int {
    switch column {
    case .bytes(let bytes): bytes.count
    case .words(let words): words.count
    }
  }

  subscript(index: Int) -> Shape {
    switch column {
    case .bytes(let bytes): shapes[Int(bytes[index])]
    case .words(let words): shapes[Int(words[index])]
    }
  }

  mutating func append(_ shape: Shape) {
    let number = number(of: shape)
    switch column {
    case .bytes(var bytes):
      column = .bytes([])
      if let byte = UInt8(exactly: number) {
        bytes.append(byte)
        column = .bytes(bytes)
      } else {
        column = .words(bytes.map { UInt16($0) } + [number])
      }
    case .words(var words):
      column = .words([])
      words.append(number)
      column = .words(words)
    }
  }

  private mutating func number(of shape: Shape) -> UInt16 {
    if let known = numbers[shape] { return known }
    if shape.source != unlistedSource, shapes.count >= LineShapes.mostListed {
      return number(of: Shape(kind: shape.kind, source: unlistedSource))
    }
    shapes.append(shape)
    numbers[shape] = UInt16(shapes.count - 1)
    return UInt16(shapes.count - 1)
  }
}
