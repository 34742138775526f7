/// The sizes of what one end of a connection sent at once, so that the other end receives the same
/// pieces.
///
/// The system joins and cuts bytes as it likes, so faults that are drawn piece by piece would
/// differ from run to run.
final class SentPieces {
  private var sizes: ArraySlice<Int> = []
  /// The bytes of the first piece that have arrived.
  private var gathered: [UInt8] = []

  /// The number of bytes that may be read at once. Without a piece on its way there is no limit.
  var missing: Int { sizes.first.map { $0 - gathered.count } ?? .max }

  func wasSent(_ size: Int) { sizes.append(size) }

  /// Accepts bytes and returns the piece that they complete, if they do.
  func take(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count < missing else {
      sizes = sizes.dropFirst()
      guard !gathered.isEmpty else { return bytes }
      defer { gathered = [] }
      return gathered + bytes
    }
    gathered += bytes
    return nil
  }

  /// Takes out the bytes of a piece that will not be completed.
  func takeRest() -> [UInt8]? {
    defer { gathered = [] }
    return gathered.isEmpty ? nil : gathered
  }
}
