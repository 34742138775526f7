import Glibc

/// The names of the files in a folder that end so, sorted.
func fileNames(in folder: String, ending: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(ending), !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}

/// The text of a file; empty where it cannot be read.
func readText(_ path: String) -> String {
  guard let file = fopen(path, "r") else { return "" }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    if count == 0 { return String(decoding: bytes, as: UTF8.self) }
    bytes += buffer[..<count]
  }
}
