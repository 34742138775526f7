import COpenSSL
import Glibc
import World

/// The settings by which a client trusts servers and identifies itself.
package struct TLSClientSettings: Sendable, Equatable {
  /// The path of a file of certificates that are trusted besides those of the system.
  package var trustedFile: String?
  /// Certificates that are trusted besides those of the system, as text (PEM).
  package var trusted: [UInt8]?
  /// The client's certificate, for servers that ask for one.
  package var identity: TLSIdentity?
  /// The protocols that the client offers to speak.
  var protocols = ["http/1.1"]
  /// True if certificates are checked. False accepts any server.
  package var verifies = true

  package init() {}
}

/// A certificate and its key.
package enum TLSIdentity: Sendable, Equatable {
  case files(certificate: String, key: String)
  /// The certificate and then the key, as text (PEM).
  case text([UInt8])
}

/// The client's side of secure connections to one host.
package struct TLSClient {
  package var host: String
  private let context: TLSContext

  /// Makes the client's side for a host; one context may serve many hosts.
  package init(host: String, context: TLSContext) {
    self.host = host
    self.context = context
  }

  package func secure(_ inner: any Transport, scheduler: Scheduler) -> any Transport {
    TLSTransport(inner, scheduler: scheduler, session: context.session(for: host))
  }
}

/// The server's side of secure connections.
package struct TLSServer {
  /// Microseconds that agreeing on keys may take. The connection to a slower client fails.
  package static let longestHandshake: Int64 = 30_000_000

  private let context: TLSContext
  private let longestHandshake: Int64

  package init(_ identity: TLSIdentity, longestHandshake: Int64 = TLSServer.longestHandshake) {
    context = TLSContext(.server(identity))
    self.longestHandshake = longestHandshake
  }

  package func secure(_ inner: any Transport, scheduler: Scheduler) -> any Transport {
    let transport = TLSTransport(
      inner, scheduler: scheduler, session: context.session(for: nil))
    transport.limitHandshake(to: longestHandshake)
    return transport
  }
}

/// The settings that sessions share. OpenSSL is not loaded before the first session.
package final class TLSContext {
  enum Role {
    case client(TLSClientSettings)
    case server(TLSIdentity)
  }

  private let role: Role
  private lazy var made: Result<OpaquePointer, TransportFailure> = make()
  private var isMade = false

  init(_ role: Role) { self.role = role }

  package convenience init(_ settings: TLSClientSettings) { self.init(.client(settings)) }

  deinit {
    if isMade, case .success(let context) = made { openSSL_CTX_free(context) }
  }

  /// The reason why there can be no session, such as a file that cannot be read.
  package var problem: String? {
    if case .failure(let failure) = made { failure.details } else { nil }
  }

  /// Makes a session with nothing sent yet. A client's session needs the host that it is for.
  func session(for host: String?) -> Result<TLSSession, TransportFailure> {
    made.flatMap { context in
      guard let session = TLSSession(context, host: host) else {
        return .failure(.notSecure(openSSLWords()))
      }
      return .success(session)
    }
  }

  private func make() -> Result<OpaquePointer, TransportFailure> {
    if let problem = copenssl_load() { return .failure(.notSecure(String(cString: problem))) }
    openERR_clear_error()
    guard let context = openSSL_CTX_new(method) else { return .failure(.notSecure(openSSLWords())) }
    isMade = true
    _ = openSSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    let problem =
      switch role {
      case .client(let settings): setUp(context, settings)
      case .server(let identity): setUp(context, identity)
      }
    guard let problem else { return .success(context) }
    return .failure(.notSecure("\(problem): \(openSSLWords())"))
  }

  private var method: OpaquePointer? {
    switch role {
    case .client: openTLS_client_method()
    case .server: openTLS_server_method()
    }
  }

  private func setUp(_ context: OpaquePointer, _ identity: TLSIdentity) -> String? {
    openSSL_CTX_set_alpn_select_cb(context, copenssl_choose_http1, nil)
    return use(identity, context)
  }

  private func setUp(_ context: OpaquePointer, _ settings: TLSClientSettings) -> String? {
    openSSL_CTX_set_verify(context, settings.verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
    let protocols = settings.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    _ = openSSL_CTX_set_alpn_protos(context, protocols, UInt32(protocols.count))
    if settings.verifies {
      trustSystem(context)
      if let path = settings.trustedFile, openSSL_CTX_load_verify_file(context, path) != 1 {
        return "no certificates in \(path)"
      }
      if let text = settings.trusted, !trust(text, context) { return "no certificates to trust" }
    }
    return settings.identity.flatMap { use($0, context) }
  }

  /// Trusts the system's certificates. OpenSSL looks into a folder when it meets a certificate; a
  /// file of all certificates takes 25 ms to read, so it is read only if there is no folder.
  private func trustSystem(_ context: OpaquePointer) {
    _ = openSSL_CTX_set_default_verify_dir(context)
    guard getenv("SSL_CERT_FILE") != nil || !hasFolderOfCertificates() else { return }
    _ = openSSL_CTX_set_default_verify_file(context)
    openERR_clear_error()
  }

  private func hasFolderOfCertificates() -> Bool {
    if getenv("SSL_CERT_DIR") != nil { return true }
    guard let path = openX509_get_default_cert_dir(), let folder = opendir(path) else {
      return false
    }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".0") { return true }
    }
    return false
  }

  private func trust(_ text: [UInt8], _ context: OpaquePointer) -> Bool {
    guard let pipe = openBIO_new_mem_buf(text, Int32(text.count)) else { return false }
    defer { _ = openBIO_free(pipe) }
    var count = 0
    while let certificate = openPEM_read_bio_X509(pipe, nil, nil, nil) {
      _ = openX509_STORE_add_cert(openSSL_CTX_get_cert_store(context), certificate)
      openX509_free(certificate)
      count += 1
    }
    // The end of the text is an error to the reader.
    openERR_clear_error()
    return count > 0
  }

  private func use(_ identity: TLSIdentity, _ context: OpaquePointer) -> String? {
    switch identity {
    case .files(let certificate, let key):
      if openSSL_CTX_use_certificate_chain_file(context, certificate) != 1 {
        return "no certificate in \(certificate)"
      }
      // Without this OpenSSL asks at the terminal.
      openSSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
      if openSSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1 {
        return "no key for the certificate in \(key)"
      }
    case .text(let text): use(text, context)
    }
    return openSSL_CTX_check_private_key(context) == 1 ? nil : "certificate and key do not belong"
  }

  private func use(_ text: [UInt8], _ context: OpaquePointer) {
    guard let pipe = openBIO_new_mem_buf(text, Int32(text.count)) else { return }
    defer { _ = openBIO_free(pipe) }
    if let certificate = openPEM_read_bio_X509(pipe, nil, nil, nil) {
      _ = openSSL_CTX_use_certificate(context, certificate)
      openX509_free(certificate)
    }
    if let key = openPEM_read_bio_PrivateKey(pipe, nil, nil, nil) {
      _ = openSSL_CTX_use_PrivateKey(context, key)
      openEVP_PKEY_free(key)
    }
  }
}

/// The bit that marks the error numbers of the system.
private let systemErrors: UInt = 0x8000_0000

/// Returns OpenSSL's text for its first error, and empties its queue of errors.
func openSSLWords() -> String {
  let number = openERR_get_error()
  openERR_clear_error()
  guard number != 0 else { return "the other side left" }
  if number & systemErrors != 0 { return String(cString: strerror(Int32(number & ~systemErrors))) }
  guard let words = openERR_reason_error_string(number) else { return "error \(number)" }
  return String(cString: words)
}
