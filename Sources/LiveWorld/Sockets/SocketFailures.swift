import Glibc
import World

extension TransportFailure {
  /// Makes the failure that a system error means for a connection.
  init(systemError number: Int32) {
    switch number {
    case ECONNREFUSED, ENOENT: self = .refused
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: self = .unreachable
    case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: self = .reset
    case ETIMEDOUT: self = .timedOut
    case EMFILE, ENFILE, ENOBUFS, ENOMEM, ENOSPC: self = .tooManyFiles
    case EADDRNOTAVAIL, EADDRINUSE, EAGAIN: self = .outOfPorts
    case EINVAL, EAFNOSUPPORT, EACCES, EPERM, EPROTOTYPE:
      self = .badAddress(String(cString: strerror(number)))
    default: self = .system(String(cString: strerror(number)))
    }
  }
}
