// PacketGenerator: makes side packets out of side packets, before a run; kept
// for graphs that have it.
//
//   class SplitterGenerator : public PacketGenerator {
//    public:
//     static absl::Status FillExpectations(
//         const PacketGeneratorOptions& options,
//         PacketTypeSet* input_side_packets,
//         PacketTypeSet* output_side_packets);
//     static absl::Status Generate(const PacketGeneratorOptions& options,
//                                  const PacketSet& input_side_packets,
//                                  PacketSet* output_side_packets);
//   };
//   REGISTER_PACKET_GENERATOR(SplitterGenerator);
//
// New code writes a calculator with output side packets; the plan turns a
// generator into such a node.
//
// Thread rule: Generate may run on any thread, once per run and generator.
// Tested by legacy_test.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_GENERATOR_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_GENERATOR_H_

#include <concepts>
#include <memory>

#include "absl/status/status.h"
#include "framework/base/registry.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/config/packet_generator.pb.h"

namespace syncline {

// The base class; all functions are static and the class is never made.
class PacketGenerator {
 protected:
  PacketGenerator() = default;
};

// The static functions of one class, as virtual ones.
class StaticPacketGenerator {
 public:
  virtual ~StaticPacketGenerator() = default;
  virtual absl::Status FillExpectations(
      const PacketGeneratorOptions& options, PacketTypeSet* input_side_packets,
      PacketTypeSet* output_side_packets) const = 0;
  virtual absl::Status Generate(const PacketGeneratorOptions& options,
                                const PacketSet& input_side_packets,
                                PacketSet* output_side_packets) const = 0;
};

template <typename T>
class StaticPacketGeneratorFor : public StaticPacketGenerator {
  static_assert(std::derived_from<T, PacketGenerator>,
                "a packet generator derives from PacketGenerator");

 public:
  absl::Status FillExpectations(
      const PacketGeneratorOptions& options, PacketTypeSet* input_side_packets,
      PacketTypeSet* output_side_packets) const override {
    return T::FillExpectations(options, input_side_packets,
                               output_side_packets);
  }
  absl::Status Generate(const PacketGeneratorOptions& options,
                        const PacketSet& input_side_packets,
                        PacketSet* output_side_packets) const override {
    return T::Generate(options, input_side_packets, output_side_packets);
  }
};

using StaticPacketGeneratorRegistry =
    GlobalFactoryRegistry<std::unique_ptr<StaticPacketGenerator>>;

#define REGISTER_PACKET_GENERATOR(name)          \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(           \
      ::syncline::StaticPacketGeneratorRegistry, \
      packet_generator_registration, name,       \
      std::make_unique<::syncline::StaticPacketGeneratorFor<name>>)

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_GENERATOR_H_
