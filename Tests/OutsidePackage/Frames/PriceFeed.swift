import ConnectionLoops
// BLOCK
