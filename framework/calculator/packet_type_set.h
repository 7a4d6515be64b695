// PacketTypeSet: what a contract says about each port of one kind.
//
// The set is made for the ports that the graph connects; the contract then says
// what each carries. The two can disagree in two ways. ValidatePacketTypeSet
// finds both afterwards, so that one error lists all mistakes:
//
//   the contract asks for a port that the graph leaves out
//       The set returns a substitute and notes that the port is missing. If the
//       contract marks the substitute Optional(), the port is no longer
//       missing: this is how optional ports work.
//   the graph connects a port that the contract never mentions
//       Its type stays undefined.
//
// Thread rule: for one thread while the contract is written, then read-only.
// Tested by packet_type_set_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_TYPE_SET_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_TYPE_SET_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/collection.h"
#include "framework/calculator/packet_set.h"
#include "framework/packet/packet_type.h"

namespace syncline {

// Stand-ins for ports that a contract asked for and the graph lacks.
class MissingPorts {
 public:
  // Never fails. The same port gives the same stand-in, which lives as long as
  // the set.
  PacketType& GetFallback(const PortLayout& layout, absl::string_view tag,
                          int index);

  // Ports whose stand-in was not marked optional, as (tag, index), sorted.
  std::vector<std::pair<std::string, int>> Required() const;

  struct StandIn {
    std::pair<std::string, int> port;  // tag and index
    std::unique_ptr<PacketType> type;
  };
  // All stand-ins, sorted by port.
  absl::Span<const StandIn> all() const;

 private:
  std::unique_ptr<std::vector<StandIn>> types_;  // null: none
};

class PacketTypeSet
    : public Collection<PacketType, CollectionStorage::kStoreValue,
                        MissingPorts> {
 public:
  using Collection::Collection;

  // Ports that the contract asks for and the graph does not connect.
  const MissingPorts& Missing() const { return on_missing(); }
};

// INVALID_ARGUMENT with a line for each port that only the contract or only the
// graph has, naming nearest tags.
absl::Status ValidatePacketTypeSet(const PacketTypeSet& types);

// Whether each packet of `packets` is of the type that `types` says. The two
// have the same ports. An empty packet is an error unless its port is optional.
absl::Status ValidatePacketSet(const PacketTypeSet& types,
                               const PacketSet& packets);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_TYPE_SET_H_
