import Diagnostics
import Values
import YAMLSyntax

/// Reads a `rehearse.yaml`. The result is nil, with diagnostics, if parts of it are wrong. An empty
/// file gives nothing.
package func decodeConfiguration(
  _ documents: [YAMLDocument], in sources: SourceMap
) -> Diagnosed<ConfigurationDocument?> {
  guard documents.contains(where: { !$0.root.isNull }) else {
    return Diagnosed(ConfigurationDocument(range: documents.first?.root.range ?? .none))
  }
  return decodeOne(documents, in: sources, orElse: Diagnostic.notAConfiguration) {
    $0.readConfiguration($1)
  }
}

extension DocumentReader {
  fileprivate func readConfiguration(_ node: YAMLNode) -> ConfigurationDocument? {
    if let entry = node.entry(Key.scenario.rawValue) ?? node.entry(Key.steps.rawValue) {
      report(.notAConfiguration("it has `\(entry.key)`", at: entry.keyRange))
      return nil
    }
    guard let fields = open(node, LanguageTable.configuration, "a configuration") else {
      return nil
    }
    var configuration = readSettings(fields, node)
    configuration.paths = fields.has(.paths) ? fields.texts(.paths) : nil
    configuration.reports = readReports(fields)
    configuration.setup = fields.script(.setup)
    configuration.includesFiles = reading.includesFiles
    configuration.environments = fields.entries(.environments).compactMap { entry in
      open(entry.value, LanguageTable.environment, "the environment `\(entry.key)`").map { fields in
        reading.withOwnNames {
          NamedEnvironment(name: entry.name, settings: readSettings(fields, entry.value))
        }
      }
    }
    return configuration
  }

  /// Reads what an environment may have as well.
  private func readSettings(_ fields: MappingReader, _ node: YAMLNode) -> ConfigurationDocument {
    var configuration = ConfigurationDocument(range: node.range)
    _ = fields.text(.description)
    configuration.tags = fields.has(.tags) ? fields.texts(.tags) : nil
    configuration.limits = readLimits(fields)
    configuration.against = readAgainst(fields)
    configuration.timeout = fields.duration(.timeout)
    configuration.clock = fields.clock(.clock)
    configuration.seed = fields.integer(.seed)
    configuration.traces = readTraces(fields)
    configuration.vars = readVariables(fields)
    configuration.endpoints = readEndpoints(fields)
    configuration.entries = entries(of: fields)
    return configuration
  }

  private func readReports(_ fields: MappingReader) -> [ConfiguredReport] {
    guard let node = fields[.reports]?.value,
      let reports = open(node, LanguageTable.reports, "`reports`")
    else { return [] }
    return reports.found.compactMap { key, _ in
      guard let entry = reports[key], let path = reports.text(key) else { return nil }
      return ConfiguredReport(format: entry.name, path: path)
    }
  }

  private func readLimits(_ fields: MappingReader) -> LimitsSpec {
    var limits = LimitsSpec()
    guard let node = fields[.limits]?.value,
      let parts = open(node, LanguageTable.limits, "`limits`")
    else { return limits }
    limits.jobs = parts.integer(.jobs)
    limits.retries = parts.integer(.retries)
    limits.maxTime = parts.duration(.maxTime)
    limits.deadline = parts.duration(.deadline)
    limits.logLimit = parts.integer(.logLimit)
    return limits
  }

  private func readEndpoints(_ fields: MappingReader) -> [DefaultEndpoint] {
    let written = fields[.endpoints]?.value
    return readEndpoints(fields).map { endpoint in
      let value = written?.entry(endpoint.name.value)?.value
      return DefaultEndpoint(endpoint: endpoint, range: value?.range ?? endpoint.name.range)
    }
  }

  /// Returns the keys that are written, and of maps from names each name by itself.
  private func entries(of fields: MappingReader) -> [ConfiguredEntry] {
    let byName: [Key] = [.vars, .endpoints, .limits, .reports, .against, .traces]
    return fields.found.flatMap { key, place -> [ConfiguredEntry] in
      let entry = fields.entries[place]
      if key == .setup, let steps = entry.value.elements?.count {
        let text = "\(steps) step\(steps == 1 ? "" : "s")"
        return [ConfiguredEntry(name: entry.key, value: .string(text), range: entry.keyRange)]
      }
      if key == .environments, let environments = entry.value.entries {
        let names = environments.map(\.key).joined(separator: ", ")
        return [ConfiguredEntry(name: entry.key, value: .string(names), range: entry.keyRange)]
      }
      guard byName.contains(key), let parts = entry.value.entries else {
        return [ConfiguredEntry(name: entry.key, value: entry.value.value, range: entry.keyRange)]
      }
      return parts.map { part in
        ConfiguredEntry(
          name: "\(entry.key).\(part.key)", value: part.value.value,
          isSecret: key == .vars && part.value.marksSecret, range: part.keyRange)
      }
    }
  }
}

extension YAMLNode {
  /// True for a variable that is declared as secret.
  fileprivate var marksSecret: Bool {
    guard let mark = entry(Key.secret.rawValue)?.value else { return false }
    return mark.scalar?.value != .bool(false)
  }
}

extension Diagnostic {
  fileprivate static func notAConfiguration(
    _ reason: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "not-a-configuration",
      "`rehearse.yaml` is one document with what scenarios have in common, and \(reason)",
      labels: [.init(range)], help: "write scenarios in files `*.scenario.yaml`")
  }
}
