import ConnectionLoops
import LiveDatabases
import LiveProviders
// BLOCK
