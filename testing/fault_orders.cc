#include "testing/fault_orders.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

absl::string_view KindText(FaultKind kind) {
  switch (kind) {
    case FaultKind::kError:
      return "an error";
    case FaultKind::kRuntimeError:
      return "a runtime_error";
    case FaultKind::kBadAlloc:
      return "a bad_alloc";
    case FaultKind::kBlock:
      return "a block";
    case FaultKind::kDelay:
      return "a delay";
    case FaultKind::kCancel:
      return "a cancel";
    case FaultKind::kLateTimestamp:
      return "a late timestamp";
  }
  return "a fault";
}

}  // namespace

std::string FaultText(const Fault& fault) {
  std::string call;
  switch (fault.call) {
    case CallPhase::kOpen:
      call = "Open";
      break;
    case CallPhase::kClose:
      call = "Close";
      break;
    default:
      call = absl::StrCat("Process ", fault.number);
  }
  return absl::StrCat("injected fault: ", KindText(fault.kind), " in ", call,
                      " of node \"", fault.node, "\"");
}

}  // namespace syncline
