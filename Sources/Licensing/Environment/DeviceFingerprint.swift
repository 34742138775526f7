import Glibc
import Values

/// The text that distinguishes this device from others, for licenses that are bound to devices.
public protocol DeviceFingerprint: Sendable {
  /// Returns a text of at least 8 bytes that stays the same on this device.
  func fingerprint() throws -> String
}

/// A fingerprint that the program knows.
public struct FixedFingerprint: DeviceFingerprint {
  private let text: String

  /// Makes a fingerprint of a text.
  public init(_ text: String) { self.text = text }

  /// Returns the text.
  public func fingerprint() -> String { text }
}

/// The fingerprint of the machine's id (`/etc/machine-id`), as a digest that does not reveal it.
public struct MachineFingerprint: DeviceFingerprint {
  private let paths: [String]

  /// Makes a fingerprint. The first file with anything in it is read.
  public init(paths: [String] = ["/etc/machine-id", "/var/lib/dbus/machine-id"]) {
    self.paths = paths
  }

  /// Returns the digest; throws if no file has an id.
  public func fingerprint() throws -> String {
    for path in paths {
      if let text = firstLine(of: path) { return SHA256.digest(of: seed(text)) }
    }
    throw LicenseError(
      code: "fingerprint_unavailable", message: "This device has no id that can be read.")
  }

  private func seed(_ text: String) -> [UInt8] { Array("licensing/\(text)".utf8) }

  private func firstLine(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let bytes = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
