import Glibc
import ScenarioRuns

/// The package's root, found from the path at which this file was compiled.
package let packageRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

/// Returns the bytes of a file, given by its path from the package's root; nil if there is none.
package func fileBytes(_ path: String) -> [UInt8]? {
  try? readFile(absolute(path)).get()
}

/// Returns the text of a file, given by its path from the package's root; nil if there is none.
package func fileText(_ path: String) -> String? {
  fileBytes(path).map { String(decoding: $0, as: UTF8.self) }
}

/// Returns the paths of all files below a folder, sorted, so that complaints come in one order.
/// Hidden files are left out.
package func filePaths(below folder: String) -> [String] {
  guard let directory = opendir(absolute(folder)) else { return [] }
  defer { closedir(directory) }
  var paths: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: entry.pointee.d_name) { name in
      name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    guard !name.hasPrefix(".") else { continue }
    let path = folder + "/" + name
    paths += entry.pointee.d_type == DT_DIR ? filePaths(below: path) : [path]
  }
  return paths.sorted()
}

private func absolute(_ path: String) -> String {
  path.hasPrefix("/") ? path : packageRoot + "/" + path
}
