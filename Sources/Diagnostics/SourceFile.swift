import Glibc
import Synchronization

/// A text that was read, its display name, and the offsets of its lines.
public final class SourceFile: Sendable {
  /// The path as the user gave it, or a name in angle brackets for text without a file.
  public let path: String
  /// True for a text that the program itself carries. Its path is a name, and means no file.
  public let isCarried: Bool
  private let contents: Contents

  private enum Contents: Sendable {
    case known(Text)
    case recording(LongText)
  }

  /// Bytes, and where their lines begin.
  private struct Text: Sendable {
    var bytes: [UInt8]
    var lineStarts: [Int32]

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      lineStarts = SourceFile.lineStarts(of: bytes)
    }
  }

  public init(path: String, bytes: [UInt8], isCarried: Bool = false) {
    self.path = path
    self.isCarried = isCarried
    contents = .known(Text(bytes))
  }

  /// Makes a recording, of which only the lines that are shown are read.
  public init(path: String, recording: any RecordedText) {
    self.path = path
    isCarried = false
    contents = .recording(LongText(recording))
  }

  /// All bytes.
  public var bytes: [UInt8] {
    switch contents {
    case .known(let text): text.bytes
    case .recording(let text): text.bytes(0..<text.count)
    }
  }

  public var count: Int {
    switch contents {
    case .known(let text): text.bytes.count
    case .recording(let text): text.count
    }
  }

  /// Returns the bytes in a range, which lies in the text.
  public func bytes(_ range: Range<Int>) -> [UInt8] {
    switch contents {
    case .known(let text): Array(text.bytes[range])
    case .recording(let text): text.bytes(range)
    }
  }

  /// True for a recording, whose text is read only if some of it is shown.
  public var isRecording: Bool { if case .recording = contents { true } else { false } }

  /// Returns where a line begins, counted from 1; nil if there is no such line.
  public func start(ofLine number: Int) -> Int? {
    // A report of others may have any number.
    guard number > 0 else { return nil }
    return switch contents {
    case .known(let text):
      text.lineStarts.indices.contains(number - 1) ? Int(text.lineStarts[number - 1]) : nil
    case .recording(let text): text.start(ofLine: number)
    }
  }

  fileprivate static func lineStarts(of bytes: [UInt8]) -> [Int32] {
    var starts: [Int32] = [0]
    starts.reserveCapacity(bytes.count / 32 + 1)
    bytes.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return }
      var rest = first
      let end = first + bytes.count
      while let found = memchr(rest, Int32(UInt8(ascii: "\n")), end - rest) {
        rest = UnsafeRawPointer(found) + 1
        starts.append(Int32(rest - first))
      }
    }
    return starts
  }

  public convenience init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// Returns line and column of a byte offset, both from 1; columns count characters, not bytes.
  public func place(of offset: Int) -> (line: Int, column: Int) {
    let (line, start) = lineStart(before: offset)
    let before = bytes(start..<max(start, min(offset, count)))
    // A line of ASCII has a byte for each character: only its end may be one of two.
    let isASCII = before.allSatisfy { $0 < 0x80 }
    let characters = isASCII ? before.count : String(decoding: before, as: UTF8.self).count
    return (line, characters + 1)
  }

  /// Returns the text of a line, counted from 1, without its line break.
  public func line(_ number: Int) -> String {
    guard let start = start(ofLine: number) else { return "" }
    var end = self.start(ofLine: number + 1).map { $0 - 1 } ?? count
    if isRecording { end = min(end, start + SourceFile.mostQuoted) }
    var line = bytes(start..<max(start, end))
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  /// The bytes of a line that are read to be quoted. A recording may have lines of any length.
  private static let mostQuoted = 64 << 10

  /// Returns the line of a byte, and where it begins.
  private func lineStart(before offset: Int) -> (line: Int, start: Int) {
    switch contents {
    case .recording(let text): return text.lineStart(before: offset)
    case .known(let text):
      let line = lastIndex(of: text.lineStarts, upTo: Int32(clamping: offset))
      return (line + 1, Int(text.lineStarts[line]))
    }
  }
}

/// Returns the index of the last number that is not above another; 0 if all are above it.
private func lastIndex<Number: Comparable>(of rising: [Number], upTo most: Number) -> Int {
  var (low, high) = (0, rising.count - 1)
  while low < high {
    let middle = (low + high + 1) / 2
    if rising[middle] <= most { low = middle } else { high = middle - 1 }
  }
  return low
}

/// A text that stays in its file, since it may be longer than the memory.
public protocol RecordedText: Sendable {
  var count: Int { get }
  /// Returns the bytes in a range, as far as there are any.
  func bytes(_ range: Range<Int>) -> [UInt8]
}

/// A recording, and where some of its lines begin.
private final class LongText: Sendable {
  private let text: any RecordedText
  /// Where the first of each 1,024 lines begins; nil until one is asked for.
  private let marks = Mutex<[Int]?>(nil)
  private static let linesOfMark = 1_024
  private static let pieceSize = 64 << 10

  init(_ text: any RecordedText) { self.text = text }

  var count: Int { text.count }

  func bytes(_ range: Range<Int>) -> [UInt8] { text.bytes(range) }

  func start(ofLine number: Int) -> Int? {
    let marks = knownMarks
    let (mark, rest) = (number - 1).quotientAndRemainder(dividingBy: LongText.linesOfMark)
    guard marks.indices.contains(mark) else { return nil }
    var (left, start) = (rest, marks[mark])
    visitLineStarts(behind: start) {
      if left > 0 { (left, start) = (left - 1, $0) }
      return left > 0
    }
    return left == 0 ? start : nil
  }

  func lineStart(before offset: Int) -> (line: Int, start: Int) {
    let marks = knownMarks
    let mark = lastIndex(of: marks, upTo: offset)
    var (line, start) = (mark * LongText.linesOfMark + 1, marks[mark])
    visitLineStarts(behind: start) {
      if $0 <= offset { (line, start) = (line + 1, $0) }
      return $0 < offset
    }
    return (line, start)
  }

  private var knownMarks: [Int] {
    marks.withLock { marks in
      if let marks { return marks }
      var (all, line) = ([0], 0)
      visitLineStarts(behind: 0) {
        line += 1
        if line.isMultiple(of: LongText.linesOfMark) { all.append($0) }
        return true
      }
      marks = all
      return all
    }
  }

  /// Visits the beginnings of the lines behind an offset until the visitor returns false.
  private func visitLineStarts(behind start: Int, _ visit: (Int) -> Bool) {
    var offset = start
    while true {
      let piece = text.bytes(offset..<offset + LongText.pieceSize)
      if piece.isEmpty { return }
      for found in SourceFile.lineStarts(of: piece).dropFirst() where !visit(offset + Int(found)) {
        return
      }
      offset += piece.count
    }
  }
}

/// All texts of one load; a range names its file by the position in here.
public struct SourceMap: Sendable {
  public private(set) var files: [SourceFile] = []

  public init() {}

  /// Adds a text and returns its number for ranges.
  public mutating func add(_ file: SourceFile) -> Int32 {
    files.append(file)
    return Int32(files.count - 1)
  }

  /// Returns the file of a range; nil for a range without a file.
  public func file(of range: SourceRange) -> SourceFile? {
    files.indices.contains(Int(range.file)) ? files[Int(range.file)] : nil
  }

  /// Returns `path:line:column` of a range's beginning.
  public func placeText(of range: SourceRange) -> String? {
    guard let file = file(of: range) else { return nil }
    let place = file.place(of: Int(range.start))
    return "\(file.path):\(place.line):\(place.column)"
  }
}

/// A range of bytes in one file of a `SourceMap`; the end is not included.
public struct SourceRange: Sendable, Hashable {
  public var file: Int32
  public var start: Int32
  public var end: Int32

  public init(file: Int32, start: Int32, end: Int32) {
    self.file = file
    self.start = start
    self.end = end
  }

  /// The range of things that came from no text.
  public static let none = SourceRange(file: -1, start: 0, end: 0)
}
