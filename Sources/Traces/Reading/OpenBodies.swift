import Values

/// The file of a large value, as it was found beside a trace.
package enum TraceBodyFile: Sendable, Equatable {
  case read([UInt8], path: String)
  case unreadable(path: String, reason: String)
}

/// The reason why a large value cannot be read from its file.
package enum TraceBodyProblem: Error, Equatable, Sendable {
  /// Nobody said where the files of the trace are.
  case noFolder(hash: String)
  case unreadable(path: String, reason: String)
  case changed(path: String, expected: String, actual: String)
  case notJSON(path: String, reason: String)
  case nestedTooDeeply
  case tooLarge
}

extension TraceValue {
  /// True if a part of the value lies in a file of its own.
  package var hasBody: Bool { refersToBody(json) }

  /// Returns the value with its large parts, which lie in files of their own.
  ///
  /// Each file is compared with its hash first, so that no file can lead back to itself.
  package func withBodies(
    _ body: (String) -> TraceBodyFile?
  ) -> Result<TraceValue, TraceBodyProblem> {
    guard hasBody else { return .success(self) }
    do throws(TraceBodyProblem) {
      var opened = OpenedBodies()
      return .success(TraceValue(json: try expanded(json, 0, &opened, body)))
    } catch {
      return .failure(error)
    }
  }
}

extension TraceLine {
  /// Returns the line with the large parts of its value and its text.
  package func withBodies(
    _ body: (String) -> TraceBodyFile?
  ) -> Result<TraceLine, TraceBodyProblem> {
    do throws(TraceBodyProblem) {
      var line = self
      if let value { line.value = try value.withBodies(body).get() }
      if let text { line.text = try text.withBodies(body).get() }
      return .success(line)
    } catch {
      return .failure(error)
    }
  }
}

private func refersToBody(_ json: Value) -> Bool {
  switch json {
  case .list(let elements): elements.contains(where: refersToBody)
  case .map(let map): hash(of: map) != nil || map.values.contains(where: refersToBody)
  case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
    .optional:
    false
  }
}

/// Returns the hash that a map stands for; nil for any other map.
private func hash(of map: ValueMap) -> String? {
  guard traceEncoding(of: map) == .body,
    case .string(let hash)? = map[TraceEncoding.body.rawValue]
  else { return nil }
  return hash
}

/// The files that one value was read from.
private struct OpenedBodies {
  var files: [String: (json: Value, size: Int)] = [:]
  /// The bytes that files may still have. A few small files could name each other so often that
  /// their value fits into no memory.
  var room = TraceLimit.bodiesBytes
}

/// Puts the large parts into a value at a level of nesting.
private func expanded(
  _ json: Value, _ level: Int, _ opened: inout OpenedBodies, _ body: (String) -> TraceBodyFile?
) throws(TraceBodyProblem) -> Value {
  guard level <= JSONLimit.depth else { throw .nestedTooDeeply }
  switch json {
  case .list(let elements):
    var result: [Value] = []
    result.reserveCapacity(elements.count)
    for element in elements { result.append(try expanded(element, level + 1, &opened, body)) }
    return .list(result)
  case .map(let map):
    if let hash = hash(of: map) {
      return try expanded(try contents(of: hash, &opened, body), level + 1, &opened, body)
    }
    return .map(try expanded(members: map, level, &opened, body))
  case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
    .optional:
    return json
  }
}

private func expanded(
  members map: ValueMap, _ level: Int, _ opened: inout OpenedBodies,
  _ body: (String) -> TraceBodyFile?
) throws(TraceBodyProblem) -> ValueMap {
  var result = ValueMap(minimumCapacity: map.count)
  for (key, value) in map {
    if case .map(let own) = value, map.isEscapedMap {
      // A map of the scenario may look like a reference.
      result[key] = .map(try expanded(members: own, level + 1, &opened, body))
    } else {
      result[key] = try expanded(value, level + 1, &opened, body)
    }
  }
  return result
}

extension ValueMap {
  /// True if the map only protects another one, whose single key begins with `$`.
  var isEscapedMap: Bool { traceEncoding(of: self) == .map }
}

private func contents(
  of hash: String, _ opened: inout OpenedBodies, _ body: (String) -> TraceBodyFile?
) throws(TraceBodyProblem) -> Value {
  let file: (json: Value, size: Int)
  if let known = opened.files[hash] { file = known } else { file = try read(hash, body) }
  opened.files[hash] = file
  opened.room -= file.size
  guard opened.room >= 0 else { throw .tooLarge }
  return file.json
}

private func read(
  _ hash: String, _ body: (String) -> TraceBodyFile?
) throws(TraceBodyProblem) -> (json: Value, size: Int) {
  guard let file = body(hash) else { throw .noFolder(hash: hash) }
  switch file {
  case .unreadable(let path, let reason): throw .unreadable(path: path, reason: reason)
  case .read(let bytes, let path):
    let actual = SHA256.digest(of: bytes)
    guard actual == hash.lowercased() else {
      throw .changed(path: path, expected: hash, actual: actual)
    }
    switch parseJSON(bytes) {
    case .success(let json): return (json, bytes.count)
    case .failure(let problem): throw .notJSON(path: path, reason: problem.text(in: bytes))
    }
  }
}
