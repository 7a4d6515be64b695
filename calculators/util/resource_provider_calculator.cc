// ResourceProviderCalculator: gives files, or replacements of files, as side
// packets.
//
//   node {
//     calculator: "ResourceProviderCalculator"
//     output_side_packet: "RESOURCE:model"     # Resource
//     node_options { [type.googleapis.com/
//         syncline.ResourceProviderCalculatorOptions] {
//       resource_id: "model.bin" } }
//   }
//
// Their ids are in the options, or in side packets RESOURCE_ID (std::string),
// one for each RESOURCE. The graph's resources load them, without a copy if
// possible. A resource that cannot be read ends the run with an error.
//
// Thread rule: no state of its own.
// Tested by util_calculators_test.
#include <memory>
#include <string>
#include <utility>

#include "calculators/util/resource_provider_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/resources.h"

namespace syncline {
namespace {

constexpr char kId[] = "RESOURCE_ID";
constexpr char kResource[] = "RESOURCE";

}  // namespace

class ResourceProviderCalculator : public CalculatorBase {
 public:
  using Options = ResourceProviderCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    const int from_options = cc->Options<Options>().resource_id_size();
    const int from_packets = cc->InputSidePackets().NumEntries(kId);
    const int resources = cc->OutputSidePackets().NumEntries(kResource);
    if (from_options > 0 && from_packets > 0) {
      return absl::InvalidArgumentError(
          "which resources? They are named by the option resource_id or by "
          "the side packets RESOURCE_ID, not by both");
    }
    if (resources == 0 || resources != from_options + from_packets) {
      return absl::InvalidArgumentError(absl::StrCat(
          "each RESOURCE needs an id, at least one of each, but there are ",
          resources, " and ", from_options + from_packets));
    }
    for (int i = 0; i < from_packets; ++i) {
      cc->InputSidePackets().Get(kId, i).Set<std::string>();
    }
    for (int i = 0; i < resources; ++i) {
      cc->OutputSidePackets().Get(kResource, i).Set<Resource>();
    }
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    const Resources::Options read_options{
        .read_as_binary = options.read_mode() != Options::READ_MODE_TEXT};
    for (int i = 0; i < cc->OutputSidePackets().NumEntries(kResource); ++i) {
      const std::string& id =
          options.resource_id_size() > 0
              ? options.resource_id(i)
              : cc->InputSidePackets().Get(kId, i).Get<std::string>();
      SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<Resource> resource,
                                cc->GetResources().Get(id, read_options));
      cc->OutputSidePackets()
          .Get(kResource, i)
          .Set(Adopt<Resource>(resource.release()));
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* /*cc*/) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ResourceProviderCalculator);

}  // namespace syncline
