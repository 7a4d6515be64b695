#include "framework/condition/condition.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/base/unread_options.h"

namespace syncline {
namespace {

std::string PortText(const ConditionPort& port) {
  return absl::StrCat("\"", port.tag, ":", port.index, ":", port.stream, "\"");
}

bool IsNamed(const ConditionPort& port, absl::string_view name) {
  if (name == port.stream) return true;
  if (port.index == 0 && name == port.tag) return true;
  return name == absl::StrCat(port.tag, ":", port.index) ||
         name == absl::StrCat(port.tag, ":", port.index, ":", port.stream);
}

// The streams of one direction, and the other ones.
struct Ports {
  absl::string_view kind;
  absl::Span<const ConditionPort> ports;
  absl::string_view other_kind;
  absl::Span<const ConditionPort> others;
};

// -1: none.
int IndexOf(absl::string_view name, absl::Span<const ConditionPort> ports) {
  const auto found = absl::c_find_if(
      ports, [&](const ConditionPort& port) { return IsNamed(port, name); });
  return found == ports.end() ? -1 : static_cast<int>(found - ports.begin());
}

absl::StatusOr<int> FindPort(absl::string_view option, absl::string_view name,
                             const Ports& all) {
  const auto& [kind, ports, other_kind, others] = all;
  if (name.empty() && ports.size() == 1) return 0;
  const int index = IndexOf(name, ports);
  if (index >= 0) return index;
  std::string what = name.empty()
                         ? absl::StrCat(option, " is not set")
                         : absl::StrCat(option, ": the node has no ", kind,
                                        " stream ", "\"", name, "\"");
  if (!name.empty() && IndexOf(name, others) >= 0) {
    absl::StrAppend(&what, ", which is an ", other_kind, " stream of it");
  }
  if (ports.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, "; it has no ", kind, " streams."));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      what, "; its ", kind, " streams are ",
      absl::StrJoin(ports, ", ",
                    [](std::string* out, const ConditionPort& port) {
                      absl::StrAppend(out, PortText(port));
                    }),
      "."));
}

}  // namespace

absl::Status ConditionSetup::CheckOptions() const {
  return CheckOptionsAreRead(*options_, asked_, "condition");
}

absl::StatusOr<int> ConditionSetup::Input(absl::string_view option,
                                          absl::string_view tag_index) const {
  const absl::StatusOr<int> port =
      FindPort(option, tag_index, {"input", inputs_, "output", outputs_});
  if (port.ok()) requests_.named_inputs.push_back(*port);
  return port;
}

absl::StatusOr<int> ConditionSetup::Output(absl::string_view option,
                                           absl::string_view tag_index) const {
  const absl::StatusOr<int> port =
      FindPort(option, tag_index, {"output", outputs_, "input", inputs_});
  if (port.ok()) requests_.named_outputs.push_back(*port);
  return port;
}

absl::Status ConditionSetup::CheckAllocator(absl::string_view option,
                                            absl::string_view name) const {
  if (absl::c_linear_search(allocators_, name)) return absl::OkStatus();
  const std::string what =
      name.empty() ? absl::StrCat(option, " is not set")
                   : absl::StrCat(option, ": the graph has no allocator ", "\"",
                                  name, "\"");
  if (allocators_.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        what, "; it needs an `allocator { name: ... type: ... }`."));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      what, "; it has \"", absl::StrJoin(allocators_, "\", \""), "\"."));
}

void ConditionBase::SetListener(std::shared_ptr<ConditionListener> listener) {
  {
    MutexLock lock(&listener_mutex_);
    std::swap(listener_, listener);
  }
  // The old one goes without the lock.
}

void ConditionBase::Notify() {
  std::shared_ptr<ConditionListener> listener;
  {
    MutexLock lock(&listener_mutex_);
    listener = listener_;
  }
  if (listener != nullptr) listener->OnConditionChanged();
}

}  // namespace syncline
