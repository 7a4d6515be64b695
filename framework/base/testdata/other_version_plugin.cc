// What a plug-in of another version of the framework looks for. Were it opened,
// the system would not find the function, either.

extern "C" void RegisterInAnotherVersion() __asm__("syncline_abi_9.9");

// Run when the library is opened.
static const bool registered = [] {
  RegisterInAnotherVersion();
  return true;
}();

bool IsRegisteredInAnotherVersion() { return registered; }
