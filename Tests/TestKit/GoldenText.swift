import Glibc
import ScenarioRuns

/// Returns the text that a file of the package keeps for a test, to be compared with the text that
/// the test made.
///
/// With `UPDATE_EXPECTED` in the environment the made text is written into the file first. The
/// difference is then to be reviewed like any other change.
package func goldenText(_ path: String, made: String) -> String? {
  if updatesGoldenTexts, writeFile(packageRoot + "/" + path, made) != nil { return nil }
  return fileText(path)
}

/// Whether golden texts are written instead of compared.
package let updatesGoldenTexts = getenv("UPDATE_EXPECTED") != nil
