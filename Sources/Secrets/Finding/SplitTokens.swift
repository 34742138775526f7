import Values

/// The words at the ends of the messages of streams, which the next message may continue.
///
/// A server that answers piece by piece may send a token in several messages. It is known once its
/// beginning and some letters of it have come; from then on each piece is hidden as it comes.
struct SplitTokens: Sendable {
  struct Word: Sendable {
    var bytes: [UInt8] = []
    /// The name of the token that it is; nil if it is none so far.
    var name: String?
  }

  /// The most places that are remembered.
  static let mostPlaces = 10_000
  /// The most bytes of a token. Longer words are data.
  static let longest = 4_096

  /// By stream and place in its messages.
  private(set) var words: [String: Word] = [:]

  subscript(place: String) -> Word {
    get { words[place] ?? Word() }
    set {
      if words.count >= SplitTokens.mostPlaces { words = [:] }
      words[place] =
        newValue.bytes.isEmpty || newValue.bytes.count > SplitTokens.longest
        ? nil : newValue
    }
  }
}

extension CredentialFinder {
  /// Returns a message of a stream without the pieces of tokens that continue those of the messages
  /// before it. The tokens count as found, as far as they have come.
  ///
  /// - Parameter hidden: By text of the message: what stands for it, if a piece was hidden in it.
  package mutating func withoutPieces(
    _ json: Value, of stream: String, hidden: inout [String: String]
  ) -> Value {
    switch json {
    case .string(let text):
      let shown = withoutPiece(text, at: stream)
      if shown != text { hidden[text] = shown }
      return .string(shown)
    case .list(let elements):
      return .list(
        elements.enumerated().map { index, element in
          withoutPieces(element, of: "\(stream)/\(index)", hidden: &hidden)
        })
    case .map(let map):
      return .map(
        ValueMap(
          map.map { key, value in
            (key, withoutPieces(value, of: stream + "/" + key.plainText, hidden: &hidden))
          }))
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      return json
    }
  }

  private mutating func withoutPiece(_ text: String, at place: String) -> String {
    let bytes = Array(text.utf8)
    let head = Array(bytes.prefix(while: isShapeByte))
    var word = split[place]
    var shown = text
    if !word.bytes.isEmpty {
      word.bytes += head
      if !head.isEmpty, take(&word) {
        let rest = String(decoding: bytes[head.withoutDots.count...], as: UTF8.self)
        shown = secretPlaceholder(word.name ?? "") + rest
      }
    }
    if head.count < bytes.count || word.bytes.isEmpty {
      word = SplitTokens.Word(bytes: bytes.reversed().prefix(while: isShapeByte).reversed())
      let before = String(decoding: bytes.dropLast(word.bytes.count), as: UTF8.self)
      if shown == text, take(&word) {
        let dots = String(repeating: ".", count: word.bytes.count - word.bytes.withoutDots.count)
        shown = before + secretPlaceholder(word.name ?? "") + dots
      }
    }
    split[place] = word
    return shown
  }

  /// Adds a word as far as it has come, if it is a token; false if it is none.
  private mutating func take(_ word: inout SplitTokens.Word) -> Bool {
    let text = String(decoding: word.bytes.withoutDots, as: UTF8.self)
    guard word.name != nil || isPieceOfToken(word.bytes), !isPublic(text) else { return false }
    let name = word.name ?? newName("token")
    word.name = name
    if known.insert(text).inserted { found.append(NamedSecret(name: name, text: text)) }
    return true
  }
}

extension [UInt8] {
  /// The word without the dots that end a sentence.
  fileprivate var withoutDots: [UInt8] {
    Array(prefix((lastIndex { $0 != UInt8(ascii: ".") } ?? -1) + 1))
  }
}
