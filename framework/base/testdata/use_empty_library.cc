// A library that needs another one.

extern "C" int SynclineTestEmptyLibrary();

extern "C" int SynclineTestUseEmptyLibrary() {
  return SynclineTestEmptyLibrary();
}
