import Glibc

// The client and the server that the Autobahn suite tries: `AutobahnPeers client PORT` and
// `AutobahnPeers server PORT`.
let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "client": exit(autobahnClient(port: arguments.last))
case "server": exit(autobahnServer(port: arguments.last))
default: exit(usage())
}

func usage() -> Int32 {
  print("usage: AutobahnPeers client PORT, or AutobahnPeers server PORT")
  return 2
}
