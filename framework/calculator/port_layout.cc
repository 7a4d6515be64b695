#include "framework/calculator/port_layout.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
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

// Collects ports by tag, then lays them out.
class PortLayout::Builder {
 public:
  // `ports`: port names as a config has them.
  template <typename Ports>
  static absl::StatusOr<std::shared_ptr<const PortLayout>> Make(
      const Ports& ports) {
    if (ports.empty() && ContractProbe::Current() == nullptr) return Empty();
    Builder builder;
    for (const std::string& port : ports) {
      SYNCLINE_RETURN_IF_ERROR(builder.AddPort(port));
    }
    return builder.Build();
  }

  absl::Status AddPort(const std::string& port) {
    std::string tag, name;
    int index;
    SYNCLINE_RETURN_IF_ERROR(
        tool::ParseTagIndexName(port, &tag, &index, &name));
    Ports& ports = by_tag_[tag];
    if (index < 0) index = static_cast<int>(ports.size());
    return Add(tag, index, name, &ports);
  }

  absl::Status AddNext(const std::string& tag, const std::string& name) {
    Ports& ports = by_tag_[tag];
    return Add(tag, static_cast<int>(ports.size()), name, &ports);
  }

  absl::StatusOr<std::shared_ptr<const PortLayout>> Build() {
    // Not make_shared: the constructor is private.
    std::shared_ptr<PortLayout> layout(new PortLayout());
    std::vector<std::string> tags;
    for (const auto& [tag, ports] : by_tag_) tags.push_back(tag);
    std::sort(tags.begin(), tags.end());
    for (const std::string& tag : tags) {
      Ports& ports = by_tag_[tag];
      const int count = static_cast<int>(ports.size());
      std::vector<std::string*> ordered(count, nullptr);
      for (auto& [index, name] : ports) {
        if (index < count) ordered[index] = &name;
      }
      for (int i = 0; i < count; ++i) {
        if (ordered[i] == nullptr) return MissingIndex(tag, i, count);
      }
      layout->tags_.push_back({tag, layout->NumEntries(), count});
      for (std::string* const name : ordered) {
        layout->names_.push_back(std::move(*name));
      }
    }
    layout->searches_ =
        layout->tags_.size() > kFewTags || ContractProbe::Current() != nullptr;
    layout->untagged_count_ = layout->NumEntries("");
    return std::shared_ptr<const PortLayout>(std::move(layout));
  }

 private:
  using Ports = HashMap<int, std::string>;

  static absl::Status Add(const std::string& tag, int index,
                          absl::string_view name, Ports* ports) {
    if (index > kMaxCollectionItemId) {
      return absl::InvalidArgumentError(
          absl::StrCat("there are more than ", kMaxCollectionItemId + 1,
                       " ports with tag \"", tag, "\""));
    }
    const auto [entry, is_new] = ports->try_emplace(index, name);
    if (is_new) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat("tag \"", tag, "\" index ", index,
                     " is given twice, the first time as \"", entry->second,
                     "\"; to use a tag several times, number its ports: \"",
                     tag, ":0:...\", \"", tag, ":1:...\""));
  }

  static absl::Status MissingIndex(const std::string& tag, int index,
                                   int count) {
    return absl::FailedPreconditionError(absl::StrCat(
        "Not all indexes were assigned names: tag \"", tag, "\" has ", count,
        count == 1 ? " port" : " ports", ", but none with index ", index,
        "; number them from 0 without gaps"));
  }

  HashMap<std::string, Ports> by_tag_;
};

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
  for (size_t i = 0; i < info.names.size(); ++i) {
    const std::string tag = info.tags.empty() ? "" : info.tags[i];
    if (!tag.empty()) SYNCLINE_RETURN_IF_ERROR(tool::ValidateTag(tag));
    SYNCLINE_RETURN_IF_ERROR(tool::ValidateName(info.names[i]));
    SYNCLINE_RETURN_IF_ERROR(builder.AddNext(tag, info.names[i]));
  }
  return builder.Build();
}

std::shared_ptr<const PortLayout> PortLayout::WithoutMissing(
    std::shared_ptr<const PortLayout> layout,
    const std::vector<bool>& is_there) {
  if (!absl::c_linear_search(is_there, false)) return layout;
  std::shared_ptr<PortLayout> rest(new PortLayout());
  for (const Tag& tag : layout->tags_) {
    int count = tag.count;
    while (count > 0 && !is_there[tag.begin + count - 1]) --count;
    if (count == 0) continue;
    rest->tags_.push_back({tag.name, rest->NumEntries(), count});
    const auto names = layout->names_.begin() + tag.begin;
    rest->names_.insert(rest->names_.end(), names, names + count);
  }
  if (rest->NumEntries() == layout->NumEntries()) return layout;
  rest->untagged_count_ = rest->NumEntries("");
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
  static const auto& empty =
      *new std::shared_ptr<const PortLayout>(new PortLayout());
  return empty;
}

const PortLayout::Tag* PortLayout::Search(absl::string_view tag) const {
  if (ContractProbe* const probe = ContractProbe::Current(); probe != nullptr) {
    probe->NoteTag(*this, tag);
  }
  const auto found = std::lower_bound(
      tags_.begin(), tags_.end(), tag,
      [](const Tag& a, absl::string_view b) { return a.name < b; });
  return found != tags_.end() && found->name == tag ? &*found : nullptr;
}

int PortLayout::NumEntries(absl::string_view tag) const {
  const Tag* const found = Find(tag);
  return found == nullptr ? 0 : found->count;
}

std::pair<std::string, int> PortLayout::TagAndIndexFromId(
    CollectionItemId id) const {
  if (!id.IsValid() || id >= EndId()) return {"", -1};
  const auto after = std::upper_bound(
      tags_.begin(), tags_.end(), id.value(),
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
  for (const Tag& tag : tags_) tags.push_back(tag.name);
  return tags;
}

absl::string_view PortLayout::Name(absl::string_view tag, int index) const {
  const CollectionItemId id = GetId(tag, index);
  return id.IsValid() ? absl::string_view(names_[id.value()]) : "";
}

PortLayout::TagMapping PortLayout::Mapping() const {
  TagMapping mapping;
  for (const Tag& tag : tags_) {
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
  return std::equal(tags_.begin(), tags_.end(), other.tags_.begin(),
                    other.tags_.end(), [](const Tag& a, const Tag& b) {
                      return a.name == b.name && a.count == b.count;
                    });
}

std::vector<std::string> PortLayout::CanonicalEntries() const {
  std::vector<std::string> entries;
  entries.reserve(names_.size());
  for (const Tag& tag : tags_) {
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
  for (const Tag& tag : tags_) {
    for (int i = 0; i < tag.count; ++i) {
      ports.push_back(absl::StrCat("\"", tag.name, ":", i, "\""));
    }
  }
  return ports.empty() ? "[]"
                       : absl::StrCat("[ ", absl::StrJoin(ports, ", "), " ]");
}

}  // namespace syncline
