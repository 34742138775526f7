import Glibc

/// A finder of the line ends in some bytes, one after the other; it reads no byte twice.
struct LineEnds {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The next of each, or the count of the bytes if there is none; -1 before the first search.
  private var lineFeed = -1
  private var carriageReturn = -1

  init(in bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Returns the next LF or CR, or the count of the bytes.
  @inline(__always)
  mutating func next(from start: Int) -> Int {
    if carriageReturn < start { carriageReturn = place(of: 0x0D, from: start) }
    return min(nextLineFeed(from: start), carriageReturn)
  }

  /// Returns the next LF, or the count of the bytes.
  @inline(__always)
  mutating func nextLineFeed(from start: Int) -> Int {
    if lineFeed < start { lineFeed = place(of: 0x0A, from: start) }
    return lineFeed
  }

  private func place(of byte: CInt, from start: Int) -> Int {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, byte, bytes.count - start)
    else { return bytes.count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}

/// A mark that some writers put before their text; it is not part of the text.
let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
