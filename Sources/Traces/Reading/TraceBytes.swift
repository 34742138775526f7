import Glibc
import Synchronization
import TextSearch

/// The bytes of a trace: in memory, or in a file of which only a few blocks are in memory.
package final class TraceBytes: Sendable {
  private enum Storage: Sendable {
    case memory([UInt8])
    case file(Int32)
  }

  /// A part of a file that was read.
  private struct Block: Sendable {
    var start = 0
    var bytes: [UInt8] = []
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
    switch storage {
    case .memory(let bytes): bytes.count == count ? bytes : Array(bytes[..<count])
    case .file(let descriptor): TraceBytes.read(descriptor, from: 0, upTo: count)
    }
  }

  /// The bytes that a report quotes from: all of them, unless a line is too long to be read.
  package func quotable(_ problems: [TraceProblem]) -> [UInt8] {
    let isTooLong = problems.contains { if case .lineTooLong = $0.kind { true } else { false } }
    return isTooLong ? beginning(TraceBytes.blockSize) : all
  }

  /// Returns the whole lines at the beginning; nil if that is all, or not one line.
  package func head(_ most: Int) -> TraceBytes? {
    guard count > most else { return nil }
    let bytes = beginning(most)
    return bytes.lastIndex(of: UInt8(ascii: "\n")).map { TraceBytes(Array(bytes[...$0])) }
  }

  private func beginning(_ most: Int) -> [UInt8] {
    switch storage {
    case .memory(let bytes): Array(bytes.prefix(min(most, count)))
    case .file(let descriptor): TraceBytes.read(descriptor, from: 0, upTo: min(most, count))
    }
  }

  /// Calls a function with the line that begins at an offset, without its end, and with whether it
  /// has one. Of a line that is longer than the limit, it gets the beginning.
  package func withLine<Result>(
    at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, _ hasEnd: Bool) -> Result
  ) -> Result {
    switch storage {
    case .memory(let bytes):
      return bytes.withUnsafeBufferPointer {
        TraceBytes.line(UnsafeBufferPointer(rebasing: $0[..<count]), from: offset, body)
      }
    case .file(let descriptor):
      let block = blocks.withLock { blocks in
        blocks.all[index(of: offset, descriptor, &blocks)]
      }
      return block.bytes.withUnsafeBufferPointer {
        TraceBytes.line($0, from: offset - block.start, body)
      }
    }
  }

  /// Returns where the next line begins.
  func nextLine(after offset: Int) -> Int {
    var offset = offset
    while offset < count {
      let (passed, hasEnd) = withLine(at: offset) { ($0.count, $1) }
      offset += passed + (hasEnd ? 1 : 0)
      if hasEnd { break }
    }
    return offset
  }

  private static func line<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int,
    _ body: (UnsafeBufferPointer<UInt8>, Bool) -> Result
  ) -> Result {
    guard start < bytes.count else {
      return body(UnsafeBufferPointer(rebasing: bytes[..<0]), false)
    }
    let length = lengthOfLine(bytes, from: start)
    let most = min(length ?? bytes.count - start, TraceLimit.lineBytes + 1)
    return body(UnsafeBufferPointer(rebasing: bytes[start..<(start + most)]), length == most)
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
    var end = start + TraceBytes.blockSize
    var bytes = TraceBytes.read(file, from: start, upTo: min(end, count))
    while end < count, end - start <= TraceLimit.lineBytes,
      bytes.withUnsafeBufferPointer({ TraceBytes.lengthOfLine($0, from: offset - start) }) == nil
    {
      end += end - start
      bytes = TraceBytes.read(file, from: start, upTo: min(end, count))
    }
    blocks.oldest = (blocks.oldest + 1) % blocks.all.count
    blocks.all[blocks.oldest] = Block(start: start, bytes: bytes)
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
