import ConnectionLoops
import DataProviders
import LiveProviders
// BLOCK
