import LiveDatabases
// BLOCK
