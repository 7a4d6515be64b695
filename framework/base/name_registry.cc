#include "framework/base/name_registry.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "framework/base/hash_map.h"
#include "framework/base/library_file.h"
#include "framework/base/misuse.h"
#include "framework/base/nearest_names.h"

namespace syncline {
namespace {

// How much of a name an error text repeats.
constexpr std::size_t kQuotedLength = 200;

std::string Quoted(absl::string_view name) {
  if (name.size() <= kQuotedLength) return absl::StrCat("\"", name, "\"");
  return absl::StrCat("\"", name.substr(0, kQuotedLength), "...\"");
}

absl::string_view WithoutTopNamespace(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "syncline.")) {
    absl::ConsumePrefix(&name, "mediapipe.");
  }
  return name;
}

// "a::b::X" -> "a.b.X"; a leading separator stays as ".".
std::string WithDots(absl::string_view name) {
  return absl::StrReplaceAll(name, {{"::", "."}});
}

// The same without a copy of a name that has no "::". Else it is in `place`.
absl::string_view Dotted(absl::string_view name, std::string* place) {
  if (!absl::StrContains(name, ':')) return name;
  *place = WithDots(name);
  return *place;
}

// The key of a name that was written in full.
std::string FullNameOf(absl::string_view name) {
  const std::string dotted = WithDots(name);
  return std::string(WithoutTopNamespace(absl::StripPrefix(dotted, ".")));
}

bool IsPossibleName(absl::string_view full_name) {
  if (full_name.empty() || full_name.front() == '.' ||
      full_name.back() == '.' || absl::StrContains(full_name, "..")) {
    return false;
  }
  return std::all_of(full_name.begin(), full_name.end(), [](unsigned char c) {
    return c > ' ' && c != '"' && c != 0x7f;
  });
}

absl::string_view OriginText(absl::string_view origin) {
  return origin.empty() ? "an unknown place" : origin;
}

// The packages of `ns` that are short enough to stand in a name of `longest`
// letters.
absl::string_view ShortPackages(absl::string_view ns, std::size_t longest) {
  // Room for a top namespace and for separators of two letters.
  const std::size_t limit = 2 * longest + 32;
  if (ns.size() <= limit) return ns;
  ns = ns.substr(0, limit);
  const std::size_t end = ns.find_last_of(".:");
  return ns.substr(0, end == absl::string_view::npos ? 0 : end);
}

thread_local RegistrationErrors* innermost_errors = nullptr;

}  // namespace

void RegistrationToken::Unregister() {
  if (unregister_ == nullptr) return;
  std::exchange(unregister_, nullptr)();
}

RegistrationToken RegistrationToken::Combine(
    std::vector<RegistrationToken> tokens) {
  auto shared =
      std::make_shared<std::vector<RegistrationToken>>(std::move(tokens));
  return RegistrationToken([shared] {
    for (RegistrationToken& token : *shared) token.Unregister();
  });
}

NameRegistry::NameRegistry(absl::string_view kind) : kind_(kind) {}

NameRegistry::~NameRegistry() = default;

NameRegistry& NameRegistry::Get(absl::string_view kind) {
  struct Kinds {
    Mutex mutex;
    // A kind may be asked for first while a graph is built without memory.
    HashMap<std::string, std::unique_ptr<NameRegistry>> by_name
        ABSL_GUARDED_BY(mutex);
  };
  // Never destroyed: registrations are taken back until the very end.
  static Kinds& kinds = *new Kinds;
  MutexLock lock(&kinds.mutex);
  std::unique_ptr<NameRegistry>& registry = kinds.by_name[std::string(kind)];
  if (registry == nullptr) registry = std::make_unique<NameRegistry>(kind);
  return *registry;
}

absl::StatusOr<RegistrationToken> NameRegistry::Register(
    absl::string_view name, TypeId type, std::shared_ptr<const void> value,
    absl::string_view origin, Origin origin_kind, const void* code) {
  const std::string full_name = FullNameOf(name);
  if (!IsPossibleName(full_name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Cannot register ", Quoted(name), " from ", OriginText(origin),
        ": a name is made of identifiers with \".\" or \"::\" between them."));
  }
  auto entry = std::make_shared<const Entry>(
      Entry{full_name, std::string(origin), type, std::move(value)});
  Registration first;  // the one that has the name
  {
    MutexLock lock(&mutex_);
    Registrations& registrations = registrations_[full_name];
    const auto is_copy_of = [&](const Registration& other) {
      return origin_kind == Origin::kStatic &&
             other.origin_kind == Origin::kStatic &&
             other.entry->origin == origin;
    };
    if (registrations.empty() || is_copy_of(registrations.front())) {
      if (registrations.empty()) RegistrationErrors::NoteNew();
      const std::uint64_t id = next_id_++;
      registrations.push_back({id, origin_kind, code, std::move(entry)});
      longest_name_ = std::max(longest_name_, full_name.size());
      return RegistrationToken(
          [this, full_name, id] { Remove(full_name, id); });
    }
    first = registrations.front();
  }
  // Without the lock: the system's loader is asked for the libraries, and may
  // itself be in a call that registers.
  return absl::AlreadyExistsError(absl::StrCat(
      Quoted(full_name), " is registered twice: from ",
      TwoPlacesText({first.entry->origin, first.code}, {origin, code}),
      " (registry of \"", kind_, "\"). Give one of them another name."));
}

void NameRegistry::Remove(const std::string& full_name, std::uint64_t id) {
  // Destroyed after the lock is released: it may run code of the value.
  Registration removed;
  MutexLock lock(&mutex_);
  const auto found = registrations_.find(full_name);
  if (found == registrations_.end()) return;
  Registrations& registrations = found->second;
  const auto same_id =
      std::find_if(registrations.begin(), registrations.end(),
                   [id](const Registration& r) { return r.id == id; });
  if (same_id == registrations.end()) return;
  removed = std::move(*same_id);
  registrations.erase(same_id);
  if (registrations.empty()) registrations_.erase(found);
}

std::shared_ptr<const NameRegistry::Entry> NameRegistry::LookupFullName(
    absl::string_view full_name) const {
  if (full_name.size() > longest_name_) return nullptr;
  const auto found = registrations_.find(full_name);
  if (found == registrations_.end()) return nullptr;
  return found->second.front().entry;
}

std::shared_ptr<const NameRegistry::Entry> NameRegistry::Lookup(
    absl::string_view ns, absl::string_view name) const {
  std::string place;
  const absl::string_view dotted = Dotted(name, &place);
  const bool is_full = absl::StartsWith(dotted, ".");
  const absl::string_view inner = absl::StripPrefix(dotted, ".");
  MutexLock lock(&mutex_);
  if (!is_full && inner.size() < longest_name_) {
    std::string ns_place;
    absl::string_view outer = absl::StripPrefix(
        Dotted(ShortPackages(ns, longest_name_), &ns_place), ".");
    // a.b.X, then a.X.
    while (!outer.empty()) {
      auto entry =
          LookupFullName(WithoutTopNamespace(absl::StrCat(outer, ".", inner)));
      if (entry != nullptr) return entry;
      const std::size_t dot = outer.rfind('.');
      outer = outer.substr(0, dot == absl::string_view::npos ? 0 : dot);
    }
  }
  return LookupFullName(WithoutTopNamespace(inner));
}

absl::StatusOr<NameRegistry::Entry> NameRegistry::Find(
    absl::string_view ns, absl::string_view name) const {
  const absl::StatusOr<std::shared_ptr<const Entry>> entry =
      FindEntry(ns, name);
  if (!entry.ok()) return entry.status();
  return **entry;
}

absl::StatusOr<std::shared_ptr<const NameRegistry::Entry>>
NameRegistry::FindEntry(absl::string_view ns, absl::string_view name) const {
  std::shared_ptr<const Entry> entry = Lookup(ns, name);
  if (entry != nullptr) return entry;
  std::string text =
      absl::StrCat("No registered object with name: ", Quoted(name));
  if (!ns.empty()) absl::StrAppend(&text, " in package ", Quoted(ns));
  return absl::NotFoundError(
      absl::StrCat(text, ".", DidYouMeanText(NearestNames(name))));
}

bool NameRegistry::IsRegistered(absl::string_view ns,
                                absl::string_view name) const {
  return Lookup(ns, name) != nullptr;
}

std::string NameRegistry::FullName(absl::string_view ns,
                                   absl::string_view name) const {
  const std::shared_ptr<const Entry> entry = Lookup(ns, name);
  return entry == nullptr ? std::string(name) : entry->name;
}

std::vector<std::string> NameRegistry::Names() const {
  std::vector<std::string> names;
  {
    MutexLock lock(&mutex_);
    names.reserve(registrations_.size());
    for (const auto& [name, registrations] : registrations_) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> NameRegistry::NearestNames(absl::string_view name,
                                                    std::size_t max) const {
  return ::syncline::NearestNames(FullNameOf(name), Names(), max);
}

absl::Status NameRegistry::WrongTypeError(const Entry& entry,
                                          TypeId wanted) const {
  return absl::InternalError(
      absl::StrCat(Quoted(entry.name), " of ", kind_, ", registered from ",
                   OriginText(entry.origin), ", is a \"", entry.type.name(),
                   "\", but a \"", wanted.name(), "\" was requested."));
}

RegistrationErrors::RegistrationErrors() : outer_(innermost_errors) {
  innermost_errors = this;
}

RegistrationErrors::~RegistrationErrors() { innermost_errors = outer_; }

void RegistrationErrors::NoteNew() {
  if (innermost_errors != nullptr) innermost_errors->has_new_ = true;
}

absl::Status RegistrationErrors::status() const {
  if (errors_.empty()) return absl::OkStatus();
  std::string text;
  for (const absl::Status& error : errors_) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", error.message());
  }
  return absl::Status(errors_.front().code(), text);
}

RegistrationToken TokenOrReport(absl::StatusOr<RegistrationToken> token) {
  if (innermost_errors != nullptr) ++innermost_errors->count_;
  if (token.ok()) return *std::move(token);
  if (innermost_errors == nullptr) ReportMisuse(token.status());
  innermost_errors->errors_.push_back(token.status());
  return RegistrationToken();
}

}  // namespace syncline
