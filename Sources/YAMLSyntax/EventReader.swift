import CLibYAML

/// A reader of libyaml's events, one after the other.
///
/// It is a class because the parser's memory must be freed exactly once.
package final class EventReader {
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private var isInitialized: Bool

  /// Makes a reader; the bytes must not move while events are read.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    isInitialized = yaml_parser_initialize(parser) == 1
    guard isInitialized else { return }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    if isInitialized { yaml_parser_delete(parser) }
    parser.deallocate()
  }

  /// Frees this event and puts the next one in its place; returns false if the text is broken.
  package func advance(_ event: inout yaml_event_t) -> Bool {
    // Ends, and most beginnings, hold nothing that must be freed.
    switch event.type {
    case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: break
    default: yaml_event_delete(&event)
    }
    return isInitialized && yaml_parser_parse(parser, &event) == 1
  }

  /// The problem after `advance` returned false; offsets count characters.
  var problem: SyntaxProblem {
    guard isInitialized else { return SyntaxProblem(text: "out of memory", offset: 0) }
    let state = parser.pointee
    let text = state.problem.map { String(cString: $0) } ?? "out of memory"
    guard let context = state.context else {
      return SyntaxProblem(text: text, offset: state.problem_mark.index)
    }
    return SyntaxProblem(
      text: text, offset: state.problem_mark.index, context: String(cString: context),
      contextOffset: state.context_mark.index)
  }
}

/// The error that libyaml reports about broken text.
struct SyntaxProblem: Equatable {
  var text: String
  var offset: Int
  var context = ""
  var contextOffset: Int?
}

extension yaml_event_t {
  /// Returns the name of an anchor, an alias or a tag.
  static func name(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  var scalarStyle: YAMLScalar.Style {
    switch data.scalar.style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }
}
