import CCompression
import TextSearch

/// The compression of a body.
package enum ContentCoding: String, Sendable, CaseIterable {
  case gzip
  /// Compression in zlib's wrapping, as the rules have it, or without, as many servers send it.
  case deflate
  case brotli = "br"
  case zstd

  /// Makes the coding with a name of a header; nil for an unknown one.
  package init?(name: String) {
    if sameName(name, "x-gzip") {
      self = .gzip
    } else if let coding = ContentCoding.allCases.first(where: { sameName(name, $0.rawValue) }) {
      self = coding
    } else {
      return nil
    }
  }

  /// The most codings that a body may have, one around the other.
  package static let most = 4

  /// Returns the codings that headers name, in the order in which they were applied. There are none
  /// if one of them is unknown: such a body is left unchanged.
  package static func all(in headers: HTTPHeaders) -> [ContentCoding] {
    let names = names(in: headers)
    let codings = names.compactMap { ContentCoding(name: $0) }
    return codings.count == names.count && names.count <= most ? codings : []
  }

  /// Returns the first coding in headers that is not understood; nil if all are.
  package static func unknownName(in headers: HTTPHeaders) -> String? {
    let names = names(in: headers)
    if names.count > most { return names.joined(separator: ", ") }
    return names.first { ContentCoding(name: $0) == nil }
  }

  private static func names(in headers: HTTPHeaders) -> [String] {
    headers.words("Content-Encoding").filter { !sameName($0, "identity") }
  }
}

/// A library that this machine lacks.
package struct MissingLibrary: Sendable, Equatable {
  /// Why it cannot be loaded.
  package let reason: String
  /// Debian's package of it.
  package let package: String

  fileprivate init?(_ lack: ccompression_lack) {
    guard let reason = lack.reason else { return nil }
    self.reason = String(cString: reason)
    package = String(cString: lack.package)
  }
}

extension ContentCoding {
  /// The library of the coding, if this machine lacks it. Libraries are loaded when they are first
  /// needed, so that a run learns of it only then.
  package var missingLibrary: MissingLibrary? {
    switch self {
    case .gzip, .deflate: Self.missingZlib
    case .brotli: Self.missingBrotli
    case .zstd: Self.missingZstd
    }
  }

  private static let missingZlib = MissingLibrary(ccompression_lack_of_zlib())
  private static let missingBrotli = MissingLibrary(ccompression_lack_of_brotli())
  private static let missingZstd = MissingLibrary(ccompression_lack_of_zstd())
}

/// An item of a compressed body.
package enum ContentItem: Sendable, Equatable {
  /// A piece of the expanded body, cut anywhere.
  case bytes([UInt8])
  /// The body cannot be expanded; nothing follows.
  case problem(HTTPProblem)
}
