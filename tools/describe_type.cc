#include "tools/describe_type.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/name_registry.h"
#include "framework/base/nearest_names.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/legacy/packet_generator.h"
#include "framework/calculator/legacy/status_handler.h"
#include "framework/component/component_factory.h"
#include "framework/component/component_id.h"
#include "framework/component/parameter.h"
#include "framework/condition/condition.h"
#include "framework/config/calculator.pb.h"
#include "framework/executor.h"
#include "framework/expansion/graph_registry.h"
#include "framework/expansion/subgraph.h"
#include "framework/memory/allocator_registry.h"
#include "google/protobuf/descriptor.h"
#include "tools/contract_description.h"
#include "tools/option_parameters.h"
#include "tools/text_table.h"

namespace syncline {
namespace {

struct Kind {
  const char* name;
  const NameRegistry* types;
};

// The kinds that have types by name, in the order of the list.
std::vector<Kind> Kinds() {
  return {
      {"calculator", &CalculatorBaseRegistry::functions()->names()},
      {"subgraph", &SubgraphRegistry::functions()->names()},
      {"condition", &ConditionRegistry::functions()->names()},
      {"input stream handler", &NameRegistry::Get("InputStreamHandler")},
      {"output stream handler", &NameRegistry::Get("OutputStreamHandler")},
      {"executor", &ExecutorRegistry::functions()->names()},
      {"allocator", &AllocatorRegistry::functions()->names()},
      {"packet generator",
       &StaticPacketGeneratorRegistry::functions()->names()},
      {"status handler", &StaticStatusHandlerRegistry::functions()->names()},
  };
}

// What an extension says of the type, if one does. A component of another kind
// with the same name is another thing.
absl::optional<ComponentInfo> ComponentOf(absl::string_view kind,
                                          absl::string_view name) {
  const absl::StatusOr<ComponentInfo> component =
      ComponentFactory::Global().Find(name);
  if (!component.ok() ||
      (component->kind != kind && component->kind != "component")) {
    return absl::nullopt;
  }
  return *component;
}

// --- Facts: lines of a name and a text.

using Facts = std::vector<std::vector<std::string>>;

void AddFact(absl::string_view name, absl::string_view text, Facts* facts) {
  if (!text.empty()) {
    facts->push_back({"", std::string(name), std::string(text)});
  }
}

std::string ExtensionText(const ExtensionInfo& info) {
  std::string text = absl::StrCat("\"", info.name, "\"");
  if (!info.description.empty()) {
    absl::StrAppend(&text, " (", info.description, ")");
  }
  return text;
}

void AddComponent(const ComponentInfo& component, Facts* facts) {
  const ExtensionInfo& extension = *component.extension;
  AddFact("display name", component.display_name, facts);
  AddFact("brief", component.brief, facts);
  AddFact("description", component.description, facts);
  AddFact("category", extension.category, facts);
  AddFact("base", component.base, facts);
  AddFact("id", component.id.ToString(), facts);
  AddFact("extension", ExtensionText(extension), facts);
  AddFact("version", extension.version, facts);
  AddFact("author", extension.author, facts);
  AddFact("licence", extension.license, facts);
  AddFact("extension id", extension.id.ToString(), facts);
  AddFact("described at", component.origin, facts);
}

// --- Ports

std::string PortsText(const std::vector<PortDescription>& ports) {
  Facts rows;
  for (const PortDescription& port : ports) {
    rows.push_back(
        {"  ", port.where, port.name.empty() ? "(no tag)" : port.name,
         port.type.empty() ? "?" : port.type, port.optional ? "optional" : ""});
  }
  return TextTable(rows);
}

// Of a subgraph: its interface, for a node without options.
void AddInterface(const CalculatorGraphConfig& config,
                  std::vector<PortDescription>* ports) {
  const auto add = [ports](const char* field, const auto& names) {
    for (const std::string& name : names) {
      // "TAG:index:name"; the name is the subgraph's own.
      const std::size_t end = name.rfind(':');
      ports->push_back(
          {field, end == name.npos ? "" : name.substr(0, end), "", false});
    }
  };
  add("input_stream", config.input_stream());
  add("output_stream", config.output_stream());
  add("input_side_packet", config.input_side_packet());
  add("output_side_packet", config.output_side_packet());
}

void AskSubgraph(const std::string& name, ContractDescription* result) {
  const absl::StatusOr<SubgraphType> type =
      GraphRegistry::Global().Find("", name);
  if (!type.ok()) return;
  if (type->source != nullptr) {
    AddInterface(type->source->config, &result->ports);
    return;
  }
  CalculatorGraphConfig::Node node;
  node.set_calculator(name);
  SubgraphContext context(&node);
  const absl::StatusOr<CalculatorGraphConfig> config =
      MakeSubgraphConfig(*type, &context);
  if (config.ok()) {
    AddInterface(*config, &result->ports);
  } else {
    result->refusal = std::string(config.status().message());
  }
}

// --- Parameters

std::string ParametersText(const std::vector<ParameterInfo>& parameters) {
  Facts rows;
  for (const ParameterInfo& parameter : parameters) {
    std::string what = parameter.headline == parameter.key
                           ? ""
                           : absl::StrCat(parameter.headline, ". ");
    absl::StrAppend(&what, parameter.description);
    if (!parameter.range.empty()) {
      absl::StrAppend(&what, what.empty() ? "" : " ", "(", parameter.range,
                      ")");
    }
    std::string need = parameter.mandatory() ? "mandatory"
                       : parameter.default_value.has_value()
                           ? *parameter.default_value
                           : "optional";
    if (parameter.dynamic) absl::StrAppend(&need, ", dynamic");
    rows.push_back({"  ", parameter.key, parameter.type, need, what});
  }
  return TextTable(rows);
}

// Registered parameters, and fields of options.
std::string ValuesText(absl::string_view type_name,
                       const std::vector<ParameterInfo>& parameters,
                       const std::vector<std::string>& options) {
  std::string text;
  if (!parameters.empty()) {
    absl::StrAppend(&text, "  parameters\n", ParametersText(parameters));
  }
  for (const google::protobuf::Descriptor* const type :
       OptionTypes(type_name, options)) {
    absl::StrAppend(&text, "  options ", type->full_name(), "\n",
                    ParametersText(OptionParameters(*type)));
  }
  return text;
}

// --- One type

std::string Describe(const Kind& kind, const NameRegistry::Entry& entry) {
  Facts facts;
  AddFact("kind", kind.name, &facts);
  const absl::optional<ComponentInfo> component =
      ComponentOf(kind.name, entry.name);
  if (component.has_value()) AddComponent(*component, &facts);
  AddFact("registered at",
          entry.origin.empty() ? "by the framework" : entry.origin, &facts);
  std::string text = absl::StrCat(entry.name, "\n", TextTable(facts));

  ContractDescription contract;
  if (kind.types == &CalculatorBaseRegistry::functions()->names()) {
    const auto factory = CalculatorBaseRegistry::CreateByName(entry.name);
    if (factory.ok()) contract = DescribeContract(entry.name, **factory);
  } else if (kind.types == &SubgraphRegistry::functions()->names()) {
    AskSubgraph(entry.name, &contract);
  }
  if (!contract.ports.empty()) {
    absl::StrAppend(&text, "  ports\n", PortsText(contract.ports));
  }
  if (!contract.refusal.empty()) {
    absl::StrAppend(&text, "  a node without ports and options is refused: ",
                    contract.refusal, "\n");
  }
  const std::vector<ParameterInfo>& registered =
      component.has_value() && contract.parameters.empty()
          ? component->parameters
          : contract.parameters;
  return absl::StrCat(text,
                      ValuesText(entry.name, registered, contract.options));
}

// A component that no registry of types has: a base of others, or a clock.
std::string Describe(const ComponentInfo& component) {
  Facts facts;
  AddFact("kind", component.kind, &facts);
  AddComponent(component, &facts);
  return absl::StrCat(component.name, "\n", TextTable(facts),
                      ValuesText(component.name, component.parameters, {}));
}

// What an extension says of it in a few words.
std::string BriefOf(const ComponentInfo& component) {
  return component.brief.empty() ? component.description : component.brief;
}

std::string Describe(const ExtensionInfo& extension) {
  Facts facts;
  AddFact("kind", "extension", &facts);
  AddFact("display name", extension.display_name, &facts);
  AddFact("brief", extension.brief, &facts);
  AddFact("description", extension.description, &facts);
  AddFact("category", extension.category, &facts);
  AddFact("id", extension.id.ToString(), &facts);
  AddFact("version", extension.version, &facts);
  AddFact("author", extension.author, &facts);
  AddFact("licence", extension.license, &facts);
  AddFact("registered at", extension.origin, &facts);
  AddFact("library", extension.library, &facts);
  Facts components;
  for (const ComponentInfo& component :
       ComponentFactory::Global().Components()) {
    if (component.extension->id != extension.id) continue;
    components.push_back(
        {"  ", component.name, component.kind, BriefOf(component)});
  }
  return absl::StrCat(extension.name, "\n", TextTable(facts), "  components\n",
                      TextTable(components));
}

}  // namespace

absl::StatusOr<std::string> DescribeType(absl::string_view name_or_id) {
  std::string name(name_or_id);
  if (const absl::StatusOr<ComponentId> id = ComponentId::Parse(name_or_id);
      id.ok()) {
    const absl::StatusOr<ComponentInfo> component =
        ComponentFactory::Global().Find(*id);
    if (component.ok()) name = component->name;
    for (const ExtensionInfo& extension :
         ComponentFactory::Global().Extensions()) {
      if (extension.id == *id) name = extension.name;
    }
  }
  std::vector<std::string> texts;
  std::vector<std::string> known;
  for (const Kind& kind : Kinds()) {
    const absl::StatusOr<NameRegistry::Entry> entry =
        kind.types->Find("", name);
    if (entry.ok()) texts.push_back(Describe(kind, *entry));
    const std::vector<std::string> names = kind.types->Names();
    known.insert(known.end(), names.begin(), names.end());
  }
  if (texts.empty()) {
    const absl::StatusOr<ComponentInfo> component =
        ComponentFactory::Global().Find(name);
    if (component.ok()) texts.push_back(Describe(*component));
  }
  for (const ExtensionInfo& extension :
       ComponentFactory::Global().Extensions()) {
    known.push_back(extension.name);
    if (extension.name == name) texts.push_back(Describe(extension));
  }
  if (!texts.empty()) return absl::StrJoin(texts, "\n");
  for (const ComponentInfo& component :
       ComponentFactory::Global().Components()) {
    known.push_back(component.name);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const std::vector<std::string> near = NearestNames(name, known, 3);
  return absl::NotFoundError(absl::StrCat(
      "no type \"", absl::Utf8SafeCHexEscape(name.substr(0, 200)),
      "\" is registered in this program.",
      near.empty() ? " --list_types lists those that are; --plugin=FILE adds "
                     "those of a plug-in."
                   : DidYouMeanText(near)));
}

std::string ListTypes() {
  std::string text;
  std::set<std::string> listed;
  for (const Kind& kind : Kinds()) {
    Facts rows;
    for (const std::string& name : kind.types->Names()) {
      const absl::optional<ComponentInfo> component =
          ComponentOf(kind.name, name);
      rows.push_back(
          {"", name, component.has_value() ? BriefOf(*component) : ""});
      listed.insert(name);
    }
    if (rows.empty()) continue;
    absl::StrAppend(&text, text.empty() ? "" : "\n", kind.name, " (",
                    rows.size(), ")\n", TextTable(rows));
  }
  Facts others;
  for (const ComponentInfo& component :
       ComponentFactory::Global().Components()) {
    if (listed.count(component.name) > 0) continue;
    others.push_back({"", component.name, component.kind, BriefOf(component)});
  }
  if (!others.empty()) {
    absl::StrAppend(&text, "\nother component (", others.size(), ")\n",
                    TextTable(others));
  }
  Facts extensions;
  for (const ExtensionInfo& extension :
       ComponentFactory::Global().Extensions()) {
    extensions.push_back(
        {"", extension.name, extension.version,
         extension.brief.empty() ? extension.description : extension.brief});
  }
  if (!extensions.empty()) {
    absl::StrAppend(&text, "\nextension (", extensions.size(), ")\n",
                    TextTable(extensions));
  }
  return text;
}

}  // namespace syncline
