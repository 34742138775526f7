import Diagnostics
import Values
import YAMLSyntax

/// The operators that call something for each value.
extension StreamReader {
  func readCallOperator(_ fields: MappingReader, _ verb: Key, _ node: YAMLNode)
    -> StreamOperatorSpec.Kind?
  {
    let most = verb == .flatMap ? fields.integer(.max) : nil
    guard let call = readCall(node, verb), most != nil || !fields.has(.max) else { return nil }
    switch verb {
    case .switch: return .switch(call)
    case .flatMap: return .flatMap(call, max: most)
    case .concatMap: return .concatMap(call)
    case .exhaust: return .exhaust(call)
    default: return nil
    }
  }

  private func readCall(_ node: YAMLNode, _ verb: Key) -> CallSpec? {
    guard case .mapping = node.content else {
      return values.readAddress(node, .key(verb)).map { CallSpec(target: $0) }
    }
    guard let fields = values.open(node, LanguageTable.call, "`\(verb.rawValue)`") else {
      return nil
    }
    let with = fields.namedData(.with)
    let rescue = fields.data(.replaceError)
    let target = fields.address(fields.has(.provider) ? .provider : .stream)
    guard let target, rescue != nil || !fields.has(.replaceError) else { return nil }
    return CallSpec(target: target, with: with, replaceError: rescue)
  }
}
