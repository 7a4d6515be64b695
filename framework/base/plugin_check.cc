#include "framework/base/plugin_check.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/library_file.h"
#include "framework/base/name_registry.h"
#include "framework/base/version.h"
#include "google/protobuf/descriptor.h"

namespace syncline {
namespace {

// The generated code of each .proto file has a variable of this name and the
// file's path, with "_2f" and the like for what is no letter or digit.
constexpr char kProtoTable[] = "descriptor_table_";

// Libraries of which a process can have one version only, by what their names
// begin with. Types of theirs are in our headers.
constexpr absl::string_view kOnce[] = {"libabsl_", "libglog.", "libprotobuf."};
constexpr absl::string_view kOurs = "libsyncline_";

absl::Status Misfit(absl::string_view what) {
  return absl::FailedPreconditionError(what);
}

absl::Status OtherVersion(absl::string_view version) {
  return Misfit(absl::StrCat(
      "it was built against Syncline ", version, ", and this program is of ",
      "Syncline " SYNCLINE_ABI_STRING
      ": build it again with the headers and "
      "libraries of this version, or run it with a program of its own"));
}

// "libx.so.1" -> "libx.so", "1".
std::pair<absl::string_view, absl::string_view> SplitVersion(
    absl::string_view library) {
  const std::size_t so = library.find(".so.");
  if (so == absl::string_view::npos) return {library, ""};
  return {library.substr(0, so + 3), library.substr(so + 4)};
}

// The names of the libraries in this process, without folders.
std::vector<std::string> LoadedLibraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        absl::string_view path = info->dlpi_name;
        path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
        static_cast<std::vector<std::string>*>(out)->emplace_back(path);
        return 0;
      },
      &names);
  return names;
}

absl::Status CheckVersionSymbols(const LibraryFile& plugin) {
  for (const LibraryFile::Symbol& symbol : plugin.symbols) {
    absl::string_view version = symbol.name;
    if (absl::ConsumePrefix(&version, SYNCLINE_ABI_SYMBOL_PREFIX) &&
        version != SYNCLINE_ABI_STRING) {
      return OtherVersion(version);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckOurLibraries(const LibraryFile& plugin) {
  for (const std::string& needed : plugin.needed) {
    if (!absl::StartsWith(needed, kOurs)) continue;
    const absl::string_view version = SplitVersion(needed).second;
    if (version != SYNCLINE_ABI_STRING) return OtherVersion(version);
    if (!absl::c_linear_search(
            LoadedLibraries(),
            "libsyncline_framework.so." SYNCLINE_ABI_STRING)) {
      return Misfit(absl::StrCat(
          "it needs the shared library \"", needed,
          "\", but this program has the framework linked in, so there would be "
          "two of them. Open it with a program that uses the shared library, "
          "such as the run_graph that is installed with it, or build it in "
          "Bazel as a cc_binary with linkshared = True"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckLibrariesOfOthers(const LibraryFile& plugin) {
  const std::vector<std::string> loaded = LoadedLibraries();
  for (const std::string& needed : plugin.needed) {
    if (absl::c_none_of(kOnce, [&](absl::string_view prefix) {
          return absl::StartsWith(needed, prefix);
        })) {
      continue;
    }
    const auto [name, version] = SplitVersion(needed);
    for (const std::string& other : loaded) {
      if (SplitVersion(other).first == name && other != needed) {
        return Misfit(absl::StrCat("it needs \"", needed,
                                   "\", and this process has \"", other,
                                   "\": build it again on this system"));
      }
    }
  }
  return absl::OkStatus();
}

// Whether libraries that are opened find the symbol in the program, or in a
// library that the program was linked with.
void* OfferedToAll(const std::string& symbol) {
  static void* const program = dlopen(nullptr, RTLD_LAZY);
  return program == nullptr ? nullptr : dlsym(program, symbol.c_str());
}

// A library with the framework in it must find ours first: it would register in
// tables of its own, and protos that both have would end the process.
absl::Status CheckItUsesOurFramework(const LibraryFile& plugin) {
  const bool has_framework =
      absl::c_any_of(plugin.symbols, [](const LibraryFile::Symbol& symbol) {
        return symbol.defined && symbol.name == SYNCLINE_ABI_SYMBOL;
      });
  const bool needs_library = absl::c_any_of(
      plugin.needed,
      [](absl::string_view needed) { return absl::StartsWith(needed, kOurs); });
  if (OfferedToAll(SYNCLINE_ABI_SYMBOL) != nullptr) return absl::OkStatus();
  if (needs_library && !has_framework) return absl::OkStatus();
  return Misfit(
      "this program does not offer its symbols to plug-ins. Link it with "
      "linkopts = [\"-rdynamic\"], or, where it opens the framework as a "
      "shared "
      "library itself, link the plug-in with that library, too");
}

// The path of the .proto file; "" if the symbol is none of a table.
std::string ProtoFileOf(absl::string_view symbol) {
  if (!absl::ConsumePrefix(&symbol, kProtoTable)) return "";
  std::string path;
  while (!symbol.empty()) {
    if (symbol[0] == '_' && symbol.size() >= 3 && std::isxdigit(symbol[1]) &&
        std::isxdigit(symbol[2])) {
      path += absl::HexStringToBytes(symbol.substr(1, 2));
      symbol.remove_prefix(3);
    } else {
      path += symbol[0];
      symbol.remove_prefix(1);
    }
  }
  return path;
}

absl::Status CheckProtos(const LibraryFile& plugin) {
  for (const LibraryFile::Symbol& symbol : plugin.symbols) {
    const std::string file = ProtoFileOf(symbol.name);
    // Where the program offers the variable, the library uses that one.
    if (file.empty() || !symbol.defined || OfferedToAll(symbol.name)) continue;
    if (google::protobuf::DescriptorPool::generated_pool()->FindFileByName(
            file) != nullptr) {
      return Misfit(absl::StrCat(
          "it brings the proto file \"", file,
          "\", which this process has from another library. Put the file into "
          "a shared library that both are linked with, or give it another path "
          "and package"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LibraryFile> ReadPluginFile(const std::string& path) {
  return ReadLibraryFile(path, {SYNCLINE_ABI_SYMBOL_PREFIX, kProtoTable});
}

absl::Status CheckFitsThisProcess(const LibraryFile& plugin) {
  for (const auto check :
       {CheckVersionSymbols, CheckOurLibraries, CheckLibrariesOfOthers,
        CheckItUsesOurFramework, CheckProtos}) {
    if (absl::Status status = check(plugin); !status.ok()) return status;
  }
  return absl::OkStatus();
}

bool HasProtos(const LibraryFile& plugin) {
  return absl::c_any_of(plugin.symbols, [](const LibraryFile::Symbol& symbol) {
    return symbol.defined && absl::StartsWith(symbol.name, kProtoTable) &&
           OfferedToAll(symbol.name) == nullptr;
  });
}

}  // namespace syncline
