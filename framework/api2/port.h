// Ports: what a calculator reads and writes, as constants with a type.
//
//   static constexpr Input<Image> kImage{"IMAGE"};
//   static constexpr Input<int>::Optional kScale{"SCALE"};
//   static constexpr Input<AnyType>::Multiple kAll{""};
//   static constexpr SideInput<Model> kModel{"MODEL"};
//   static constexpr Output<SameType<kImage>> kOut{"IMAGE"};
//
// One constant is used by the contract (AddToContract), by each call of the
// calculator (kImage(cc), see port_access.h) and by the graph builder, which
// reads the static members below. The tag "" means a port without a tag.
//
// Kinds: Input and Output are streams, SideInput and SideOutput side packets.
// An ::Optional port need not be connected. A ::Multiple stands for all ports
// of the tag, which may be none. Input<T>::SideFallback is an input that a
// graph may connect as stream or as side packet, but not both.
//
// Types: one type, or one of payload_types.h.
//
// Thread rule: constants.
// Tested by port_test.

#ifndef SYNCLINE_FRAMEWORK_API2_PORT_H_
#define SYNCLINE_FRAMEWORK_API2_PORT_H_

#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/api2/packet.h"
#include "framework/api2/payload_types.h"
#include "framework/api2/port_access.h"
#include "framework/api2/tag.h"
#include "framework/base/type_id.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/packet/packet_type.h"

namespace syncline {
namespace api2 {
namespace internal {

// Sets the type of a port that was declared with the type V.
template <typename V>
struct TypeRule {
  static void Apply(CalculatorContract*, PacketType& type, int index) {
    type.Set<V>();
  }
};
template <>
struct TypeRule<AnyType> {
  static void Apply(CalculatorContract*, PacketType& type, int index) {
    type.SetAny();
  }
};
template <>
struct TypeRule<NoneType> {
  static void Apply(CalculatorContract*, PacketType& type, int index) {
    type.SetNone();
  }
};
template <typename... T>
struct TypeRule<OneOf<T...>> {
  static void Apply(CalculatorContract*, PacketType& type, int index) {
    type.SetOneOf<T...>();
  }
};
// SameType of two Multiple ports: each element has the type of the element with
// the same index, or of the first if there is none. SameType of a port that is
// not connected means any type.
template <const auto& kPort>
struct TypeRule<SameType<kPort>> {
  static void Apply(CalculatorContract* cc, PacketType& type, int index) {
    const auto other = kPort(cc);
    if constexpr (std::remove_cvref_t<decltype(kPort)>::kMultiple) {
      if (other.Count() == 0) {
        type.SetAny();
      } else {
        PacketTypeAccess(&type).SetSameAs(
            other[index < other.Count() ? index : 0]);
      }
    } else {
      PacketTypeAccess(&type).SetSameAs(other);
    }
  }
};

// Not constexpr: so a port with such a tag does not compile.
void ReportWrongTag(const char* tag);

absl::Status CheckSideFallback(const CalculatorContract& cc, const char* tag,
                               bool has_stream, bool has_side_packet,
                               bool is_optional);

}  // namespace internal

// The part that all ports share.
class PortBase {
 public:
  // The tag is not copied: it is a literal or lives for ever.
  constexpr explicit PortBase(const char* tag) : tag_(tag) {
    if (!internal::IsValidTag(tag)) internal::ReportWrongTag(tag);
  }
  // The same for a text that ends where its literal ends; part of a longer one
  // does not compile.
  constexpr explicit PortBase(absl::string_view tag)
      : PortBase(tag.empty() ? "" : tag.data()) {
    if (absl::string_view(tag_).size() != tag.size()) {
      internal::ReportWrongTag(tag_);
    }
  }
  // "" for a port without a tag.
  constexpr const char* Tag() const { return tag_; }

 private:
  const char* tag_;
};

// The four kinds. Errors call a kind by its kKindName.
struct InputBase : PortBase {
  using PortBase::PortBase;
  static constexpr char kKindName[] = "input stream";
  static constexpr bool kIsInput = true;
  static constexpr bool kIsSide = false;
  static auto& Collection(CalculatorContext* cc) { return cc->Inputs(); }
  static auto& Collection(CalculatorContract* cc) { return cc->Inputs(); }

 protected:
  template <typename T>
  static InputShardAccess<T> Access(InputStream* stream, CalculatorContext* cc,
                                    const char* tag, int index) {
    return InputShardAccess<T>(stream, {cc, kKindName, tag, index});
  }
};

struct OutputBase : PortBase {
  using PortBase::PortBase;
  static constexpr char kKindName[] = "output stream";
  static constexpr bool kIsInput = false;
  static constexpr bool kIsSide = false;
  static auto& Collection(CalculatorContext* cc) { return cc->Outputs(); }
  static auto& Collection(CalculatorContract* cc) { return cc->Outputs(); }

 protected:
  template <typename T>
  static OutputShardAccess<T> Access(OutputStream* stream,
                                     CalculatorContext* cc, const char*, int) {
    return OutputShardAccess<T>(stream, cc);
  }
};

struct SideInputBase : PortBase {
  using PortBase::PortBase;
  static constexpr char kKindName[] = "input side packet";
  static constexpr bool kIsInput = true;
  static constexpr bool kIsSide = true;
  static auto& Collection(CalculatorContext* cc) {
    return cc->InputSidePackets();
  }
  static auto& Collection(CalculatorContract* cc) {
    return cc->InputSidePackets();
  }

 protected:
  template <typename T>
  static InputSidePacketAccess<T> Access(const ::syncline::Packet* packet,
                                         CalculatorContext* cc, const char* tag,
                                         int index) {
    return InputSidePacketAccess<T>(packet, {cc, kKindName, tag, index});
  }
};

struct SideOutputBase : PortBase {
  using PortBase::PortBase;
  static constexpr char kKindName[] = "output side packet";
  static constexpr bool kIsInput = false;
  static constexpr bool kIsSide = true;
  static auto& Collection(CalculatorContext* cc) {
    return cc->OutputSidePackets();
  }
  static auto& Collection(CalculatorContract* cc) {
    return cc->OutputSidePackets();
  }

 protected:
  template <typename T>
  static OutputSidePacketAccess<T> Access(OutputSidePacket* packet,
                                          CalculatorContext*, const char*,
                                          int) {
    return OutputSidePacketAccess<T>(packet);
  }
};

template <typename PortT>
class SideFallbackT;

// A port of the kind `Base` (one of the four above) that carries ValueT.
template <typename Base, typename ValueT, bool kIsOptional = false,
          bool kIsMultiple = false>
class PortCommon : public Base {
  template <typename Port, typename CC>
  friend class MultiplePortAccess;
  template <typename PortT>
  friend class SideFallbackT;

 public:
  // The declared type, and the type of the packets. They differ for SameType:
  // its packets have the type of the other port, which may be AnyType.
  using value_t = ValueT;
  using PayloadT = internal::ActualPayloadT<ValueT>;
  using BaseT = Base;
  static constexpr bool kOptional = kIsOptional;
  static constexpr bool kMultiple = kIsMultiple;

  using Optional = PortCommon<Base, ValueT, true, kIsMultiple>;
  using Multiple = PortCommon<Base, ValueT, kIsOptional, true>;
  using SideFallback = SideFallbackT<PortCommon>;

  constexpr explicit PortCommon(const char* tag) : Base(tag) {}
  constexpr explicit PortCommon(absl::string_view tag) : Base(tag) {}

  static constexpr bool IsOptional() { return kOptional; }
  static constexpr bool IsMultiple() { return kMultiple; }
  // The type of the packets. REQUIRES: the port is declared with one type.
  static constexpr TypeId type_id() {
    static_assert(internal::PlainPayload<PayloadT>,
                  "this port can carry several types");
    return TypeIdOf<PayloadT>();
  }

  // The port in a call of the calculator, and in its contract. It is a misuse
  // if the contract lacks a port that is neither optional nor Multiple.
  auto operator()(CalculatorContext* cc) const { return AccessIn(cc); }
  auto operator()(CalculatorContract* cc) const { return AccessIn(cc); }

  // Adds the port to a contract; SYNCLINE_NODE_CONTRACT calls this for its
  // ports. A required port that the graph does not connect is found when the
  // contract is validated.
  absl::Status AddToContract(CalculatorContract* cc) const {
    PacketTypeSet& types = Base::Collection(cc);
    if constexpr (kMultiple) {
      for (int i = 0; i < types.NumEntries(this->Tag()); ++i) {
        internal::TypeRule<ValueT>::Apply(cc, types.Get(this->Tag(), i), i);
      }
    } else {
      PacketType& type = types.Tag(this->Tag());
      internal::TypeRule<ValueT>::Apply(cc, type, 0);
      if constexpr (kOptional) type.Optional();
    }
    return absl::OkStatus();
  }

 private:
  template <typename CC>
  auto AccessIn(CC* cc) const {
    if constexpr (kMultiple) {
      return MultiplePortAccess<PortCommon, CC>(cc, this->Tag());
    } else {
      return AccessIndex(cc, this->Tag(), 0);
    }
  }

  static auto AccessIndex(CalculatorContext* cc, const char* tag, int index) {
    auto& ports = Base::Collection(cc);
    const CollectionItemId id = ports.GetId(tag, index);
    if (id.IsValid()) {
      return Base::template Access<PayloadT>(&ports.Get(id), cc, tag, index);
    }
    // Reports a misuse, since the contract does not have the port.
    if constexpr (!kOptional && !kMultiple) ports.Get(tag, index);
    return Base::template Access<PayloadT>(nullptr, cc, tag, index);
  }
  static PacketTypeAccess AccessIndex(CalculatorContract* cc, const char* tag,
                                      int index) {
    PacketTypeSet& types = Base::Collection(cc);
    const CollectionItemId id = types.GetId(tag, index);
    return PacketTypeAccess(id.IsValid() ? &types.Get(id) : nullptr);
  }
};

template <typename T>
using Input = PortCommon<InputBase, T>;
template <typename T>
using Output = PortCommon<OutputBase, T>;
template <typename T>
using SideInput = PortCommon<SideInputBase, T>;
template <typename T>
using SideOutput = PortCommon<SideOutputBase, T>;

// An input that may be a stream or a side packet of the same tag.
template <typename PortT>
class SideFallbackT {
 public:
  static_assert(std::is_same_v<typename PortT::BaseT, InputBase>,
                "only an Input has a SideFallback");
  static_assert(!PortT::kMultiple, "a SideFallback cannot be Multiple");

  using value_t = typename PortT::value_t;
  using PayloadT = typename PortT::PayloadT;
  static constexpr bool kIsInput = true;
  using StreamPort = typename Input<value_t>::Optional;
  using SidePort = typename SideInput<value_t>::Optional;
  static constexpr bool kOptional = PortT::kOptional;
  static constexpr bool kMultiple = false;
  using Optional = SideFallbackT<typename PortT::Optional>;

  constexpr explicit SideFallbackT(const char* tag)
      : stream_port(tag), side_port(tag) {}
  constexpr explicit SideFallbackT(absl::string_view tag)
      : stream_port(tag), side_port(tag) {}

  constexpr const char* Tag() const { return stream_port.Tag(); }
  static constexpr bool IsOptional() { return kOptional; }
  static constexpr bool IsMultiple() { return kMultiple; }

  InputShardOrSideAccess<PayloadT> operator()(CalculatorContext* cc) const {
    const CollectionItemId stream = cc->Inputs().GetId(Tag(), 0);
    const CollectionItemId side = cc->InputSidePackets().GetId(Tag(), 0);
    return InputShardOrSideAccess<PayloadT>(
        stream.IsValid() ? &cc->Inputs().Get(stream) : nullptr,
        side.IsValid() ? &cc->InputSidePackets().Get(side) : nullptr,
        {cc, stream.IsValid() ? InputBase::kKindName : SideInputBase::kKindName,
         Tag(), 0});
  }
  PacketTypeAccess operator()(CalculatorContract* cc) const {
    const PacketTypeAccess stream = stream_port(cc);
    return stream.IsConnected() ? stream : side_port(cc);
  }

  // INVALID_ARGUMENT if both are connected, or if neither is and the port is
  // not optional.
  absl::Status AddToContract(CalculatorContract* cc) const {
    const absl::Status status =
        internal::CheckSideFallback(*cc, Tag(), stream_port(cc).IsConnected(),
                                    side_port(cc).IsConnected(), kOptional);
    if (!status.ok()) return status;
    if (stream_port(cc).IsConnected()) return stream_port.AddToContract(cc);
    // A required port needs its side packet before the run starts.
    if constexpr (!kOptional) {
      return SideInput<value_t>(Tag()).AddToContract(cc);
    }
    return side_port.AddToContract(cc);
  }

  StreamPort stream_port;
  SidePort side_port;
};

}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_PORT_H_
