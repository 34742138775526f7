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
    var result = match(text, UInt32(PCRE2_NO_UTF_CHECK), data)
    if result == PCRE2_ERROR_JIT_STACKLIMIT {
      // Machine code has a small stack of its own; the interpreter continues after it is full.
      result = match(text, UInt32(PCRE2_NO_UTF_CHECK) | PCRE2_NO_JIT, data)
    }
    if result >= 0 { return true }
    if result == PCRE2_ERROR_NOMATCH { return false }
    throw PatternProblem(
      "this pattern takes too long on this text (\(Pattern.message(result)))")
  }

  private func match(_ text: String, _ options: UInt32, _ data: OpaquePointer) -> Int32 {
    var subject = text
    return subject.withUTF8 { bytes in
      // An empty text may have no address, which the library does not accept.
      withUnsafePointer(to: UInt8(0)) { nothing in
        pcre2_match_8(
          code, bytes.baseAddress ?? nothing, bytes.count, 0, options, data, limits)
      }
    }
  }
}

/// The reason why a text is not a pattern, or why a match stopped early, in one sentence.
package struct PatternProblem: Error, Sendable, Equatable {
  package let message: String

  init(_ message: String) { self.message = message }

  static let noMemory = PatternProblem("there is no memory left to match a pattern")
}
