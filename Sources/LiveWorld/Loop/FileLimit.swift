import Glibc

/// Lets this process have as many files open as the system grants it.
///
/// Many systems begin with 1,024 and grant a million to whoever asks; each connection over sockets
/// takes one.
package func raiseFileLimit() {
  var limit = rlimit()
  guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
  limit.rlim_cur = limit.rlim_max
  _ = setrlimit(files, &limit)
}

private let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
