#include "framework/calculator/node_parameters.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_text.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/contract_probe.h"
#include "framework/calculator/log.h"
#include "framework/component/parameter.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/parameters.pb.h"

namespace syncline::parameter_internal {
namespace {

absl::Status Assign(const CalculatorContract& cc, Registrar* registrar,
                    std::vector<std::string>* warnings) {
  const absl::Status status =
      registrar->Assign(cc.Options<Parameters>(), warnings);
  if (status.ok()) return status;
  return PrefixStatus(
      absl::StrCat("Parameters of \"", cc.node().calculator(), "\": "), status);
}

}  // namespace

absl::Status Check(const CalculatorContract& cc, Registrar* registrar) {
  if (ContractProbe* const probe = ContractProbe::Current(); probe != nullptr) {
    // There is no node yet that could have values.
    probe->NoteParameters(registrar->infos());
    return registrar->status();
  }
  std::vector<std::string> warnings;
  const absl::Status status = Assign(cc, registrar, &warnings);
  for (const std::string& warning : warnings) SYNCLINE_LOG(WARNING) << warning;
  return status;
}

absl::Status ReadInto(const CalculatorContract& cc, Registrar* registrar) {
  return Assign(cc, registrar, /*warnings=*/nullptr);
}

}  // namespace syncline::parameter_internal
