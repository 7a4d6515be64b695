// Flags of a program's command line: ABSL_FLAG, and gflags' DEFINE_... in older
// code.

#ifndef SYNCLINE_FRAMEWORK_PORT_COMMANDLINEFLAGS_H_
#define SYNCLINE_FRAMEWORK_PORT_COMMANDLINEFLAGS_H_

#include "absl/flags/declare.h"  // IWYU pragma: export
#include "absl/flags/flag.h"     // IWYU pragma: export
#include "absl/flags/parse.h"    // IWYU pragma: export
#include "gflags/gflags.h"       // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_COMMANDLINEFLAGS_H_
