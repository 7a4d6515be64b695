// MakeCleanup: code to run at the end of a scope, by Abseil.
//
//   auto close_file = syncline::MakeCleanup([&] { fclose(file); });

#ifndef SYNCLINE_FRAMEWORK_DEPS_CLEANUP_H_
#define SYNCLINE_FRAMEWORK_DEPS_CLEANUP_H_

#include <utility>

#include "absl/cleanup/cleanup.h"

namespace syncline {

template <typename Callback>
[[nodiscard]] auto MakeCleanup(Callback callback) {
  return absl::MakeCleanup(std::move(callback));
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_CLEANUP_H_
