// ComponentId: the 128 bits by which an extension or a component is known, also
// when its name changes.
//
//   constexpr ComponentId kId = {0xd8629d822909316d, 0xa9ee7410c8c1a7b6};
//   kId.ToString()   // "d8629d82-2909-316d-a9ee-7410c8c1a7b6"
//
// Make one with any generator of UUIDs. All zeros is no id.
//
// Thread rule: values.
// Tested by component_factory_test.

#ifndef SYNCLINE_FRAMEWORK_COMPONENT_COMPONENT_ID_H_
#define SYNCLINE_FRAMEWORK_COMPONENT_COMPONENT_ID_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

struct ComponentId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  constexpr bool IsZero() const { return high == 0 && low == 0; }

  // As UUIDs are written, in lower case.
  std::string ToString() const;
  // 32 hexadecimal digits in upper or lower case, with dashes anywhere and
  // perhaps "0x" before them.
  static absl::StatusOr<ComponentId> Parse(absl::string_view text);

  friend constexpr bool operator==(const ComponentId&,
                                   const ComponentId&) = default;
  friend constexpr auto operator<=>(const ComponentId&,
                                    const ComponentId&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const ComponentId& id) {
    return H::combine(std::move(h), id.high, id.low);
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_COMPONENT_COMPONENT_ID_H_
