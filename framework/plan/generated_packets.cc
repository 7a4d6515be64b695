#include "framework/plan/generated_packets.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/legacy/packet_generator.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"

namespace syncline {

absl::StatusOr<PacketSet> GeneratePackets(
    const PacketGeneratorWrapperCalculatorOptions& options,
    const PacketSet& inputs, std::shared_ptr<const PortLayout> outputs) {
  SYNCLINE_ASSIGN_OR_RETURN(
      const std::unique_ptr<StaticPacketGenerator> generator,
      StaticPacketGeneratorRegistry::CreateByNameInNamespace(
          options.package(), options.packet_generator()));
  PacketSet packets(std::move(outputs));
  SYNCLINE_RETURN_IF_ERROR(PrefixStatus(
      // Code that matches on words knows both parts.
      absl::StrCat("PacketGeneratorGraph failed. ", options.packet_generator(),
                   "::Generate() failed. "),
      CallUserCode([&] {
        return generator->Generate(options.options(), inputs, &packets);
      })));
  return packets;
}

}  // namespace syncline
