import CTexts
import Diagnostics
import ScenarioSpec
import TextSearch
import YAMLSyntax

/// The components that the program carries. A stage uses them as `std/NAME`.
package enum StandardComponents {
  /// Their names, in their order.
  package static let names: [String] = sequence(state: 0) { number -> String? in
    defer { number += 1 }
    return ctexts_documentation_path(number).map { String(cString: $0) }
  }.filter(isMeant)

  /// Returns whether the path under `use` is such a name, and no file.
  static func isMeant(_ path: String) -> Bool { path.hasPrefix("std/") && !path.hasSuffix(".yaml") }

  /// Returns the text of a component; nil if no component has this name.
  package static func text(named name: String) -> String? {
    isMeant(name) ? ctexts_documentation(name).map { String(cString: $0) } : nil
  }

  /// Returns a component, for its page.
  package static func component(named name: String) -> ComponentDocument? {
    text(named: name).flatMap { text in
      var sources = SourceMap()
      let file = SourceFile(path: name, bytes: Array(text.utf8))
      let trees = parseYAML(file, index: sources.add(file)).value
      return decodeComponent(trees, in: sources).value
    }
  }
}
