/// What one end of a connection sent at once, for the other end to receive in the same pieces.
///
/// The system joins and cuts bytes as it likes; faults that are drawn piece by piece would strike
/// otherwise each time.
final class SentPieces {
  private var sizes: ArraySlice<Int> = []
  /// What has arrived of the first of them.
  private var gathered: [UInt8] = []

  /// How much may be read at once; without a piece on its way, as much as there is.
  var missing: Int { sizes.first.map { $0 - gathered.count } ?? .max }

  func wasSent(_ size: Int) { sizes.append(size) }

  /// A piece that is whole now.
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

  /// What has arrived of a piece of which no more will come.
  func takeRest() -> [UInt8]? {
    defer { gathered = [] }
    return gathered.isEmpty ? nil : gathered
  }
}
