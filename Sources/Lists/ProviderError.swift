/// The reason why a provider gave no items.
///
/// Its text is for people who use the program; `cause` has what happened. Two errors are equal if
/// their kinds and the texts of their causes are.
public struct ProviderError: Error, Sendable {
  /// The kinds of errors.
  public enum Kind: String, Sendable, CaseIterable {
    /// The server could not be reached, or did not answer with success.
    case networkError
    case invalidURL
    /// The data does not fit the type of the items.
    case decodingError
    case fileNotFound
    /// A file that exists cannot be read.
    case fileError
    case databaseError
    /// A sequence failed with an error of its own.
    case otherError
  }

  /// The kind, for programs.
  public var kind: Kind
  /// The cause: a `ClientError`, a `DecodingError`, a `SystemError`, a `SQLiteError`, or the error
  /// of a sequence.
  public var cause: (any Error)?

  /// Makes an error.
  public init(_ kind: Kind, cause: (any Error)? = nil) {
    self.kind = kind
    self.cause = cause
  }

  /// Makes the error of a provider from an error of what it does.
  public init(_ error: any Error) {
    switch error {
    case let error as ProviderError: self = error
    case let error as any ProviderErrorCause: self.init(error.kindOfProviderError, cause: error)
    case is DecodingError: self.init(.decodingError, cause: error)
    default: self.init(.otherError, cause: error)
    }
  }
}

extension ProviderError: CustomStringConvertible {
  /// A text for people, without details.
  public var description: String {
    switch kind {
    case .networkError: "Connection error"
    case .invalidURL: "Invalid URL"
    case .decodingError: "Error processing data"
    case .fileNotFound: "File not found"
    case .fileError: "Error reading the file"
    case .databaseError: "Error in the database"
    case .otherError: cause.map { "\($0)" } ?? "Error"
    }
  }
}

extension ProviderError: Equatable {
  /// Compares the kinds and the texts of the causes.
  public static func == (left: ProviderError, right: ProviderError) -> Bool {
    left.kind == right.kind && left.causeText == right.causeText
  }

  private var causeText: String { cause.map { "\($0)" } ?? "" }
}

/// An error that knows which kind of ``ProviderError`` it causes. Others are `otherError`.
public protocol ProviderErrorCause: Error {
  /// The kind of the provider's error.
  var kindOfProviderError: ProviderError.Kind { get }
}
