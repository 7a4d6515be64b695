#include "framework/component/parameter.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/nearest_names.h"
#include "framework/config/parameters.pb.h"

namespace syncline {
namespace {

// A config may hold any number of wrong values.
constexpr std::size_t kMaxErrors = 20;
constexpr std::size_t kQuotedKeyLength = 100;

std::string Named(absl::string_view key) {
  return absl::StrCat("parameter \"", key.substr(0, kQuotedKeyLength), "\"");
}

// What is wrong with the value of the parameter.
std::string ErrorOf(const ParameterInfo& info, const absl::Status& status) {
  return absl::StrCat(Named(info.key), " ", status.message(), ".");
}

absl::Status StatusOf(const std::vector<std::string>& errors) {
  if (errors.empty()) return absl::OkStatus();
  const std::size_t shown = std::min(errors.size(), kMaxErrors);
  return absl::InvalidArgumentError(absl::StrCat(
      absl::StrJoin(errors.begin(),
                    errors.begin() + static_cast<std::ptrdiff_t>(shown), "\n"),
      shown < errors.size()
          ? absl::StrCat("\nand ", errors.size() - shown, " more")
          : ""));
}

bool IsKey(absl::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
}

}  // namespace

void Registrar::AddSlot(ParameterInfo info, absl::Status problem,
                        AssignFunction assign) {
  if (!IsKey(info.key)) {
    problems_.push_back(
        absl::StrCat(Named(info.key),
                     " cannot be registered: a key is made of letters, "
                     "digits and \"_\"."));
  }
  for (const ParameterInfo& other : infos_) {
    if (other.key == info.key) {
      problems_.push_back(
          absl::StrCat(Named(info.key), " is registered twice, as \"",
                       other.headline, "\" and as \"", info.headline, "\"."));
    }
  }
  if (!problem.ok()) {
    problems_.push_back(absl::StrCat("the default of the ", Named(info.key),
                                     " ", problem.message(), "."));
  }
  infos_.push_back(std::move(info));
  assign_.push_back(std::move(assign));
}

absl::Status Registrar::status() const { return StatusOf(problems_); }

std::vector<const ParameterValue*> Registrar::Sort(
    const Parameters& values, std::vector<std::string>* errors,
    std::vector<std::string>* warnings) const {
  std::vector<const ParameterValue*> sorted(infos_.size());
  for (const ParameterValue& value : values.parameter()) {
    const auto info =
        std::ranges::find(infos_, value.key(), &ParameterInfo::key);
    if (info == infos_.end()) {
      // Near names are only looked for as long as somebody reads them.
      std::vector<std::string> keys;
      if (errors->size() < kMaxErrors) {
        for (const ParameterInfo& known : infos_) keys.push_back(known.key);
      }
      errors->push_back(absl::StrCat(Named(value.key()), " is not known.",
                                     DidYouMeanOrKnownText(value.key(), keys)));
      continue;
    }
    const ParameterValue*& place = sorted[info - infos_.begin()];
    if (place != nullptr && warnings != nullptr) {
      warnings->push_back(absl::StrCat(
          Named(value.key()), " has several values; the last one counts."));
    }
    place = &value;
  }
  return sorted;
}

absl::Status Registrar::Assign(const Parameters& values,
                               std::vector<std::string>* warnings) {
  if (!problems_.empty()) return status();
  std::vector<std::string> errors;
  const std::vector<const ParameterValue*> sorted =
      Sort(values, &errors, warnings);
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    if (sorted[i] != nullptr) {
      const absl::Status status = assign_[i](*sorted[i], /*store=*/true);
      if (status.ok()) continue;
      errors.push_back(ErrorOf(infos_[i], status));
    } else if (infos_[i].mandatory()) {
      errors.push_back(absl::StrCat(
          Named(infos_[i].key), " (", infos_[i].headline, ", ", infos_[i].type,
          ") is mandatory and has no value; add it to the node's "
          "syncline.Parameters."));
    }
  }
  return StatusOf(errors);
}

absl::Status Registrar::Update(const Parameters& values) {
  if (!problems_.empty()) return status();
  std::vector<std::string> errors;
  const std::vector<const ParameterValue*> sorted =
      Sort(values, &errors, /*warnings=*/nullptr);
  const auto for_each = [&](bool store) {
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      if (sorted[i] == nullptr) continue;
      if (!infos_[i].dynamic) {
        errors.push_back(absl::StrCat(
            Named(infos_[i].key),
            " is not dynamic: it keeps its value while the graph runs."));
        continue;
      }
      const absl::Status status = assign_[i](*sorted[i], store);
      if (!status.ok()) errors.push_back(ErrorOf(infos_[i], status));
    }
  };
  for_each(/*store=*/false);
  if (errors.empty()) for_each(/*store=*/true);
  return StatusOf(errors);
}

}  // namespace syncline
