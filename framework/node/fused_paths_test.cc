// Packets that go from part to part directly do what they do through queues and
// the default rule: random fused nodes make the same calls and send the same,
// with and without the short ways, and whether or not outputs are read.
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/fused_node.h"
#include "framework/node/fused_node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr int kCalls = 10;

// What the parts of one random node do, the same in every run of it.
class RandomNode {
 public:
  explicit RandomNode(std::uint64_t seed)
      : seed_(seed), random_(seed), is_diamond_(seed % 3 == 0) {
    num_parts_ = is_diamond_ ? 4 : 2 + Below(4);
    for (int i = 0; i < num_parts_; ++i) {
      AddPart(i, is_diamond_ ? DiamondInputs(i) : RandomInputs(i));
    }
    MakeContracts();
  }

  int num_parts() const { return num_parts_; }
  const std::string& text() const { return text_; }

  // Notes every call in `notes`, which outlives what is returned.
  FusedNodeDriver::SidePackets Functions(std::vector<std::string>* notes) {
    FusedNodeDriver::SidePackets functions;
    for (int i = 0; i < num_parts_; ++i) {
      functions[absl::StrCat("p", i)] =
          Function([this, i, notes, calls = 0](CalculatorContext* cc) mutable {
            return Act(i, "process", ++calls, notes, cc);
          });
      functions[absl::StrCat("c", i)] =
          Function([this, i, notes](CalculatorContext* cc) {
            return Act(i, "close", 0, notes, cc);
          });
    }
    return functions;
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % n); }

  std::vector<std::string> RandomInputs(int part) {
    std::vector<std::string> inputs;
    const int num_inputs = Below(3) == 0 ? 2 : 1;
    std::vector<std::string> names = {"in", "other"};
    for (int j = 0; j < part; ++j) names.push_back(absl::StrCat("s", j));
    for (int k = 0; k < num_inputs; ++k) {
      // Mostly what the part before it makes.
      inputs.push_back(part > 0 && Below(3) > 0
                           ? names.back()
                           : names[Below(static_cast<int>(names.size()))]);
    }
    return inputs;
  }

  // A part whose output two others read, which the last one joins, sometimes
  // with an input of the node.
  std::vector<std::string> DiamondInputs(int part) {
    if (part == 0) return {"in"};
    if (part < 3) return {"s0"};
    if (Below(3) > 0) return {"s1", "s2"};
    return {"s1", "in", "s2"};
  }

  void AddPart(int i, const std::vector<std::string>& inputs) {
    absl::StrAppend(&text_, "fused_node { calculator: \"Part",
                    std::string(1, static_cast<char>('A' + i % 3)),
                    "\" input_side_packet: \"PROCESS:p", i,
                    "\" input_side_packet: \"CLOSE:c", i, "\"");
    for (const std::string& name : inputs) {
      absl::StrAppend(&text_, " input_stream: \"", name, "\"");
    }
    absl::StrAppend(&text_, " output_stream: \"s", i, "\"");
    if (Below(is_diamond_ ? 32 : 4) == 0) {
      absl::StrAppend(&text_, " output_stream: \"t", i, "\"");
    }
    absl::StrAppend(&text_, " }\n");
  }

  void MakeContracts() {
    const std::array<int, 4> offsets = {0, 0, 3, -1};
    for (auto* contract :
         {&PartA::contract, &PartB::contract, &PartC::contract}) {
      const int offset = offsets[Below(4)];
      const bool for_bounds = Below(8) == 0;
      *contract = [offset, for_bounds](CalculatorContract* cc) {
        if (offset >= 0) cc->SetTimestampOffset(offset);
        if (for_bounds) cc->SetProcessTimestampBounds(true);
        return absl::OkStatus();
      };
    }
  }

  absl::Status Act(int part, const std::string& what, int call,
                   std::vector<std::string>* notes, CalculatorContext* cc) {
    std::string note =
        absl::StrCat(part, " ", what, " ", cc->InputTimestamp().DebugString());
    for (const InputStream& input : cc->Inputs()) {
      absl::StrAppend(
          &note, " ", input.Value().Timestamp().DebugString(),
          input.IsEmpty() ? "-" : absl::StrCat("=", input.Get<int>()),
          input.IsDone() ? "!" : "");
    }
    for (const OutputStream& output : cc->Outputs()) {
      absl::StrAppend(&note, " <", output.NextTimestampBound().DebugString());
    }
    notes->push_back(note);
    std::mt19937_64 random(seed_ * 1000 + part * 100 + call);
    if (what == "close") {
      if (random() % 3 == 0) Send(Timestamp(1000), call, cc);
      return absl::OkStatus();
    }
    const Timestamp now = cc->InputTimestamp();
    // The parts of a diamond mostly do what is usual.
    switch (random() % (is_diamond_ ? 128 : 16)) {
      case 0:
        return absl::OkStatus();
      case 1:
        Send(now, call, cc);
        Send(now + 1, call, cc);
        return absl::OkStatus();
      case 2:
        cc->Outputs().Index(0).SetNextTimestampBound(now + 4);
        return absl::OkStatus();
      case 3:
        Send(now + 2, call, cc);
        return absl::OkStatus();
      case 4:
        Send(now, call, cc);
        if (random() % 4 == 0) cc->Outputs().Index(0).Close();
        return absl::OkStatus();
      case 5:
        Send(now, call, cc);
        return random() % 4 == 0 ? tool::StatusStop() : absl::OkStatus();
      case 6:
        if (random() % 4 == 0) return absl::DataLossError("broken");
        break;
      case 7:
        if (random() % 4 == 0) cc->Outputs().Get("NONE", 0);
        break;
      case 8:
        Send(now, call, cc);
        cc->Outputs().Index(0).SetNextTimestampBound(now + 3);
        return absl::OkStatus();
      case 9:
        if (random() % 2 > 0) break;
        Send(Timestamp::PostStream(), call, cc);  // wrong after others
        return absl::OkStatus();
      default:
        break;
    }
    Send(now, call, cc);
    return absl::OkStatus();
  }

  static void Send(Timestamp timestamp, int value, CalculatorContext* cc) {
    for (OutputStream& output : cc->Outputs()) {
      if (output.IsClosed()) continue;
      output.AddPacket(MakePacket<int>(value).At(timestamp));
    }
  }

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  const bool is_diamond_;
  int num_parts_ = 0;
  std::string text_;
};

// What a run of a node was like.
struct Observed {
  std::vector<std::string> notes;      // calls, and the status of each turn
  std::vector<std::string> sent;       // by turn
  std::map<std::string, int> packets;  // of the outputs that are not read
};

bool IsOf(const std::string& sent, const std::string& tag) {
  return absl::StartsWith(sent, tag) && sent.size() > tag.size() &&
         absl::StrContains("=<!", sent.substr(tag.size(), 1));
}

// Leaves out what `tags` sent, and counts its packets where they count.
std::string Without(const std::vector<std::string>& tags,
                    const std::string& sent, Observed* observed) {
  std::vector<std::string> rest;
  for (const std::string& item :
       std::vector<std::string>(absl::StrSplit(sent, ' ', absl::SkipEmpty()))) {
    bool is_left_out = false;
    for (const std::string& tag : tags) {
      if (!IsOf(item, tag)) continue;
      is_left_out = true;
      if (item[tag.size()] == '=') ++observed->packets[tag];
    }
    if (!is_left_out) rest.push_back(item);
  }
  return absl::StrJoin(rest, " ");
}

// `unread` are outputs that nobody reads. With queues they are sent as others.
Observed Observe(RandomNode* node, std::uint64_t seed, bool with_queues,
                 const std::vector<std::string>& unread) {
  Observed observed;
  FusedNodeDriver driver(node->text(), node->Functions(&observed.notes));
  EXPECT_EQ(driver.status(), absl::OkStatus()) << node->text();
  if (!driver.status().ok()) return observed;
  for (const std::string& tag : unread) observed.packets[tag] = 0;
  std::map<std::string, StreamProgress> progress;
  if (with_queues) {
    driver.UseQueues();
  } else {
    for (const std::string& tag : unread) {
      const int port = driver.contract().Outputs().GetId(tag, 0).value();
      driver.environment().output_ports()[port].unread = &progress[tag];
    }
  }
  std::mt19937_64 random(seed);
  const auto note = [&](const absl::Status& status) {
    observed.notes.push_back(status.ToString());
    // Of a turn that failed nothing goes out.
    const std::string sent = driver.Sent();
    if (status.ok() || tool::IsStatusStop(status)) {
      observed.sent.push_back(Without(unread, sent, &observed));
    }
    return status.ok() || tool::IsStatusStop(status);
  };
  bool is_fine = note(driver.Open());
  int time = 0;
  for (int call = 0; is_fine && call < kCalls; ++call) {
    const int pause = static_cast<int>(random() % 4);
    if (pause > 1) driver.PassBounds(Timestamp(time + pause));
    time += 1 + pause;
    const bool is_last = call == kCalls - 1 && random() % 2 == 0;
    for (const char* tag : {"IN", "OTHER"}) {
      if (!driver.contract().Inputs().GetId(tag, 0).IsValid()) continue;
      if (random() % 4 > 0) driver.Add(tag, call);
      if (is_last) driver.End(tag);
    }
    is_fine = note(driver.Process(time));
    observed.notes.push_back(driver.inner().WhereTheyWait());
  }
  for (const auto& [tag, stream] : progress) {
    observed.packets[tag] += static_cast<int>(stream.packets_added);
  }
  // Whether those of a call that failed count is not said.
  if (!is_fine) observed.packets.clear();
  if (seed % 5 == 0) driver.inner().DropWaiting();
  note(driver.Close(is_fine ? absl::OkStatus() : absl::AbortedError("over")));
  return observed;
}

TEST_F(FusedNodeTest, PacketsOnTheShortWaysAreThoseThroughQueues) {
  int num_calls = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomNode node(seed);
    std::vector<std::string> unread;
    for (int i = 0; i < node.num_parts(); ++i) {
      if ((seed >> i & 1) != 0) unread.push_back(absl::StrCat("S", i));
    }
    const Observed direct = Observe(&node, seed, /*with_queues=*/false, unread);
    const Observed queued = Observe(&node, seed, /*with_queues=*/true, unread);
    ASSERT_EQ(direct.notes, queued.notes) << "seed " << seed << "\n"
                                          << node.text();
    ASSERT_EQ(direct.sent, queued.sent) << "seed " << seed << "\n"
                                        << node.text();
    ASSERT_EQ(direct.packets, queued.packets) << "seed " << seed << "\n"
                                              << node.text();
    num_calls += static_cast<int>(direct.notes.size());
  }
  EXPECT_GT(num_calls, 10000);
}

}  // namespace
}  // namespace syncline
