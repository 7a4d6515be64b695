// Calls of packet generators: by the node that stands for one in a plan
// (PacketGeneratorWrapperCalculator), or earlier, before the run begins. The
// packets of an earlier call wait in a service, and the node takes them instead
// of calling its generator again.
//
// Thread rule: GeneratePackets is a free function. GeneratedPackets is filled
// before the run and read by its threads.
// Tested by packet_generator_wrapper_calculator_test and
// generate_side_packets_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_GENERATED_PACKETS_H_
#define SYNCLINE_FRAMEWORK_PLAN_GENERATED_PACKETS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/service.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"

namespace syncline {

inline constexpr char kPacketGeneratorWrapper[] =
    "PacketGeneratorWrapperCalculator";

// The packets of generators that were called before the run, by the names of
// their nodes.
struct GeneratedPackets {
  std::map<std::string, PacketSet, std::less<>> by_node;
};
inline constexpr GraphService<GeneratedPackets> kGeneratedPackets(
    "syncline.GeneratedPackets");

// Calls Generate() of the generator that the options name. The packets are
// those of `outputs`. Errors begin with the generator's name.
absl::StatusOr<PacketSet> GeneratePackets(
    const PacketGeneratorWrapperCalculatorOptions& options,
    const PacketSet& inputs, std::shared_ptr<const PortLayout> outputs);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_GENERATED_PACKETS_H_
