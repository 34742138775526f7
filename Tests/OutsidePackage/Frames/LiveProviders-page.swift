import ConnectionLoops
import LiveProviders
// BLOCK
