// PacketGenerator: the old way to make side packets from side packets.
//
// New code writes a calculator with output side packets. A graph that still has
// packet_generator entries works: each becomes a node that calls Generate when
// the run starts.
//
//   class SizeGenerator : public syncline::PacketGenerator {
//    public:
//     static absl::Status FillExpectations(
//         const syncline::PacketGeneratorOptions& options,
//         syncline::PacketTypeSet* inputs, syncline::PacketTypeSet* outputs);
//     static absl::Status Generate(
//         const syncline::PacketGeneratorOptions& options,
//         const syncline::PacketSet& inputs, syncline::PacketSet* outputs);
//   };
//   REGISTER_PACKET_GENERATOR(SizeGenerator);
//
// Thread rule: both functions may be called on any thread, several at once.
// Tested by packet_generator_wrapper_calculator_test and validate_type_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_LEGACY_PACKET_GENERATOR_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_LEGACY_PACKET_GENERATOR_H_

#include <concepts>
#include <memory>
#include <type_traits>

#include "absl/status/status.h"
#include "framework/base/typed_registry.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/config/packet_generator.pb.h"

namespace syncline {

// Only its static functions are used; there are no objects.
class PacketGenerator {
 public:
  virtual ~PacketGenerator() = 0;
};
inline PacketGenerator::~PacketGenerator() = default;

// The functions of one generator class.
class StaticPacketGenerator {
 public:
  virtual ~StaticPacketGenerator() = default;
  virtual absl::Status FillExpectations(const PacketGeneratorOptions& options,
                                        PacketTypeSet* inputs,
                                        PacketTypeSet* outputs) const = 0;
  virtual absl::Status Generate(const PacketGeneratorOptions& options,
                                const PacketSet& inputs,
                                PacketSet* outputs) const = 0;
};

template <typename T>
concept HasGeneratorFunctions = requires(const PacketGeneratorOptions& options,
                                         PacketTypeSet* types,
                                         const PacketSet& inputs,
                                         PacketSet* outputs) {
  {
    T::FillExpectations(options, types, types)
    } -> std::convertible_to<absl::Status>;
  {
    T::Generate(options, inputs, outputs)
    } -> std::convertible_to<absl::Status>;
};

template <typename T>
class StaticPacketGeneratorFor : public StaticPacketGenerator {
  static_assert(std::is_base_of_v<PacketGenerator, T>,
                "a packet generator derives from syncline::PacketGenerator");
  static_assert(HasGeneratorFunctions<T>,
                "a packet generator has the public static functions "
                "FillExpectations and Generate; see packet_generator.h");

 public:
  absl::Status FillExpectations(const PacketGeneratorOptions& options,
                                PacketTypeSet* inputs,
                                PacketTypeSet* outputs) const override {
    return T::FillExpectations(options, inputs, outputs);
  }
  absl::Status Generate(const PacketGeneratorOptions& options,
                        const PacketSet& inputs,
                        PacketSet* outputs) const override {
    return T::Generate(options, inputs, outputs);
  }
};

using StaticPacketGeneratorRegistry =
    GlobalFactoryRegistry<std::unique_ptr<StaticPacketGenerator>>;

}  // namespace syncline

#define REGISTER_PACKET_GENERATOR(name)                                        \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(                                         \
      ::syncline::StaticPacketGeneratorRegistry,                               \
      packet_generator_registration, name, [] {                                \
        return std::make_unique<::syncline::StaticPacketGeneratorFor<name>>(); \
      })

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_LEGACY_PACKET_GENERATOR_H_
