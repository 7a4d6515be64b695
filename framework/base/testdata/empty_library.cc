// A library that registers nothing.

extern "C" int SynclineTestEmptyLibrary() { return 1; }
