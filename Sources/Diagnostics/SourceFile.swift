import Glibc
import Synchronization

/// A text that was read, its display name, and the offsets of its lines.
public final class SourceFile: Sendable {
  /// The path as the user gave it, or a name in angle brackets for text without a file.
  public let path: String
  private let contents: Contents

  private enum Contents: Sendable {
    case known(Text)
    case unread(UnreadText)
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

  /// A text that is read when it is shown, which for most is never.
  private final class UnreadText: Sendable {
    private let read: @Sendable () -> [UInt8]
    private let text = Mutex<Text?>(nil)

    init(_ read: @escaping @Sendable () -> [UInt8]) { self.read = read }

    var value: Text {
      text.withLock { text in
        let known = text ?? Text(read())
        text = known
        return known
      }
    }
  }

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    contents = .known(Text(bytes))
  }

  /// Makes a text that is read once something of it is to be shown.
  public init(path: String, reading read: @escaping @Sendable () -> [UInt8]) {
    self.path = path
    contents = .unread(UnreadText(read))
  }

  private var text: Text {
    switch contents {
    case .known(let text): text
    case .unread(let text): text.value
    }
  }

  public var bytes: [UInt8] { text.bytes }

  /// True for a recording, whose text is read only if some of it is shown.
  public var isReadLate: Bool { if case .unread = contents { true } else { false } }

  /// The byte offset of each line; the first is 0.
  public var lineStarts: [Int32] { text.lineStarts }

  private static func lineStarts(of bytes: [UInt8]) -> [Int32] {
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
    let (bytes, lineStarts) = (self.bytes, self.lineStarts)
    let line = lineIndex(of: offset, lineStarts)
    let start = Int(lineStarts[line])
    let end = max(start, min(offset, bytes.count))
    let before = bytes[start..<end]
    // A line of ASCII has a byte for each character: only its end may be one of two.
    let isASCII = before.allSatisfy { $0 < 0x80 }
    let characters = isASCII ? before.count : String(decoding: before, as: UTF8.self).count
    return (line + 1, characters + 1)
  }

  /// Returns the text of a line, counted from 1, without its line break.
  public func line(_ number: Int) -> String {
    let (bytes, lineStarts) = (self.bytes, self.lineStarts)
    let start = Int(lineStarts[number - 1])
    var end = number < lineStarts.count ? Int(lineStarts[number]) - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
  }

  private func lineIndex(of offset: Int, _ lineStarts: [Int32]) -> Int {
    var low = 0
    var high = lineStarts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if Int(lineStarts[middle]) <= offset { low = middle } else { high = middle - 1 }
    }
    return low
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
