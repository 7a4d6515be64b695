// Which Syncline this is. For C, too.
//
// A change of the major or, while that is 0, of the minor number is a change of
// the binary interface: what was compiled against another one is refused when
// it is linked or opened (base/plugin.h).

#ifndef SYNCLINE_FRAMEWORK_BASE_VERSION_H_
#define SYNCLINE_FRAMEWORK_BASE_VERSION_H_

#define SYNCLINE_VERSION_MAJOR 0
#define SYNCLINE_VERSION_MINOR 1
#define SYNCLINE_VERSION_PATCH 0
#define SYNCLINE_VERSION_STRING "0.1.0"

// What file names and symbols of this binary interface end with.
#define SYNCLINE_ABI_STRING "0.1"

// A symbol that the framework defines and everything that registers calculators
// or the like refers to. Its name has the version, so that the linker and the
// system's loader already tell versions apart.
#define SYNCLINE_ABI_SYMBOL_PREFIX "syncline_abi_"
#define SYNCLINE_ABI_SYMBOL SYNCLINE_ABI_SYMBOL_PREFIX SYNCLINE_ABI_STRING

#endif  // SYNCLINE_FRAMEWORK_BASE_VERSION_H_
