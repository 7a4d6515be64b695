#include "framework/calculator/port_layout.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/contract_probe.h"
#include "framework/calculator/port_name.h"
#include "google/protobuf/repeated_ptr_field.h"

namespace syncline {

// Collects ports, then sorts them.
class PortLayout::Builder {
 public:
  // `ports`: port names as a config has them.
  template <typename Ports>
  static absl::StatusOr<std::shared_ptr<const PortLayout>> Make(
      const Ports& ports) {
    if (ports.empty() && ContractProbe::Current() == nullptr) return Empty();
    Builder builder;
    for (const std::string& port : ports) {
      tool::PortParts parts;
      SYNCLINE_RETURN_IF_ERROR(tool::SplitPortName(port, &parts));
      // Ports without a tag are numbered as they come.
      if (parts.index < 0) parts.index = builder.num_untagged_++;
      builder.Add(parts);
    }
    return builder.Build();
  }

  // The texts outlive this object. The ports of a tag come by rising index.
  void Add(const tool::PortParts& parts) {
    ports_.push_back({parts, static_cast<int>(ports_.size())});
  }

  absl::StatusOr<std::shared_ptr<const PortLayout>> Build() {
    if (num_untagged_ < static_cast<int>(ports_.size())) {
      std::sort(ports_.begin(), ports_.end());
      SYNCLINE_RETURN_IF_ERROR(CheckIndexes());
    }
    SYNCLINE_RETURN_IF_ERROR(CheckCounts());
    auto layout = std::make_shared<PortLayout>(PortLayout());
    for (const Port& port : ports_) {
      layout->names_.emplace_back(port.parts.name);
    }
    layout->tags_ = MakeTags();
    return std::shared_ptr<const PortLayout>(std::move(layout));
  }

 private:
  struct Port {
    tool::PortParts parts;
    int place;  // in the config

    friend bool operator<(const Port& a, const Port& b) {
      return std::tie(a.parts.tag, a.parts.index, a.place) <
             std::tie(b.parts.tag, b.parts.index, b.place);
    }
  };
  using Ports = absl::InlinedVector<Port, 4>;

  bool IsSameTag(size_t i) const {
    return i > 0 && ports_[i].parts.tag == ports_[i - 1].parts.tag;
  }

  absl::Status CheckIndexes() const {
    // The first in the config of the ports that are given again.
    const Port* again = nullptr;
    for (size_t i = 0; i < ports_.size(); ++i) {
      const Port& port = ports_[i];
      if (IsSameTag(i) && port.parts.index == ports_[i - 1].parts.index &&
          (again == nullptr || port.place < again->place)) {
        again = &port;
      }
    }
    if (again != nullptr) return GivenTwice(*again);
    int next = 0;
    for (size_t i = 0; i < ports_.size(); ++i) {
      if (!IsSameTag(i)) next = 0;
      if (ports_[i].parts.index != next++) return MissingIndex(i, next - 1);
    }
    return absl::OkStatus();
  }

  absl::Status CheckCounts() const {
    if (ports_.size() <= kMaxCollectionItemId) return absl::OkStatus();
    for (const Port& port : ports_) {
      if (port.parts.index <= kMaxCollectionItemId) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("there are more than ", kMaxCollectionItemId + 1,
                       " ports with tag \"", port.parts.tag, "\""));
    }
    return absl::OkStatus();
  }

  absl::Status GivenTwice(const Port& again) const {
    const auto& [tag, index, name] = (&again - 1)->parts;
    return absl::FailedPreconditionError(
        absl::StrCat("tag \"", tag, "\" index ", index,
                     " is given twice, the first time as \"", name,
                     "\"; to use a tag several times, number its ports: \"",
                     tag, ":0:...\", \"", tag, ":1:...\""));
  }

  // The tag is that of port `i`.
  absl::Status MissingIndex(size_t i, int index) const {
    const absl::string_view tag = ports_[i].parts.tag;
    const auto count = std::count_if(
        ports_.begin(), ports_.end(),
        [tag](const Port& port) { return port.parts.tag == tag; });
    return absl::FailedPreconditionError(absl::StrCat(
        "Not all indexes were assigned names: tag \"", tag, "\" has ", count,
        count == 1 ? " port" : " ports", ", but none with index ", index,
        "; number them from 0 without gaps"));
  }

  std::shared_ptr<const Tags> MakeTags() const {
    const bool is_probed = ContractProbe::Current() != nullptr;
    // Ports without a tag are the first.
    if ((ports_.empty() || ports_.back().parts.tag.empty()) && !is_probed) {
      return Untagged(static_cast<int>(ports_.size()));
    }
    auto tags = std::make_shared<Tags>();
    for (size_t i = 0; i < ports_.size(); ++i) {
      const absl::string_view tag = ports_[i].parts.tag;
      if (!IsSameTag(i)) {
        tags->all.push_back({std::string(tag), static_cast<int>(i), 0});
      }
      ++tags->all.back().count;
      if (tag.empty()) ++tags->untagged_count;
    }
    tags->searches = tags->all.size() > kFewTags || is_probed;
    return tags;
  }

  Ports ports_;
  // Those of port names as a config has them.
  int num_untagged_ = 0;
};

std::shared_ptr<const PortLayout::Tags> PortLayout::Untagged(int count) {
  const auto make = [](int size) {
    auto tags = std::make_shared<Tags>();
    if (size > 0) tags->all.push_back({"", 0, size});
    tags->untagged_count = size;
    return tags;
  };
  // Nearly all nodes have so few.
  constexpr int kShared = 8;
  static const auto& shared = *[&make] {
    std::array<std::shared_ptr<const Tags>, kShared> all;
    for (int i = 0; i < kShared; ++i) all[i] = make(i);
    return new std::array<std::shared_ptr<const Tags>, kShared>(all);
  }();
  return count < kShared ? shared[count] : make(count);
}

absl::StatusOr<std::shared_ptr<const PortLayout>> PortLayout::Create(
    const std::vector<std::string>& ports) {
  return Builder::Make(ports);
}

absl::StatusOr<std::shared_ptr<const PortLayout>> PortLayout::Create(
    const google::protobuf::RepeatedPtrField<std::string>& ports) {
  return Builder::Make(ports);
}

absl::StatusOr<std::shared_ptr<const PortLayout>> PortLayout::Create(
    const TagAndNameInfo& info) {
  if (!info.tags.empty() && info.tags.size() != info.names.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", info.tags.size(), " tags for ",
                     info.names.size(), " names"));
  }
  Builder builder;
  HashMap<absl::string_view, int> counts;
  for (size_t i = 0; i < info.names.size(); ++i) {
    const absl::string_view tag =
        info.tags.empty() ? absl::string_view() : info.tags[i];
    if (!tag.empty()) SYNCLINE_RETURN_IF_ERROR(tool::ValidateTag(tag));
    SYNCLINE_RETURN_IF_ERROR(tool::ValidateName(info.names[i]));
    builder.Add({.tag = tag, .index = counts[tag]++, .name = info.names[i]});
  }
  return builder.Build();
}

std::shared_ptr<const PortLayout> PortLayout::WithoutMissing(
    std::shared_ptr<const PortLayout> layout,
    const std::vector<bool>& is_there) {
  if (!absl::c_linear_search(is_there, false)) return layout;
  auto tags = std::make_shared<Tags>();
  auto rest = std::make_shared<PortLayout>(PortLayout());
  for (const Tag& tag : layout->tags_->all) {
    int count = tag.count;
    while (count > 0 && !is_there[tag.begin + count - 1]) --count;
    if (count == 0) continue;
    tags->all.push_back({tag.name, rest->NumEntries(), count});
    if (tag.name.empty()) tags->untagged_count = count;
    const auto names = layout->names_.begin() + tag.begin;
    rest->names_.insert(rest->names_.end(), names, names + count);
  }
  if (rest->NumEntries() == layout->NumEntries()) return layout;
  rest->tags_ = std::move(tags);
  return rest;
}

PortLayout::TagAndNameInfo PortLayout::Unnamed(std::vector<std::string> tags) {
  TagAndNameInfo info;
  info.tags = std::move(tags);
  for (size_t i = 0; i < info.tags.size(); ++i) {
    info.names.push_back(absl::StrCat("name", i));
  }
  return info;
}

std::shared_ptr<const PortLayout> PortLayout::Empty() {
  static const auto& empty = *[] {
    auto layout = std::make_shared<PortLayout>(PortLayout());
    layout->tags_ = Untagged(0);
    return new std::shared_ptr<const PortLayout>(std::move(layout));
  }();
  return empty;
}

const PortLayout::Tag* PortLayout::Search(absl::string_view tag) const {
  if (ContractProbe* const probe = ContractProbe::Current(); probe != nullptr) {
    probe->NoteTag(*this, tag);
  }
  const auto found = std::lower_bound(
      tags_->all.begin(), tags_->all.end(), tag,
      [](const Tag& a, absl::string_view b) { return a.name < b; });
  return found != tags_->all.end() && found->name == tag ? &*found : nullptr;
}

int PortLayout::NumEntries(absl::string_view tag) const {
  const Tag* const found = Find(tag);
  return found == nullptr ? 0 : found->count;
}

std::pair<std::string, int> PortLayout::TagAndIndexFromId(
    CollectionItemId id) const {
  if (!id.IsValid() || id >= EndId()) return {"", -1};
  const auto after = std::upper_bound(
      tags_->all.begin(), tags_->all.end(), id.value(),
      [](int value, const Tag& tag) { return value < tag.begin; });
  const Tag& tag = *(after - 1);
  return {tag.name, id.value() - tag.begin};
}

CollectionItemId PortLayout::BeginId(absl::string_view tag) const {
  const Tag* const found = Find(tag);
  return found == nullptr ? EndId() : CollectionItemId(found->begin);
}

CollectionItemId PortLayout::EndId(absl::string_view tag) const {
  const Tag* const found = Find(tag);
  return found == nullptr ? EndId()
                          : CollectionItemId(found->begin + found->count);
}

TagSet PortLayout::GetTags() const {
  TagSet tags;
  for (const Tag& tag : tags_->all) tags.push_back(tag.name);
  return tags;
}

absl::string_view PortLayout::Name(absl::string_view tag, int index) const {
  const CollectionItemId id = GetId(tag, index);
  return id.IsValid() ? absl::string_view(names_[id.value()]) : "";
}

PortLayout::TagMapping PortLayout::Mapping() const {
  TagMapping mapping;
  for (const Tag& tag : tags_->all) {
    mapping.emplace_back(tag.name,
                         TagData{CollectionItemId(tag.begin), tag.count});
  }
  return mapping;
}

PortLayout::TagMapping::const_iterator PortLayout::TagMapping::find(
    absl::string_view tag) const {
  return std::find_if(begin(), end(),
                      [tag](const auto& entry) { return entry.first == tag; });
}

const PortLayout::TagData& PortLayout::TagMapping::at(
    absl::string_view tag) const {
  const const_iterator found = find(tag);
  if (found == end()) {
    ReportMisuse(absl::OutOfRangeError(
        absl::StrCat("No port has the tag \"", tag, "\".")));
  }
  return found->second;
}

bool PortLayout::SameAs(const PortLayout& other) const {
  if (tags_ == other.tags_) return true;
  return std::equal(tags_->all.begin(), tags_->all.end(),
                    other.tags_->all.begin(), other.tags_->all.end(),
                    [](const Tag& a, const Tag& b) {
                      return a.name == b.name && a.count == b.count;
                    });
}

std::vector<std::string> PortLayout::CanonicalEntries() const {
  std::vector<std::string> entries;
  entries.reserve(names_.size());
  for (const Tag& tag : tags_->all) {
    for (int i = 0; i < tag.count; ++i) {
      const std::string& name = names_[tag.begin + i];
      if (tag.name.empty()) {
        entries.push_back(name);
      } else if (tag.count == 1) {
        entries.push_back(absl::StrCat(tag.name, ":", name));
      } else {
        entries.push_back(absl::StrCat(tag.name, ":", i, ":", name));
      }
    }
  }
  return entries;
}

std::string PortLayout::DebugString() const {
  return absl::StrJoin(CanonicalEntries(), "\n");
}

std::string PortLayout::ShortDebugString() const {
  std::vector<std::string> ports;
  for (const Tag& tag : tags_->all) {
    for (int i = 0; i < tag.count; ++i) {
      ports.push_back(absl::StrCat("\"", tag.name, ":", i, "\""));
    }
  }
  return ports.empty() ? "[]"
                       : absl::StrCat("[ ", absl::StrJoin(ports, ", "), " ]");
}

}  // namespace syncline
