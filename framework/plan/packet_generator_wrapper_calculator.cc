// PacketGeneratorWrapperCalculator: runs a packet generator as a node.
//
// The plan puts one in place of each packet generator of a graph
// (lower_legacy.cc); nobody writes it by hand. Open calls Generate and gives
// its packets as output side packets.
//
// Thread rule: as for any calculator.
// Tested by packet_generator_wrapper_calculator_test.

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/packet_generator.h"
#include "framework/calculator/packet_set.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"

namespace syncline {
namespace {

using Options = PacketGeneratorWrapperCalculatorOptions;

absl::StatusOr<std::unique_ptr<StaticPacketGenerator>> MakeGenerator(
    const Options& options) {
  return StaticPacketGeneratorRegistry::CreateByNameInNamespace(
      options.package(), options.packet_generator());
}

}  // namespace

class PacketGeneratorWrapperCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const Options& options = cc->Options<Options>();
    SYNCLINE_ASSIGN_OR_RETURN(
        const std::unique_ptr<StaticPacketGenerator> generator,
        MakeGenerator(options));
    return PrefixStatus(
        absl::StrCat(options.packet_generator(), "::FillExpectations failed: "),
        generator->FillExpectations(options.options(), &cc->InputSidePackets(),
                                    &cc->OutputSidePackets()));
  }

  absl::Status Open(CalculatorContext* cc) override {
    const Options& options = cc->Options<Options>();
    SYNCLINE_ASSIGN_OR_RETURN(
        const std::unique_ptr<StaticPacketGenerator> generator,
        MakeGenerator(options));
    PacketSet outputs(cc->OutputSidePackets().TagMap());
    SYNCLINE_RETURN_IF_ERROR(PrefixStatus(
        absl::StrCat(options.packet_generator(), "::Generate() failed. "),
        generator->Generate(options.options(), cc->InputSidePackets(),
                            &outputs)));
    for (CollectionItemId id = outputs.BeginId(); id < outputs.EndId(); ++id) {
      cc->OutputSidePackets().Get(id).Set(outputs.Get(id));
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    return absl::InternalError("a node without streams is not processed");
  }
};
REGISTER_CALCULATOR(PacketGeneratorWrapperCalculator);

}  // namespace syncline
