// PacketGeneratorWrapperCalculator: runs a packet generator as a node.
//
// The plan puts one in place of each packet generator of a graph
// (lower_legacy.cc); nobody writes it by hand. Open calls Generate, unless that
// was done before the run (generated_packets.h), and gives the packets as
// output side packets.
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
#include "framework/calculator/legacy/packet_generator.h"
#include "framework/calculator/packet_set.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/plan/generated_packets.h"

namespace syncline {
namespace {

using Options = PacketGeneratorWrapperCalculatorOptions;

void SetAll(const PacketSet& packets, CalculatorContext* cc) {
  for (CollectionItemId id = packets.BeginId(); id < packets.EndId(); ++id) {
    cc->OutputSidePackets().Get(id).Set(packets.Get(id));
  }
}

}  // namespace

class PacketGeneratorWrapperCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const Options& options = cc->Options<Options>();
    SYNCLINE_ASSIGN_OR_RETURN(
        const std::unique_ptr<StaticPacketGenerator> generator,
        StaticPacketGeneratorRegistry::CreateByNameInNamespace(
            options.package(), options.packet_generator()));
    cc->UseService(kGeneratedPackets).Optional();
    return PrefixStatus(
        absl::StrCat(options.packet_generator(), "::FillExpectations failed: "),
        generator->FillExpectations(options.options(), &cc->InputSidePackets(),
                                    &cc->OutputSidePackets()));
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (const auto generated = cc->Service(kGeneratedPackets);
        generated.IsAvailable()) {
      const auto& by_node = generated.GetObject().by_node;
      const auto mine = by_node.find(cc->NodeName());
      if (mine != by_node.end()) {
        SetAll(mine->second, cc);
        return absl::OkStatus();
      }
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        const PacketSet packets,
        GeneratePackets(cc->Options<Options>(), cc->InputSidePackets(),
                        cc->OutputSidePackets().TagMap()));
    SetAll(packets, cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    return absl::InternalError("a node without streams is not processed");
  }
};
REGISTER_CALCULATOR(PacketGeneratorWrapperCalculator);

}  // namespace syncline
