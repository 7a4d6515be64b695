#include "framework/tool/validate_type.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/legacy/packet_generator.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/port_layout.h"

namespace syncline {
namespace tool {
namespace {

absl::StatusOr<std::unique_ptr<StaticPacketGenerator>> MakeGenerator(
    absl::string_view name, absl::string_view package) {
  absl::StatusOr<std::unique_ptr<StaticPacketGenerator>> generator =
      StaticPacketGeneratorRegistry::CreateByNameInNamespace(package, name);
  if (generator.ok()) return generator;
  return PrefixStatus(
      absl::StrCat("Unable to find PacketGenerator \"", name, "\": "),
      generator.status());
}

absl::Status FillAndValidate(const StaticPacketGenerator& generator,
                             absl::string_view name,
                             const PacketGeneratorOptions& options,
                             PacketTypeSet* inputs, PacketTypeSet* outputs) {
  SYNCLINE_RETURN_IF_ERROR(PrefixStatus(
      absl::StrCat(name, "::FillExpectations failed: "), CallUserCode([&] {
        return generator.FillExpectations(options, inputs, outputs);
      })));
  return CombineStatuses(
      absl::StrCat(name, "::FillExpectations failed to validate: "),
      {PrefixStatus("For input side packets ValidatePacketTypeSet failed:\n",
                    ValidatePacketTypeSet(*inputs)),
       PrefixStatus("For output side packets ValidatePacketTypeSet failed:\n",
                    ValidatePacketTypeSet(*outputs))});
}

}  // namespace

absl::Status RunGeneratorFillExpectations(const PacketGeneratorConfig& config,
                                          absl::string_view package) {
  const std::string& name = config.packet_generator();
  SYNCLINE_ASSIGN_OR_RETURN(
      const std::unique_ptr<StaticPacketGenerator> generator,
      MakeGenerator(name, package));
  SYNCLINE_ASSIGN_OR_RETURN(auto inputs,
                            PortLayout::Create(config.input_side_packet()));
  SYNCLINE_ASSIGN_OR_RETURN(auto outputs,
                            PortLayout::Create(config.output_side_packet()));
  PacketTypeSet input_types(std::move(inputs));
  PacketTypeSet output_types(std::move(outputs));
  return FillAndValidate(*generator, name, config.options(), &input_types,
                         &output_types);
}

absl::Status RunGenerateAndValidateTypes(absl::string_view name,
                                         const PacketGeneratorOptions& options,
                                         const PacketSet& inputs,
                                         PacketSet* outputs,
                                         absl::string_view package) {
  SYNCLINE_ASSIGN_OR_RETURN(
      const std::unique_ptr<StaticPacketGenerator> generator,
      MakeGenerator(name, package));
  PacketTypeSet input_types(inputs.TagMap());
  PacketTypeSet output_types(outputs->TagMap());
  SYNCLINE_RETURN_IF_ERROR(
      FillAndValidate(*generator, name, options, &input_types, &output_types));
  SYNCLINE_RETURN_IF_ERROR(
      PrefixStatus(absl::StrCat(name, "'s input side packets are wrong: "),
                   ValidatePacketSet(input_types, inputs)));
  SYNCLINE_RETURN_IF_ERROR(PrefixStatus(
      absl::StrCat(name, "::Generate() failed. "), CallUserCode([&] {
        return generator->Generate(options, inputs, outputs);
      })));
  return PrefixStatus(absl::StrCat(name, "'s output side packets are wrong: "),
                      ValidatePacketSet(output_types, *outputs));
}

}  // namespace tool
}  // namespace syncline
