import CHTTPParser
import TextSearch

/// The shared state of both parsers: that of llhttp, the collected data, and the events to report.
///
/// llhttp calls back while it runs and finds this value by its `data` pointer, which is valid for
/// one call only, because the value may move in between.
struct HTTPParserCore: @unchecked Sendable {
  enum Kind {
    case request, response
  }

  /// The position within a message.
  enum Place {
    case between
    case head
    case body
    case chunkedBody
    /// After the last chunk.
    case trailers
    /// A body that lasts until the connection ends.
    case openBody
    /// After an upgrade.
    case elsewhere
    /// After the last message, a problem or the end of the bytes.
    case over
  }

  private var machine = llhttp_t()
  private let kind: Kind
  private var lines = HTTPHeadLines()
  /// The part of `HTTP/1.` that has arrived of an answer's first line.
  private var version = HTTPVersionText()
  private var place = Place.between
  private var events: [HTTPEvent] = []
  /// The text of a line, name or value that is still growing.
  private var text: [UInt8] = []
  /// The places in the text where it continues on the next line.
  private var folds: [Int] = []
  private var target = ""
  private var reason = ""
  private var fieldName = ""
  private var headers: [HTTPHeaderLine] = []
  private var headBytes = 0
  private var bodyBytes = 0
  /// The announced length of the body.
  private var bodyLength: Int?
  /// The progress at the end of the bytes.
  private var finalProgress = AnswerProgress.nothing
  private var awaited: String?
  private var longestBody = HTTPLimits.bodyBytes
  private var isInformational = false
  private var hasFailed = false
  /// The reason why a callback stopped llhttp.
  private var found: HTTPProblem?

  init(_ kind: Kind) {
    self.kind = kind
    llhttp_init(&machine, kind == .request ? HTTP_REQUEST : HTTP_RESPONSE, callbacks)
  }

  mutating func expectResponse(to method: String, streams: Bool) {
    awaited = method
    longestBody = streams ? Int.max : HTTPLimits.bodyBytes
  }

  mutating func receive(_ bytes: [UInt8]) -> [HTTPEvent] {
    events = []
    consume(bytes[...])
    return takeEvents()
  }

  mutating func finish() -> [HTTPEvent] {
    finalProgress = progress
    switch place {
    case .between where kind == .response && awaited != nil: fail(.unexpectedEndBeforeHead)
    case .head: fail(.unexpectedEndInHead)
    case .body: fail(.unexpectedEndInBody)
    case .chunkedBody, .trailers: fail(.unexpectedEndInChunkedBody)
    case .openBody: events.append(.end(keepAlive: false))
    case .between, .elsewhere, .over: break
    }
    place = .over
    return takeEvents()
  }

  /// True if a head has begun and is not complete.
  var isInHead: Bool { place == .head }

  mutating func resume(with rest: [UInt8]) -> [HTTPEvent] {
    guard place == .elsewhere else { return [] }
    place = .between
    llhttp_resume_after_upgrade(&machine)
    return receive(rest)
  }

  private mutating func takeEvents() -> [HTTPEvent] {
    defer { events = [] }
    return events
  }

  /// Reports a problem as the last event, because everything after it is meaningless.
  private mutating func fail(_ problem: HTTPProblem) {
    guard !hasFailed else { return }
    hasFailed = true
    finalProgress = progress
    events.append(.problem(problem))
    place = .over
  }
}

// How much has arrived.
extension HTTPParserCore {
  var progress: AnswerProgress {
    let line = AnswerProgress.AnswerLine(status: Int(machine.status_code), reason: reason)
    return switch place {
    case .over: finalProgress
    case .between, .elsewhere: .nothing
    case .head: .head(bytes: headBytes)
    case .body, .openBody: .body(line, bytes: bodyBytes, of: bodyLength)
    case .chunkedBody: .chunks(line, bytes: bodyBytes, isInside: machine.content_length > 0)
    case .trailers: .chunks(line, bytes: bodyBytes, isInside: false)
    }
  }
}

// Feeding llhttp.
extension HTTPParserCore {
  private mutating func consume(_ bytes: ArraySlice<UInt8>) {
    if place == .between, let problem = otherProtocol(of: bytes, in: kind) { return fail(problem) }
    var rest = bytes
    while !rest.isEmpty {
      switch place {
      case .over: return fail(.unexpectedBytes)
      case .elsewhere: return events.append(.foreign(Array(rest)))
      case .between where kind == .response && awaited == nil: return fail(.unexpectedBytes)
      case .between, .head, .body, .chunkedBody, .trailers, .openBody:
        rest = rest.dropFirst(execute(rest))
      }
    }
  }

  /// Runs llhttp, up to the end of a message at most; returns how many bytes it read.
  private mutating func execute(_ bytes: ArraySlice<UInt8>) -> Int {
    let bytes = kind == .response && isInLines ? version.readable(bytes) : bytes
    var flaw: HTTPHeadLines.Flaw?
    let (status, taken) = bytes.withUnsafeBytes { raw -> (llhttp_errno_t, Int) in
      if isInLines { flaw = lines.flaw(in: raw) }
      guard let flaw else { return run(raw) }
      // A problem before the flaw comes first, however the bytes are cut.
      let (status, taken) = run(UnsafeRawBufferPointer(rebasing: raw[..<flaw.offset]))
      let problem = flaw.problem(in: kind, isAfterHeader: isAfterHeader)
      guard status == HPE_OK, let problem else { return (status, taken) }
      found = problem
      return (HPE_USER, taken)
    }
    guard status == HPE_OK, let flaw else { return settle(status, taken: taken, of: bytes) }
    mend(flaw)
    return flaw.offset
  }

  /// Notes where a value continues on the next line, and completes the end of a line.
  private mutating func mend(_ flaw: HTTPHeadLines.Flaw) {
    switch flaw.kind {
    case .folded:
      if place == .head { folds.append(text.count) }
    case .bareLineFeed:
      lines.addedCarriageReturn()
      let status = [0x0D].withUnsafeBytes { run(UnsafeRawBufferPointer(rebasing: $0[..<1])).0 }
      if status != HPE_OK { fail(found ?? parserProblem(status, in: kind)) }
    }
  }

  private var isAfterHeader: Bool { place == .trailers || !fieldName.isEmpty }
  private var isInLines: Bool { place == .between || place == .head || place == .trailers }

  private mutating func run(_ raw: UnsafeRawBufferPointer) -> (llhttp_errno_t, Int) {
    guard let start = raw.bindMemory(to: CChar.self).baseAddress else { return (HPE_OK, 0) }
    return withUnsafeMutablePointer(to: &self) { core in
      core.pointee.machine.data = UnsafeMutableRawPointer(core)
      let machine = UnsafeMutableRawPointer(core).assumingMemoryBound(to: llhttp_t.self)
      let status = llhttp_execute(machine, start, raw.count)
      let stop = status == HPE_OK ? nil : llhttp_get_error_pos(machine)
      guard let stop else { return (status, raw.count) }
      return (status, min(max(stop - start, 0), raw.count))
    }
  }

  private mutating func settle(
    _ status: llhttp_errno_t, taken: Int, of bytes: ArraySlice<UInt8>
  ) -> Int {
    switch status {
    case HPE_OK: return bytes.count
    case HPE_PAUSED:
      llhttp_resume(&machine)
      return taken
    case HPE_PAUSED_UPGRADE: return taken
    default:
      fail(found ?? parserProblem(status, in: kind))
      return bytes.count
    }
  }

}

// The callbacks of llhttp. Each returns zero, or an error that stops llhttp.
extension HTTPParserCore {
  fileprivate mutating func messageBegan() -> CInt {
    place = .head
    target = ""
    reason = ""
    fieldName = ""
    headers = []
    headers.reserveCapacity(8)
    text.removeAll(keepingCapacity: true)
    text.reserveCapacity(64)
    headBytes = 0
    bodyBytes = 0
    bodyLength = nil
    return 0
  }

  fileprivate mutating func grew(by at: UnsafePointer<CChar>?, _ length: Int) -> CInt {
    let status = counted(length)
    guard status == 0, place == .head else { return status }
    text.append(contentsOf: UnsafeRawBufferPointer(start: at, count: length))
    return 0
  }

  /// Counts trailers and chunk extensions: they are skipped, but they count for the limit.
  fileprivate mutating func counted(_ length: Int) -> CInt {
    headBytes += length
    return headBytes > HTTPLimits.headBytes ? stop(.headTooLarge) : 0
  }

  fileprivate mutating func targetCompleted() -> CInt {
    target = takeText()
    return 0
  }

  fileprivate mutating func reasonCompleted() -> CInt {
    reason = takeText()
    return 0
  }

  fileprivate mutating func fieldCompleted() -> CInt {
    guard place == .head else { return 0 }
    fieldName = takeText()
    return 0
  }

  fileprivate mutating func valueCompleted() -> CInt {
    guard place == .head else { return 0 }
    guard !fieldName.isEmpty else { return stop(.invalidHeader) }
    guard headers.count < HTTPLimits.headers else { return stop(.tooManyHeaders) }
    if !folds.isEmpty { text = unfolded(text, at: folds) }
    folds = []
    while let last = text.last, isBlank(last) { text.removeLast() }
    headers.append(HTTPHeaderLine(fieldName, takeText()))
    return 0
  }

  fileprivate mutating func bodyGrew(by at: UnsafePointer<CChar>?, _ length: Int) -> CInt {
    bodyBytes += length
    guard bodyBytes <= longestBody else { return stop(.bodyTooLarge) }
    events.append(.body(Array(UnsafeRawBufferPointer(start: at, count: length))))
    return 0
  }

  /// Pauses before the trailers, whose lines are checked like those of a head.
  fileprivate mutating func chunkBegan() -> CInt {
    guard machine.content_length == 0 else { return 0 }
    place = .trailers
    lines = HTTPHeadLines(hasBegun: true)
    return CInt(HPE_PAUSED.rawValue)
  }

  fileprivate mutating func messageCompleted() -> CInt {
    lines = HTTPHeadLines()
    version = HTTPVersionText()
    guard !isInformational else {
      isInformational = false
      place = .between
      return CInt(HPE_PAUSED.rawValue)
    }
    awaited = nil
    guard machine.upgrade == 0 else {
      place = .elsewhere
      events.append(.upgrade)
      // An upgrade stops llhttp by itself, a moment later.
      return 0
    }
    let keepAlive = llhttp_should_keep_alive(&machine) != 0
    events.append(.end(keepAlive: keepAlive))
    place = keepAlive ? .between : .over
    return CInt(HPE_PAUSED.rawValue)
  }

  private mutating func stop(_ problem: HTTPProblem) -> CInt {
    found = found ?? problem
    return -1
  }

  private mutating func takeText() -> String {
    let taken = text.withUnsafeBufferPointer { text in
      // This check for ASCII avoids a slower check of UTF-8 for nearly all texts.
      isASCII(text) ? String(decoding: text, as: UTF8.self) : notASCII(text)
    }
    text.removeAll(keepingCapacity: true)
    return taken
  }
}

// The end of a head, which decides how the body ends.
extension HTTPParserCore {
  fileprivate mutating func headCompleted() -> CInt {
    guard let version = headVersion else { return stop(.unsupportedVersion) }
    return kind == .request ? requestHead(version) : responseHead(version)
  }

  private var headVersion: HTTPVersion? {
    switch (machine.http_major, machine.http_minor) {
    case (1, 0): .http10
    case (1, 1): .http11
    default: nil
    }
  }

  private mutating func requestHead(_ version: HTTPVersion) -> CInt {
    let head = HTTPRequest(
      method: methodName(machine.method), target: target, version: version,
      headers: HTTPHeaders(headers))
    let hosts = headers.count { sameName($0.name, "Host") }
    guard hosts == 1 || (hosts == 0 && version == .http10) else { return stop(.invalidHost) }
    guard !head.headers.hasForeignTransferCoding else { return stop(.unsupportedTransferCoding) }
    let status = enterBody()
    if status == 0 { events.append(.request(head)) }
    return status
  }

  private mutating func responseHead(_ version: HTTPVersion) -> CInt {
    let status = Int(machine.status_code)
    guard status >= 100 else { return stop(.invalidStatus) }
    let head = HTTPResponse(
      status: status, reason: reason, version: version, headers: HTTPHeaders(headers))
    isInformational = head.isInformational
    events.append(isInformational ? .informational(head) : .response(head))
    if isInformational { return 1 }
    // The following bytes belong to another protocol, whatever length the head has.
    if awaited == "CONNECT" && status / 100 == 2 || status == 101 && machine.upgrade != 0 {
      machine.upgrade = 1
      return 2
    }
    // These have no body, whatever length their head has.
    if awaited == "HEAD" || status == 204 || status == 304 { return 1 }
    return enterBody()
  }

  private mutating func enterBody() -> CInt {
    let flags = UInt32(machine.flags)
    if flags & F_CHUNKED.rawValue != 0 {
      place = .chunkedBody
    } else if flags & F_CONTENT_LENGTH.rawValue != 0 {
      guard machine.content_length <= longestBody else { return stop(.bodyTooLarge) }
      place = .body
      bodyLength = Int(machine.content_length)
    } else {
      place = llhttp_message_needs_eof(&machine) != 0 ? .openBody : .body
    }
    return 0
  }
}

private func core(_ machine: UnsafeMutablePointer<llhttp_t>?) -> UnsafeMutablePointer<
  HTTPParserCore
>? {
  machine?.pointee.data?.assumingMemoryBound(to: HTTPParserCore.self)
}

/// One table for all parsers, so that making a parser allocates nothing.
private nonisolated(unsafe) let callbacks: UnsafePointer<llhttp_settings_t> = {
  let table = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
  table.initialize(to: llhttp_settings_t())
  table.pointee.on_message_begin = { core($0)?.pointee.messageBegan() ?? -1 }
  table.pointee.on_url = { core($0)?.pointee.grew(by: $1, $2) ?? -1 }
  table.pointee.on_url_complete = { core($0)?.pointee.targetCompleted() ?? -1 }
  table.pointee.on_status = { core($0)?.pointee.grew(by: $1, $2) ?? -1 }
  table.pointee.on_status_complete = { core($0)?.pointee.reasonCompleted() ?? -1 }
  table.pointee.on_header_field = { core($0)?.pointee.grew(by: $1, $2) ?? -1 }
  table.pointee.on_header_field_complete = { core($0)?.pointee.fieldCompleted() ?? -1 }
  table.pointee.on_header_value = { core($0)?.pointee.grew(by: $1, $2) ?? -1 }
  table.pointee.on_header_value_complete = { core($0)?.pointee.valueCompleted() ?? -1 }
  table.pointee.on_chunk_extension_name = { core($0)?.pointee.counted($2) ?? -1 }
  table.pointee.on_chunk_extension_value = { core($0)?.pointee.counted($2) ?? -1 }
  table.pointee.on_chunk_header = { core($0)?.pointee.chunkBegan() ?? -1 }
  table.pointee.on_headers_complete = { core($0)?.pointee.headCompleted() ?? -1 }
  table.pointee.on_body = { core($0)?.pointee.bodyGrew(by: $1, $2) ?? -1 }
  table.pointee.on_message_complete = { core($0)?.pointee.messageCompleted() ?? -1 }
  return UnsafePointer(table)
}()
