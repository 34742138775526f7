import Diagnostics
import Glibc
import Synchronization
import TextSearch

/// The bytes of a trace: in memory, or in a file of which only a few blocks are in memory.
package final class TraceBytes: RecordedText {
  private enum Storage: Sendable {
    case memory([UInt8])
    case file(Int32)
  }

  /// A part of a file that was read.
  private struct Block: Sendable {
    var start = 0
    var bytes: [UInt8] = []
    /// True if it has the beginning of a line that is too long to be read.
    var isCut = false
  }

  /// The end of a line's bytes.
  package enum LineEnd {
    case newline, nothing
    /// The line is longer than the limit; these bytes are its beginning.
    case more
  }

  private struct Blocks {
    var all = [Block](repeating: Block(), count: 4)
    var oldest = 0
  }

  package let count: Int
  private let storage: Storage
  private let blocks = Mutex(Blocks())

  private static let blockSize = 64 << 10
  /// The bytes before a line that are read with it, since what caused a line stands before it.
  private static let bytesBefore = 8 << 10

  package init(_ bytes: [UInt8]) {
    storage = .memory(bytes)
    count = TraceBytes.countWithoutZeros(bytes)
  }

  /// Takes an open file, and closes it in the end. What is appended to it later is not read.
  package init(file descriptor: Int32, count size: Int) {
    storage = .file(descriptor)
    var count = size
    while count > 0 {
      let start = max(0, count - TraceBytes.blockSize)
      let rest = TraceBytes.countWithoutZeros(
        TraceBytes.read(descriptor, from: start, upTo: count))
      count = start + rest
      if rest > 0 { break }
    }
    self.count = count
  }

  /// Returns the count of bytes before the zeros at the end, which a killed run leaves.
  private static func countWithoutZeros(_ bytes: [UInt8]) -> Int {
    bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
  }

  deinit { if case .file(let descriptor) = storage { close(descriptor) } }

  /// All bytes; of a file, those that it has now.
  package var all: [UInt8] {
    if case .memory(let bytes) = storage, bytes.count == count { return bytes }
    return bytes(0..<count)
  }

  /// Returns the bytes in a range, as far as there are any.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    switch storage {
    case .memory(let bytes): return Array(bytes[range])
    case .file(let file):
      return TraceBytes.read(file, from: range.lowerBound, upTo: range.upperBound)
    }
  }

  /// Returns the whole lines at the beginning; nil if that is all, or not one line.
  package func head(_ most: Int) -> TraceBytes? {
    guard count > most else { return nil }
    let bytes = bytes(0..<most)
    return bytes.lastIndex(of: UInt8(ascii: "\n")).map { TraceBytes(Array(bytes[...$0])) }
  }

  /// Calls a function with the line that begins at an offset, and with what ends it.
  package func withLine<Result>(
    at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, LineEnd) -> Result
  ) -> Result {
    switch storage {
    case .memory(let bytes):
      return bytes.withUnsafeBufferPointer {
        TraceBytes.line(UnsafeBufferPointer(rebasing: $0[..<count]), from: offset, false, body)
      }
    case .file(let descriptor):
      let block = blocks.withLock { blocks in
        blocks.all[index(of: offset, descriptor, &blocks)]
      }
      return block.bytes.withUnsafeBufferPointer {
        TraceBytes.line($0, from: offset - block.start, block.isCut, body)
      }
    }
  }

  /// Returns where the next line begins, or where the last one may be no longer.
  func nextLine(after offset: Int, upTo most: Int = .max) -> Int {
    var offset = offset
    let most = min(most, count)
    while offset < most {
      let piece = bytes(offset..<min(offset + TraceBytes.blockSize, most))
      if piece.isEmpty { break }
      let length = piece.withUnsafeBufferPointer { TraceBytes.lengthOfLine($0, from: 0) }
      if let length { return offset + length + 1 }
      offset += piece.count
    }
    return most
  }

  private static func line<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ isCut: Bool,
    _ body: (UnsafeBufferPointer<UInt8>, LineEnd) -> Result
  ) -> Result {
    guard start < bytes.count else {
      return body(UnsafeBufferPointer(rebasing: bytes[..<0]), .nothing)
    }
    let length = lengthOfLine(bytes, from: start)
    let rest = length ?? bytes.count - start
    if rest > TraceLimit.lineBytes || length == nil && isCut {
      let beginning = bytes[start..<(start + min(rest, blockSize))]
      return body(UnsafeBufferPointer(rebasing: beginning), .more)
    }
    return body(
      UnsafeBufferPointer(rebasing: bytes[start..<(start + rest)]),
      length == nil ? .nothing : .newline)
  }

  private static func lengthOfLine(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let first = bytes.baseAddress, start < bytes.count else { return nil }
    let found = memchr(first + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
    return found.map { UnsafeRawPointer($0) - UnsafeRawPointer(first + start) }
  }

  /// Returns the block that has the whole line at an offset, or as much as the limit allows.
  private func index(of offset: Int, _ file: Int32, _ blocks: inout Blocks) -> Int {
    let known = blocks.all.firstIndex { block in
      offset >= block.start && offset < block.start + block.bytes.count
        && (block.start + block.bytes.count == count
          || block.bytes.withUnsafeBufferPointer {
            TraceBytes.lengthOfLine($0, from: offset - block.start) != nil
          })
    }
    if let known { return known }
    let start = max(0, offset - TraceBytes.bytesBefore)
    let end = min(start + TraceBytes.blockSize, count)
    var block = Block(start: start, bytes: TraceBytes.read(file, from: start, upTo: end))
    let length = block.bytes.withUnsafeBufferPointer {
      TraceBytes.lengthOfLine($0, from: offset - start)
    }
    if length == nil, end < count {
      let most = offset + TraceLimit.lineBytes + 1
      let next = nextLine(after: end, upTo: most + 1)
      block.isCut = next > most
      if !block.isCut { block.bytes += TraceBytes.read(file, from: end, upTo: next) }
    }
    blocks.oldest = (blocks.oldest + 1) % blocks.all.count
    blocks.all[blocks.oldest] = block
    return blocks.oldest
  }

  private static func read(_ file: Int32, from start: Int, upTo end: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(0, end - start)) { buffer, done in
      while done < end - start, let first = buffer.baseAddress {
        let got = pread(file, first + done, end - start - done, off_t(start + done))
        if got < 0, errno == EINTR { continue }
        // A file that became shorter meanwhile ends here.
        guard got > 0 else { return }
        done += got
      }
    }
  }
}
