import CPCRE2

/// A compiled regular expression. Matching is bounded, so no pattern can hang a run.
package final class Pattern: @unchecked Sendable {
  // Written only at creation; the library allows reading from several threads.
  private let code: OpaquePointer
  private let limits: OpaquePointer

  private init(_ code: OpaquePointer, _ limits: OpaquePointer) {
    self.code = code
    self.limits = limits
  }

  deinit {
    pcre2_match_context_free_8(limits)
    pcre2_code_free_8(code)
  }

  /// Compiles a pattern. One that is used `once` is not compiled to machine code.
  package static func compile(
    _ source: String, once: Bool = false
  ) -> Result<Pattern, PatternProblem> {
    guard source.utf8.count <= PatternLimits.length else {
      return .failure(PatternProblem("a pattern has at most \(PatternLimits.length) bytes"))
    }
    var error: Int32 = 0
    var offset = 0
    let options = UInt32(PCRE2_UTF) | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C
    var text = source
    let code = text.withUTF8 {
      pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, nil)
    }
    guard let code else {
      return .failure(
        PatternProblem("this pattern is not valid: \(message(error)), at character \(offset + 1)"))
    }
    guard let limits = pcre2_match_context_create_8(nil) else {
      pcre2_code_free_8(code)
      return .failure(.noMemory)
    }
    pcre2_set_match_limit_8(limits, PatternLimits.steps)
    pcre2_set_depth_limit_8(limits, PatternLimits.depth)
    pcre2_set_heap_limit_8(limits, PatternLimits.memory)
    if !once { pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE) }
    return .success(Pattern(code, limits))
  }

  private static func message(_ error: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = pcre2_get_error_message_8(error, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, Int(length))), as: UTF8.self)
  }

  /// Returns whether the pattern is found anywhere in the text.
  package func matches(_ text: String) throws(PatternProblem) -> Bool {
    guard let data = pcre2_match_data_create_8(1, nil) else { throw .noMemory }
    defer { pcre2_match_data_free_8(data) }
    return try search(text, data)
  }

  private func search(_ text: String, _ data: OpaquePointer) throws(PatternProblem) -> Bool {
    try found { match(text, $0, data) }
  }

  private func found(_ match: (_ options: UInt32) -> Int32) throws(PatternProblem) -> Bool {
    var result = match(UInt32(PCRE2_NO_UTF_CHECK))
    if result == PCRE2_ERROR_JIT_STACKLIMIT {
      // Machine code has a small stack of its own; the interpreter continues after it is full.
      result = match(UInt32(PCRE2_NO_UTF_CHECK) | PCRE2_NO_JIT)
    }
    if result >= 0 { return true }
    if result == PCRE2_ERROR_NOMATCH { return false }
    throw PatternProblem(
      "this pattern takes too long on this text (\(Pattern.message(result)))")
  }

  /// Returns the texts of the groups where the pattern is found first, the whole match in front;
  /// nil if it is not found.
  package func groups(in text: String) throws(PatternProblem) -> [String?]? {
    guard let data = pcre2_match_data_create_from_pattern_8(code, nil) else { throw .noMemory }
    defer { pcre2_match_data_free_8(data) }
    guard try search(text, data), let ends = pcre2_get_ovector_pointer_8(data) else { return nil }
    let bytes = Array(text.utf8)
    return (0..<Int(pcre2_get_ovector_count_8(data))).map { group in
      // A group that took no part has an end of -1.
      let (start, end) = (Int(ends[2 * group]), Int(ends[2 * group + 1]))
      guard start >= 0, start <= end, end <= bytes.count else { return nil }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }

  /// Returns the places of the groups where the pattern is found first from a position on, the
  /// whole match in front; nil if it is not found. The text is valid UTF-8.
  package func places(
    in text: [UInt8], from start: Int
  ) throws(PatternProblem) -> [Range<Int>?]? {
    guard let data = pcre2_match_data_create_from_pattern_8(code, nil) else { throw .noMemory }
    defer { pcre2_match_data_free_8(data) }
    let isFound = try found { options in
      text.withUnsafeBufferPointer { match($0, from: start, options, data) }
    }
    guard isFound, let ends = pcre2_get_ovector_pointer_8(data) else { return nil }
    return (0..<Int(pcre2_get_ovector_count_8(data))).map { group in
      let (start, end) = (Int(ends[2 * group]), Int(ends[2 * group + 1]))
      return start >= 0 && start <= end && end <= text.count ? start..<end : nil
    }
  }

  /// The named groups with their numbers, in the order of their names.
  package var groupNames: [(name: String, number: Int)] {
    var (count, size): (UInt32, UInt32) = (0, 0)
    var table: UnsafePointer<UInt8>?
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &size)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
    guard let table else { return [] }
    return (0..<Int(count)).map { index in
      let entry = table + index * Int(size)
      return (String(cString: entry + 2), Int(entry[0]) << 8 | Int(entry[1]))
    }
  }

  private func match(_ text: String, _ options: UInt32, _ data: OpaquePointer) -> Int32 {
    var subject = text
    return subject.withUTF8 { match($0, from: 0, options, data) }
  }

  private func match(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ options: UInt32, _ data: OpaquePointer
  ) -> Int32 {
    // An empty text may have no address, which the library does not accept.
    withUnsafePointer(to: UInt8(0)) { nothing in
      pcre2_match_8(
        code, bytes.baseAddress ?? nothing, bytes.count, start, options, data, limits)
    }
  }
}

/// The reason why a text is not a pattern, or why a match stopped early, in one sentence.
package struct PatternProblem: Error, Sendable, Equatable {
  package let message: String

  init(_ message: String) { self.message = message }

  static let noMemory = PatternProblem("there is no memory left to match a pattern")
}
