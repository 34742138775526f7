import Glibc

/// Raises this process's limit of open files to what the system grants.
///
/// Many systems begin with 1,024 and grant a million on request. Each connection over sockets takes
/// one file.
package func raiseFileLimit() {
  var limit = rlimit()
  guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
  limit.rlim_cur = limit.rlim_max
  _ = setrlimit(files, &limit)
}

private let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
