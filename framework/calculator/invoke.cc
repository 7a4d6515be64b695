#include "framework/calculator/invoke.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/status_text.h"
#include "framework/calculator/call_error.h"
#include "framework/calculator/legacy/legacy_support.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/config/calculator.pb.h"

namespace syncline {
namespace {

using CurrentContext = LegacyCalculatorSupport::Scoped<CalculatorContext>;
using CurrentContract = LegacyCalculatorSupport::Scoped<CalculatorContract>;

// Whether ports and contract agree; an error says all that they disagree on.
absl::Status CheckPorts(const CalculatorContract& contract) {
  std::string problems;
  const auto check = [&](absl::string_view what, const PacketTypeSet& types) {
    const absl::Status disagreement = ValidatePacketTypeSet(types);
    if (disagreement.ok()) return;
    absl::StrAppend(&problems, "\nFor ", what, " of ", contract.GetNodeName(),
                    " ValidatePacketTypeSet failed:\n", disagreement.message());
  };
  check("input streams", contract.Inputs());
  check("output streams", contract.Outputs());
  check("input side packets", contract.InputSidePackets());
  check("output side packets", contract.OutputSidePackets());
  if (problems.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("failed to validate: ", problems));
}

}  // namespace

absl::Status InvokeGetContract(const CalculatorBaseFactory& factory,
                               CalculatorContract* contract) {
  absl::Status status = CallUserCode([&] {
    CurrentContract scope(contract);
    return factory.GetContract(contract);
  });
  const bool is_written = status.ok();
  if (is_written) status = CheckPorts(*contract);
  const std::string method = factory.ContractMethodName();
  if (method.empty()) {
    return is_written ? PrefixStatus("the ports ", status) : status;
  }
  // Code that matches on words knows "X::GetContract failed to validate: ", and
  // "X: " before what a calculator says itself.
  const std::string& type = contract->node().calculator();
  return PrefixStatus(is_written
                          ? absl::StrCat(type, "::", method, " ")
                          : absl::StrCat(method, " failed: ", type, ": "),
                      status);
}

absl::StatusOr<std::unique_ptr<CalculatorBase>> InvokeCreate(
    const CalculatorBaseFactory& factory, CalculatorContext* context) {
  std::unique_ptr<CalculatorBase> calculator;
  const absl::Status status = CallUserCode([&] {
    CurrentContext scope(context);
    calculator = factory.CreateCalculator(context);
    return calculator == nullptr
               ? absl::InternalError("the factory returned null")
               : absl::OkStatus();
  });
  if (!status.ok()) return CallError("Calculator", *context, status);
  return calculator;
}

absl::Status InvokeOpen(CalculatorBase* calculator,
                        CalculatorContext* context) {
  const absl::Status status = CallUserCode([&] {
    CurrentContext scope(context);
    return calculator->Open(context);
  });
  return status.ok() ? status : CallError("Open", *context, status);
}

absl::Status InvokeClose(CalculatorBase* calculator,
                         CalculatorContext* context) {
  const absl::Status status = CallUserCode([&] {
    CurrentContext scope(context);
    return calculator->Close(context);
  });
  return status.ok() ? status : CallError("Close", *context, status);
}

}  // namespace syncline
