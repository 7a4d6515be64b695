#include "framework/calculator/log.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/log_levels.h"
#include "framework/base/misuse.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/legacy/legacy_support.h"
#include "framework/config/calculator.pb.h"
#include "glog/logging.h"

namespace syncline::log_internal {
namespace {

const CalculatorContext* CurrentCall() {
  return LegacyCalculatorSupport::Scoped<CalculatorContext>::current();
}

// In GetContract there is no context yet.
const CalculatorContract* CurrentContract() {
  const CalculatorContext* const call = CurrentCall();
  if (call != nullptr) return &call->contract();
  return LegacyCalculatorSupport::Scoped<CalculatorContract>::current();
}

LogLevel CurrentLevel() {
  if (const CalculatorContext* const call = CurrentCall(); call != nullptr) {
    return call->environment().log_level().Get();
  }
  if (const CalculatorContract* const contract = CurrentContract();
      contract != nullptr) {
    return LevelOf(contract->GetNodeName(), contract->GetLogLevel());
  }
  return GetLogLevel();
}

// How glog shows a level: its severity, and a name where it has no letter.
struct Look {
  google::LogSeverity severity;
  absl::string_view name;
};

Look LookOf(LogLevel level) {
  switch (level) {
    case LogLevel::kPanic:
      return {google::GLOG_ERROR, "PANIC "};
    case LogLevel::kError:
      return {google::GLOG_ERROR, ""};
    case LogLevel::kWarning:
      return {google::GLOG_WARNING, ""};
    case LogLevel::kInfo:
      break;
    case LogLevel::kDebug:
      return {google::GLOG_INFO, "DEBUG "};
    case LogLevel::kVerbose:
      return {google::GLOG_INFO, "VERBOSE "};
  }
  return {google::GLOG_INFO, ""};
}

}  // namespace

bool IsOn(int level, const char* file) {
  // The first line of the process finds a highest level that nobody has set
  // yet.
  static const bool flags_are_read = (ReadGlogFlags(), true);
  static_cast<void>(flags_are_read);
  const auto wanted = static_cast<LogLevel>(level);
  return wanted <= CurrentLevel() || GlogShows(wanted, file);
}

void Line::Write() const {
  const Look look = LookOf(static_cast<LogLevel>(level_));
  const CalculatorContract* const contract = CurrentContract();
  google::LogMessage(file_, line_, look.severity).stream()
      << look.name
      << (contract == nullptr ? "" : absl::StrCat(NodeText(*contract), ": "))
      << text_.str();
}

void Line::Panic() const {
  if (IsGuardedCall()) Write();
  // Outside of a call, this logs.
  ReportMisuse(absl::InternalError(
      absl::StrCat("PANIC at ", file_, ":", line_, ": ", text_.str())));
}

}  // namespace syncline::log_internal
