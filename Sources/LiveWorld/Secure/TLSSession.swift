import COpenSSL
import World

/// One secured connection as OpenSSL sees it: bytes in, bytes out, no sockets.
///
/// OpenSSL keeps errors in a queue of the thread, and treats any error there as the last call's.
/// Each call here leaves the queue empty, so that none has to empty it first.
final class TLSSession {
  /// The result of reading.
  enum Reading {
    case bytes([UInt8])
    /// More has to arrive first.
    case nothing
    /// The other side said goodbye, so the end is complete.
    case ended
    case failed(TransportFailure)
  }

  private let session: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  let isClient: Bool
  private let host: String?
  private(set) var isEstablished = false

  init?(_ context: OpaquePointer, host: String?) {
    guard let session = openSSL_new(context) else { return nil }
    guard let incoming = openBIO_new(openBIO_s_mem()), let outgoing = openBIO_new(openBIO_s_mem())
    else {
      openSSL_free(session)
      return nil
    }
    self.session = session
    self.incoming = incoming
    self.outgoing = outgoing
    self.host = host
    isClient = host != nil
    openSSL_set_bio(session, incoming, outgoing)
    if let host { connect(to: host) } else { openSSL_set_accept_state(session) }
  }

  // The session frees its pipes.
  deinit { openSSL_free(session) }

  /// Names the host that the certificate must be for. An address is compared as an address, and is
  /// not sent as the server's name.
  private func connect(to host: String) {
    openSSL_set_connect_state(session)
    if SocketAddress(literal: host, port: 0) != nil {
      _ = openX509_VERIFY_PARAM_set1_ip_asc(openSSL_get0_param(session), host)
      return
    }
    _ = openSSL_set1_host(session, host)
    _ = host.withCString { name in
      openSSL_ctrl(
        session, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
        UnsafeMutableRawPointer(mutating: name))
    }
  }

  /// Accepts bytes that arrived.
  func receive(_ bytes: [UInt8]) {
    _ = openBIO_write(incoming, bytes, Int32(bytes.count))
  }

  /// Goes on with agreeing on keys; returns nil when that is done or needs the other side.
  func shakeHands() -> TransportFailure? {
    openERR_clear_error()
    let result = openSSL_do_handshake(session)
    if result == 1 {
      isEstablished = true
      openERR_clear_error()
      return nil
    }
    return needsMore(result) ? nil : handshakeFailure()
  }

  func read() -> Reading {
    // What is read is never longer than what it was made from, or lies there decoded.
    let waiting = openBIO_ctrl_pending(incoming) + Int(openSSL_pending(session))
    guard waiting > 0 else { return .nothing }
    var result: Int32 = 0
    let room = min(waiting, TLSSession.pieceSize)
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      result = openSSL_read(session, buffer.baseAddress, Int32(room))
      count = max(0, Int(result))
    }
    if result > 0 { return .bytes(bytes) }
    if openSSL_get_error(session, result) == SSL_ERROR_ZERO_RETURN { return .ended }
    return needsMore(result) ? .nothing : .failed(.notSecure(openSSLWords()))
  }

  /// The largest content of a record.
  private static let pieceSize = 16 << 10

  func write(_ bytes: [UInt8]) -> TransportFailure? {
    let result = openSSL_write(session, bytes, Int32(bytes.count))
    return result > 0 || bytes.isEmpty ? nil : .notSecure(openSSLWords())
  }

  func sayGoodbye() {
    _ = openSSL_shutdown(session)
    openERR_clear_error()
  }

  /// Returns the bytes that are to be sent now.
  func takeOutgoing() -> [UInt8] {
    let count = openBIO_ctrl_pending(outgoing)
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
      taken = max(0, Int(openBIO_read(outgoing, buffer.baseAddress, Int32(count))))
    }
  }

  private func needsMore(_ result: Int32) -> Bool {
    let reason = openSSL_get_error(session, result)
    return reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE
  }

  /// Returns what OpenSSL's text about a client means.
  private func hintOnClient(_ words: String) -> String {
    switch words {
    case "no suitable application protocol", "no application protocol":
      ": the client speaks HTTP/2 only, and this server HTTP/1.1"
    case "http request", "wrong version number", "packet length too long":
      ": the client speaks plain HTTP, and this port TLS; its URL begins with `https://`"
    default: ""
    }
  }

  private func handshakeFailure() -> TransportFailure {
    let words = openSSLWords()
    let verdict = openSSL_get_verify_result(session)
    guard isClient else { return .notSecure(words + hintOnClient(words)) }
    guard verdict != X509_V_OK else { return .notSecure(words) }
    let reason = openX509_verify_cert_error_string(verdict).map { String(cString: $0) } ?? words
    let isWrongHost =
      verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH
    return isWrongHost ? .wrongHost("\(host ?? ""): \(reason)") : .untrusted(reason)
  }
}
