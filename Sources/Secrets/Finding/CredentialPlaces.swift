import Values

/// Returns where a line, of JSON or not, has credentials that nobody has declared, as ranges of its
/// UTF-8.
///
/// - Parameter isPublic: Returns whether everybody may know a text.
package func credentialPlaces(
  in line: String, isPublic: @escaping @Sendable (String) -> Bool
) -> [Range<Int>] {
  var finder = CredentialFinder(isPublic: isPublic)
  finder.find(in: (try? parseJSON(Array(line.utf8)).get()) ?? .string(line))
  return NamedSecrets(finder.takeFound().map(\.text)).places(in: Array(line.utf8))
}
