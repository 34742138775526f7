/// Returns bytes so many times in a row. It doubles them, since a debug build takes half a minute
/// to join millions of short pieces.
package func repeated(_ bytes: [UInt8], times: Int) -> [UInt8] {
  if times == 0 { return [] }
  var all: [UInt8] = []
  all.reserveCapacity(bytes.count * times)
  all += bytes
  while all.count <= bytes.count * times / 2 { all += all }
  all += all.prefix(bytes.count * times - all.count)
  return all
}
