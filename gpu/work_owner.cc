#include "gpu/work_owner.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/base/no_destructor.h"
#include "framework/packet/timestamp.h"

namespace syncline::gpu {
namespace {

constinit thread_local const WorkOwnerScope* innermost = nullptr;

}  // namespace

std::string WorkOwner::ToText() const {
  if (node == nullptr) return "the application";
  if (timestamp == Timestamp::Unset()) {
    return absl::StrCat("node \"", *node, "\"");
  }
  return absl::StrCat("node \"", *node, "\" at ", timestamp.DebugString());
}

WorkOwnerScope::WorkOwnerScope(WorkOwner owner, WorkWatcher* watcher)
    : owner_(std::move(owner)), watcher_(watcher), outer_(innermost) {
  innermost = this;
}

WorkOwnerScope::~WorkOwnerScope() { innermost = outer_; }

const WorkOwner& WorkOwnerScope::Current() {
  static const NoDestructor<WorkOwner> kNobody;
  return innermost == nullptr ? *kNobody : innermost->owner_;
}

WorkWatcher* WorkOwnerScope::CurrentWatcher() {
  return innermost == nullptr ? nullptr : innermost->watcher_;
}

}  // namespace syncline::gpu
