import TextSearch

/// A decoder that expands a compressed body: bytes in, items out, each as early as possible.
///
/// A copy of a decoder of gzip or deflate continues by itself. The libraries of the other codings
/// cannot copy their state, so that only one of two copies may be used.
package struct ContentDecoder: Sendable {
  private let coding: ContentCoding
  private let limit: Int
  private var expander: Expander?
  /// The first byte of a body; the second one decides the wrapping.
  private var firstByte: [UInt8] = []
  private var count = 0
  private var state = State.waiting

  private enum State {
    /// No byte has arrived. An empty body is not compressed, even if the headers say so.
    case waiting
    case inside
    /// A compressed part is complete; only gzip allows another after it.
    case complete
    case over
  }

  /// Makes a decoder. The limit is that of the expanded bytes, because few bytes can expand to very
  /// many.
  package init(_ coding: ContentCoding, limit: Int = HTTPLimits.bodyBytes) {
    self.coding = coding
    self.limit = limit
  }

  package mutating func receive(_ bytes: [UInt8]) -> [ContentItem] {
    guard state != .over, !bytes.isEmpty else { return [] }
    guard state != .complete || mayRepeat else { return fail(.invalidContentCoding) }
    let all = firstByte.isEmpty ? bytes : firstByte + bytes
    if expander == nil {
      state = .inside
      guard coding != .deflate || all.count >= 2 else {
        firstByte = all
        return []
      }
      firstByte = []
      guard coding.missingLibrary == nil else { return fail(.missingCodingLibrary) }
      expander = Expander(coding, beginning: all)
    }
    return all.withUnsafeBufferPointer { expand($0) }
  }

  /// Ends the body.
  package mutating func finish() -> [ContentItem] {
    switch state {
    case .inside: return fail(.unexpectedEndInContentCoding)
    case .waiting, .complete, .over:
      state = .over
      return []
    }
  }

  private mutating func fail(_ problem: HTTPProblem) -> [ContentItem] {
    state = .over
    expander = nil
    return [.problem(problem)]
  }

  /// True if a body may have several compressed parts, one behind the other.
  private var mayRepeat: Bool { coding == .gzip || coding == .zstd }
}

// Calls of the libraries.
extension ContentDecoder {
  private mutating func expand(_ input: UnsafeBufferPointer<UInt8>) -> [ContentItem] {
    expander?.becomeUnique()
    guard let expander else { return [] }
    var rest = input
    var expanded: [UInt8] = []
    while true {
      if state == .complete, mayRepeat, !rest.isEmpty {
        expander.reset()
        state = .inside
      }
      let status = expander.run(&rest, into: &expanded)
      if count + expanded.count > limit {
        expanded.removeLast(count + expanded.count - limit)
        return items(expanded) + fail(.expandedBodyTooLarge)
      }
      switch status {
      case .mayGoOn: break
      case .needsMore: return items(expanded)
      case .complete:
        state = .complete
        if rest.isEmpty { return items(expanded) }
        if !mayRepeat { return items(expanded) + fail(.invalidContentCoding) }
      case .broken: return items(expanded) + fail(.invalidContentCoding)
      }
    }
  }

  private mutating func items(_ expanded: [UInt8]) -> [ContentItem] {
    count += expanded.count
    return expanded.isEmpty ? [] : [.bytes(expanded)]
  }
}
