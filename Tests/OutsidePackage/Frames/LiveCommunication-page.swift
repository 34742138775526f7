import LiveCommunication
// BLOCK
