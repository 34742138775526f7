import Lists
// BLOCK
