/// The settings of a license client.
public struct LicenseConfiguration: Sendable, Hashable {
  /// When a signed grant may replace the server.
  public enum OfflineFallback: Sendable, Hashable {
    /// If the server was not reached or could not answer.
    case networkOnly
    /// After any failure that does not end the license.
    case always
    /// Never.
    case never
  }

  /// The identifier of the product on the server.
  public var productSlug: String
  /// The key that authorises the requests.
  public var apiKey: String
  /// The URL that the paths of requests are appended to. It begins with `https://`; `http://` is
  /// accepted for this machine alone.
  public var baseURL: String
  /// The name of the device, for the server's list of activations.
  public var deviceName: String?
  /// The time between two validations; zero means none.
  public var autoValidateInterval = Duration.seconds(3_600)
  /// The time between two heartbeats; zero means none.
  public var heartbeatInterval = Duration.seconds(300)
  /// The time between two questions whether an unreachable server is back.
  public var networkRecheckInterval = Duration.seconds(30)
  /// The time between two requests for a grant.
  public var offlineTokenRefreshInterval = Duration.seconds(259_200)
  /// The longest that a request may take.
  public var requestTimeout = Duration.seconds(30)
  /// The number of times that a request is repeated, from 0 to 10.
  public var maxRetries = 3
  /// The time before the first repetition. It doubles each time, up to a minute.
  public var retryDelay = Duration.seconds(1)
  /// When a signed grant may replace the server.
  public var offlineFallback = OfflineFallback.networkOnly
  /// The most days since a grant was signed; 0 means no such limit.
  public var maxOfflineDays = 0
  /// The most by which the clocks of this device and of the server may differ.
  public var maxClockSkew = Duration.seconds(300)
  /// Keys that sign grants, as Base64, by their id. The server is asked for any other.
  public var signingKeys: [String: String] = [:]

  /// Makes settings; all but these have a default.
  public init(productSlug: String, apiKey: String, baseURL: String) {
    self.productSlug = productSlug
    self.apiKey = apiKey
    self.baseURL = baseURL
  }
}

extension LicenseConfiguration {
  private static let longestInterval = Duration.seconds(366 * 86_400)
  private static let longestPause = Duration.seconds(60)
  private static let mostRetries = 10
  private static let mostOfflineDays = 36_600
  private static let longestClockSkew = Duration.seconds(86_400)

  /// Returns an interval, if it is one at which something happens.
  func schedule(_ interval: Duration) -> Duration? {
    interval > .zero && interval <= Self.longestInterval ? interval : nil
  }

  var tries: Int { 1 + min(max(0, maxRetries), Self.mostRetries) }

  /// Returns the pause after a number of failed tries.
  func pause(afterTries tries: Int) -> Duration {
    min(retryDelay * (1 << min(tries - 1, Self.mostRetries)), Self.longestPause)
  }

  var recheckInterval: Duration {
    min(max(networkRecheckInterval, .milliseconds(100)), .seconds(86_400))
  }

  var timeout: Duration {
    requestTimeout > .zero && requestTimeout <= .seconds(300) ? requestTimeout : .seconds(30)
  }

  var permitsOffline: Bool { (0...Self.mostOfflineDays).contains(maxOfflineDays) }

  var clockSkewSeconds: Int {
    Int(min(max(maxClockSkew, .zero), Self.longestClockSkew).components.seconds)
  }
}
