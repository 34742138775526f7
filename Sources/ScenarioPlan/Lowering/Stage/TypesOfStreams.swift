import CEL
import ScenarioSpec
import Values

/// The types of what streams emit, so that an expression about a number cannot read a field of it.
///
/// Only scalars are known. A stream that is compiled later, a subject and everything from outside
/// may emit anything.
struct StreamTypes {
  /// The type of the value that the expression being compiled is about.
  var value = CELType.dyn
  private var known: [StreamID: CELType] = [:]

  func type(of stream: StreamID) -> CELType { known[stream] ?? .dyn }

  /// Keeps the type of what a stream emits at its end. Other expressions are about any value.
  mutating func end(of stream: StreamID) {
    known[stream] = value
    value = .dyn
  }
}

extension PlanCompiler {
  /// Returns the type of what a stream emits before its operators.
  func type(of origin: StreamSpec.Origin) -> CELType {
    switch origin {
    case .items(let items): commonType(items.map { type(of: $0) })
    case .marble(let marble, _): commonType(marble.moments.compactMap { type(of: $0) })
    case .merge(let inputs): inputs.count == 1 ? type(of: inputs[0]) : .dyn
    case .combineLatest, .zip, .subject, .interval: .dyn
    }
  }

  func type(of name: Located<String>) -> CELType {
    guard let source = lookUpSource(name.value), case .stream(let id) = plan.sources[source].kind
    else { return .dyn }
    return streamTypes.type(of: id)
  }

  private func type(of input: InputSpec) -> CELType {
    input.map == nil ? type(of: input.source) : .dyn
  }

  private func type(of moment: MarbleSpec<DataSpec>.Moment) -> CELType? {
    switch moment.kind {
    case .value(let data): type(of: data)
    case .completion, .failure: nil
    }
  }

  private func type(of data: DataSpec) -> CELType {
    guard case .literal(let value) = data.content else { return .dyn }
    return scalarType(of: value)
  }

  private func commonType(_ types: [CELType]) -> CELType {
    guard let first = types.first, types.allSatisfy({ $0 == first }) else { return .dyn }
    return first
  }
}

extension StreamOperatorPlan.Kind {
  /// Returns the type of what the operator emits if it gets values of a type.
  func type(ofValuesFrom type: CELType) -> CELType {
    switch self {
    case .map(let rule), .compactMap(let rule): rule.program.type.ifScalar
    case .filter, .removeDuplicates, .first, .prefix, .prefixWhile, .prefixUntil, .dropFirst,
      .dropWhile, .dropUntil, .output, .debounce, .throttle, .audit, .delay, .retry, .retryLater,
      .mapError, .buffer:
      type
    case .plain(let plain): plain.keepsValues ? type : .dyn
    case .keeping(let kept): kept.keepsValues ? type : .dyn
    case .groupBy, .scan, .reduce, .contains, .allSatisfy, .replaceEmpty, .collectUntil, .collectBy,
      .sample, .timeout, .catch, .replaceError, .prepend, .append, .prependStream, .appendStream,
      .merge, .combineLatest, .zip, .withLatest, .flatten:
      .dyn
    }
  }
}

extension StreamOperatorPlan.Plain {
  fileprivate var keepsValues: Bool {
    switch self {
    case .min, .max, .last, .ignoreOutput, .share: true
    case .count, .collect, .measureInterval, .flatten: false
    }
  }
}

extension StreamOperatorPlan.Keeping {
  fileprivate var keepsValues: Bool {
    switch self {
    case .suffix, .dropLast, .removeDuplicates: true
    case .windowed: false
    }
  }
}

extension CELType {
  /// The type itself if its values have no parts, else any.
  fileprivate var ifScalar: CELType {
    switch self {
    case .bool, .int, .double, .string: self
    case .dyn, .null, .uint, .bytes, .timestamp, .duration, .type, .list, .map, .optional, .opaque,
      .parameter, .free:
      .dyn
    }
  }
}
