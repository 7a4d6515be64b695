// What graphs rely on in a calculator is what contracts.txt says: the ports and
// their types, which ports may be left out, the timestamp offset, the input
// stream handler, and the options with their numbers and defaults. The tables
// are written by hand from the description of the interfaces, not from the
// code.

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "calculators/calculator_table.h"
#include "calculators/contract_table.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/calculator_registry.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::testing::IsEmpty;

// The folders that have a table.
constexpr const char* kFolders[] = {"audio", "core", "image", "util", "video"};

// Whether the calculator is built here; all that have no row are.
bool IsHere(const std::string& calculator) {
  static const auto* const rows = new std::map<std::string, Row>(RowsByName());
  const auto row = rows->find(calculator);
  return row == rows->end() || row->second.is_here();
}
// Whether a message of options, or a part of one, is built here.
bool AreOptionsHere(const std::string& message) {
  const std::string options =
      std::vector<std::string>(absl::StrSplit(message, '.'))[0];
  const std::size_t end = options.rfind("Calculator");
  return end == std::string::npos ||
         IsHere(options.substr(0, end) + "Calculator");
}

// --- Ports

// The name of a type as the table has it: without namespaces, allocators and
// blanks before ">".
std::string ShortName(absl::string_view type) {
  std::string name = absl::StrReplaceAll(
      type,
      {{"std::", ""},
       {"__cxx11::", ""},
       {"absl::", ""},
       {"debian3::", ""},
       {"syncline::", ""},
       {"::", ""},
       {"unsigned int", "uint32"},
       {"unsigned long", "uint64"},
       {"int64_t", "int64"},
       {"uint64_t", "uint64"},
       {"uint32_t", "uint32"},
       {"long", "int64"},
       {"16ul", "16"},
       {"4ul", "4"},
       {"Eigen::Matrix<float, -1, -1, 0, -1, -1>", "Matrix"},
       {"Eigen::Matrix<std::complex<float>, -1, -1, 0, -1, -1>", "MatrixXcf"}});
  const std::string allocator = ", allocator<";
  for (std::size_t at = name.find(allocator); at != std::string::npos;
       at = name.find(allocator)) {
    std::size_t end = at + allocator.size();
    for (int depth = 1; depth > 0 && end < name.size(); ++end) {
      depth += (name[end] == '<') - (name[end] == '>');
    }
    name.erase(at, end - at);
  }
  return absl::StrReplaceAll(name, {{" >", ">"}});
}

CalculatorGraphConfig::Node NodeOf(const Contract& contract,
                                   const Ports& ports) {
  std::string text = absl::StrCat("calculator: '", contract.calculator, "' ");
  int streams = 0;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    for (const Port& port : ports[i]) {
      // A port without a tag gets its index from its place.
      const std::string name = absl::StrCat("s", streams++);
      absl::StrAppend(&text, kPortFields[i], ": '",
                      port.name[0] == ':' ? "" : absl::StrCat(port.name, ":"),
                      name, "' ");
    }
  }
  if (!contract.options.empty()) {
    absl::StrAppend(&text, "options ", contract.options);
  }
  CalculatorGraphConfig::Node node;
  EXPECT_TRUE(ParseTextProto(text, &node)) << contract.place << ": " << text;
  return node;
}

PacketType& TypeOf(const std::string& name, PacketTypeSet& types) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(name, ':');
  int index = 0;
  if (!parts.second.empty()) {
    EXPECT_TRUE(absl::SimpleAtoi(parts.second, &index)) << name;
  }
  return types.Get(parts.first, index);
}

// Checks the types of the ports of a contract.
class TypeCheck {
 public:
  explicit TypeCheck(std::string where) : where_(std::move(where)) {}

  // `field` is the field of the node that has the port.
  void Check(const char* field, const Port& port, const PacketType& type) {
    const bool is_letter = port.type.size() == 1;
    if (is_letter || port.type == "any") {
      EXPECT_TRUE(type.IsAny()) << where_ << port.name << " is "
                                << type.DebugTypeName() << ", not any type";
      // Ports of one letter have one type, all others have types of their own.
      const std::string group =
          is_letter ? port.type : absl::StrCat(field, " ", port.name);
      const auto [entry, is_new] =
          groups_.emplace(type.GetSameAs(), std::make_pair(group, port.name));
      EXPECT_EQ(entry->second.first, group)
          << where_ << port.name << " has the type of " << entry->second.second;
      const auto [root, is_first] = roots_.emplace(group, type.GetSameAs());
      EXPECT_EQ(root->second, type.GetSameAs())
          << where_ << port.name << " has not the type " << group;
      return;
    }
    const std::vector<std::string> expected = absl::StrSplit(port.type, " or ");
    std::vector<std::string> names;
    for (const TypeId& one : type.Types())
      names.push_back(ShortName(one.name()));
    EXPECT_EQ(absl::StrJoin(names, " or "), absl::StrJoin(expected, " or "))
        << where_ << port.name;
  }

 private:
  const std::string where_;
  // The group of ports that a root belongs to, with a port of it; and the root
  // of each group.
  std::map<const PacketType*, std::pair<std::string, std::string>> groups_;
  std::map<std::string, const PacketType*> roots_;
};

std::set<std::string> MoreOf(const CalculatorContract& contract) {
  std::set<std::string> more;
  if (contract.GetTimestampOffset() != TimestampDiff::Unset()) {
    more.insert(absl::StrCat("offset ", contract.GetTimestampOffset().Value()));
  }
  if (contract.GetProcessTimestampBounds()) more.insert("bounds");
  if (!contract.GetInputStreamHandler().empty()) {
    more.insert(contract.GetInputStreamHandler());
  }
  return more;
}

// Compares the contract of a node with these ports.
void ExpectContract(const Contract& expected, const Ports& ports,
                    const std::string& where) {
  const CalculatorGraphConfig::Node node = NodeOf(expected, ports);
  CalculatorContract contract;
  SYNCLINE_ASSERT_OK(contract.Initialize(node)) << where;
  const auto factory =
      CalculatorBaseRegistry::CreateByName(expected.calculator);
  SYNCLINE_ASSERT_OK(factory.status()) << where;
  SYNCLINE_ASSERT_OK((*factory)->GetContract(&contract)) << where;
  PacketTypeSet* const sets[] = {&contract.Inputs(), &contract.Outputs(),
                                 &contract.InputSidePackets(),
                                 &contract.OutputSidePackets()};
  TypeCheck check(where);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    for (const Port& port : ports[i]) {
      check.Check(kPortFields[i], port, TypeOf(port.name, *sets[i]));
    }
  }
  EXPECT_EQ(MoreOf(contract), expected.more) << where;
}

TEST(CalculatorContractsTest, PortsHaveTheTypesOfTheTable) {
  for (const char* const folder : kFolders) {
    for (const Contract& contract : ReadContracts(folder).contracts) {
      if (!IsHere(contract.calculator)) continue;
      const std::string where =
          absl::StrCat(contract.place, " ", contract.calculator, " ");
      ExpectContract(contract, contract.ports, where);
      for (std::size_t i = 0; i < contract.ports.size(); ++i) {
        for (std::size_t j = 0; j < contract.ports[i].size(); ++j) {
          if (!contract.ports[i][j].may_be_left_out) continue;
          Ports fewer = contract.ports;
          fewer[i].erase(fewer[i].begin() + static_cast<std::ptrdiff_t>(j));
          ExpectContract(
              contract, fewer,
              absl::StrCat(where, "without ", contract.ports[i][j].name, " "));
        }
      }
    }
  }
}

TEST(CalculatorContractsTest, EveryCalculatorIsInTheTable) {
  std::set<std::string> listed;
  for (const char* const folder : kFolders) {
    for (const Contract& contract : ReadContracts(folder).contracts) {
      listed.insert(contract.calculator);
    }
    for (const auto& [name, origin] : RegisteredCalculators()) {
      if (absl::StartsWith(origin, absl::StrCat("calculators/", folder, "/"))) {
        EXPECT_TRUE(listed.contains(name)) << name << " of " << origin;
      }
    }
  }
}

// --- Options

std::string DefaultOf(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return field.default_value_bool() ? "true" : "false";
    case FieldDescriptor::CPPTYPE_INT32:
      return absl::StrCat(field.default_value_int32());
    case FieldDescriptor::CPPTYPE_INT64:
      return absl::StrCat(field.default_value_int64());
    case FieldDescriptor::CPPTYPE_UINT32:
      return absl::StrCat(field.default_value_uint32());
    case FieldDescriptor::CPPTYPE_UINT64:
      return absl::StrCat(field.default_value_uint64());
    case FieldDescriptor::CPPTYPE_FLOAT:
      return absl::StrCat(field.default_value_float());
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return absl::StrCat(field.default_value_double());
    case FieldDescriptor::CPPTYPE_ENUM:
      return field.default_value_enum()->name();
    case FieldDescriptor::CPPTYPE_STRING:
      return absl::StrCat("\"", field.default_value_string(), "\"");
    case FieldDescriptor::CPPTYPE_MESSAGE:
      break;
  }
  return "?";
}

TEST(CalculatorContractsTest, OptionsHaveTheNumbersAndDefaultsOfTheTable) {
  for (const char* const folder : kFolders) {
    for (const OptionsRow& row : ReadContracts(folder).options) {
      if (!AreOptionsHere(row.message)) continue;
      const auto* const message =
          google::protobuf::DescriptorPool::generated_pool()
              ->FindMessageTypeByName("syncline." + row.message);
      ASSERT_NE(message, nullptr) << row.place << " " << row.message;
      std::vector<std::string> fields;
      for (int i = 0; i < message->field_count(); ++i) {
        const FieldDescriptor& field = *message->field(i);
        fields.push_back(absl::StrCat(
            field.number(), " ", field.name(),
            field.has_default_value() ? absl::StrCat(" = ", DefaultOf(field))
                                      : ""));
      }
      EXPECT_EQ(fields, row.fields) << row.place << " " << row.message;
    }
  }
}

TEST(CalculatorContractsTest, AllOptionsAreInTheTable) {
  for (const char* const folder : kFolders) {
    std::set<std::string> missing;
    for (const auto& [name, row] : RowsByName()) {
      if (absl::StartsWith(row.target, absl::StrCat(folder, ":")) &&
          !row.options.empty() && row.is_here()) {
        missing.insert(row.options);
      }
    }
    EXPECT_FALSE(missing.empty()) << folder;
    for (const OptionsRow& row : ReadContracts(folder).options) {
      missing.erase(row.message);
    }
    EXPECT_THAT(missing, IsEmpty()) << folder;
  }
}

}  // namespace
}  // namespace syncline
