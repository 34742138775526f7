import Glibc
import TextSearch

/// Bytes that are written one after the other.
///
/// An array checks for each piece whether it is shared and has room, and counts its references. A
/// line of a trace has fifty pieces, and these checks took most of its time.
package struct OutputBytes: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  package private(set) var count = 0

  package init(minimumCapacity: Int = 256) {
    capacity = max(minimumCapacity, 16)
    memory = .allocate(capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// Calls a function with the bytes from a place on, where they are.
  package func withBytes<Result>(
    from start: Int = 0, to end: Int? = nil, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    body(UnsafeBufferPointer(start: memory + start, count: (end ?? count) - start))
  }

  /// The bytes, as an array of its own.
  package var array: [UInt8] { withBytes { Array($0) } }

  /// The bytes as text in UTF-8.
  package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Sets a byte that was written.
  package subscript(index: Int) -> UInt8 {
    get { memory[checked(index)] }
    set { memory[checked(index)] = newValue }
  }

  private func checked(_ index: Int) -> Int {
    precondition(index >= 0 && index < count)
    return index
  }

  /// Removes the bytes behind the first ones. The memory stays.
  package mutating func removeBytes(from start: Int = 0) {
    precondition(start >= 0 && start <= count)
    count = start
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    memory[count] = byte
    count += 1
  }

  package mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.baseAddress else { return }
    if bytes.count > capacity - count { grow(by: bytes.count) }
    memcpy(memory + count, first, bytes.count)
    count += bytes.count
  }

  private mutating func grow(by more: Int) {
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: memory, count: count)
    memory.deallocate()
    memory = larger
  }
}

extension OutputBytes {
  /// Appends text in double quotes, escaped for JSON.
  package mutating func appendJSON(text: String) {
    append(UInt8(ascii: "\""))
    appendEscaped(text)
    append(UInt8(ascii: "\""))
  }

  /// Appends a part of a text, escaped for JSON.
  mutating func appendEscaped(_ text: String) {
    // Nearly all texts are in memory as they are written, and need no copy of their own.
    let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { appendEscaped(utf8: $0) }
    if isWritten == nil { Array(text.utf8).withUnsafeBufferPointer { appendEscaped(utf8: $0) } }
  }

  private mutating func appendEscaped(utf8: UnsafeBufferPointer<UInt8>) {
    if utf8.count + 2 > capacity - count { grow(by: utf8.count + 2) }
    var start = 0
    while let index = firstEscaped(utf8, from: start) {
      append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
      appendEscaped(utf8[index])
      start = index + 1
    }
    append(UnsafeBufferPointer(rebasing: utf8[start...]))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append(byte < 0x10 ? "u000" : "u001")
      let digit = byte & 0x0F
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Appends an integer in decimal digits.
  package mutating func appendDecimal(_ number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    appendDecimal(number.magnitude)
  }

  /// Appends an integer without a sign in decimal digits.
  package mutating func appendDecimal(_ number: UInt) {
    if number < 10 { return append(UInt8(ascii: "0") + UInt8(number)) }
    let most = 20
    if most > capacity - count { grow(by: most) }
    var rest = number
    var length = 0
    repeat {
      rest /= 10
      length += 1
    } while rest > 0
    rest = number
    for place in stride(from: count + length - 1, through: count, by: -1) {
      memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length
  }
}

/// Returns the place of the first byte of a text that JSON escapes; nil if there is none.
private func firstEscaped(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
  guard let first = UnsafeRawPointer(utf8.baseAddress) else { return nil }
  var index = start
  // Eight bytes at once. What follows a byte that is escaped may be reported as well.
  while index + 8 <= utf8.count {
    let word = first.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let quotes = word ^ 0x2222_2222_2222_2222
    let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let found =
      (word &- 0x2020_2020_2020_2020) & ~word | (quotes &- 0x0101_0101_0101_0101) & ~quotes
      | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
    if found & 0x8080_8080_8080_8080 != 0 { break }
    index += 8
  }
  while index < utf8.count {
    let byte = utf8[index]
    if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
    index += 1
  }
  return nil
}
