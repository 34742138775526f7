import COpenSSL
import World

extension TLSIdentity {
  /// Makes a new certificate for these names and addresses, which only itself vouches for. A client
  /// accepts it if its settings trust the certificate's text.
  ///
  /// Times are seconds from now.
  package static func selfSigned(
    for names: [String], validFrom: Int = -3_600, validTo: Int = 7 * 86_400
  ) -> Result<TLSIdentity, TransportFailure> {
    if let problem = copenssl_load() { return .failure(.notSecure(String(cString: problem))) }
    openERR_clear_error()
    guard let text = certificateText(for: names, validFrom, validTo) else {
      return .failure(.notSecure(openSSLWords()))
    }
    return .success(.text(text))
  }

  private static func certificateText(
    for names: [String], _ validFrom: Int, _ validTo: Int
  ) -> [UInt8]? {
    guard let key = copenssl_new_key() else { return nil }
    defer { openEVP_PKEY_free(key) }
    guard let certificate = openX509_new() else { return nil }
    defer { openX509_free(certificate) }
    _ = openX509_set_version(certificate, 2)
    // Two certificates of one issuer must not have one number.
    _ = openASN1_INTEGER_set_int64(openX509_get_serialNumber(certificate), monotonicClock())
    _ = openX509_gmtime_adj(openX509_getm_notBefore(certificate), validFrom)
    _ = openX509_gmtime_adj(openX509_getm_notAfter(certificate), validTo)
    _ = openX509_set_pubkey(certificate, key)
    let subject = openX509_get_subject_name(certificate)
    let name = Array((names.first ?? "localhost").utf8.prefix(64))
    _ = openX509_NAME_add_entry_by_txt(
      subject, "CN", MBSTRING_UTF8, name, Int32(name.count), -1, 0)
    _ = openX509_set_issuer_name(certificate, subject)
    add(NID_subject_alt_name, alternativeNames(names), to: certificate)
    add(NID_basic_constraints, "critical,CA:TRUE", to: certificate)
    guard openX509_sign(certificate, key, openEVP_sha256()) > 0 else { return nil }
    return text(of: certificate, key)
  }

  private static func alternativeNames(_ names: [String]) -> String {
    names.map { name in
      SocketAddress(literal: name, port: 0) == nil ? "DNS:\(name)" : "IP:\(name)"
    }.joined(separator: ",")
  }

  private static func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) {
    guard let made = openX509V3_EXT_conf_nid(nil, nil, kind, value) else { return }
    _ = openX509_add_ext(certificate, made, -1)
    openX509_EXTENSION_free(made)
  }

  private static func text(of certificate: OpaquePointer, _ key: OpaquePointer) -> [UInt8]? {
    guard let pipe = openBIO_new(openBIO_s_mem()) else { return nil }
    defer { _ = openBIO_free(pipe) }
    guard openPEM_write_bio_X509(pipe, certificate) == 1,
      openPEM_write_bio_PrivateKey(pipe, key, nil, nil, 0, nil, nil) == 1
    else { return nil }
    let count = openBIO_ctrl_pending(pipe)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
      taken = max(0, Int(openBIO_read(pipe, buffer.baseAddress, Int32(count))))
    }
  }
}
