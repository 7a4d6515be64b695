#include "testing/planted_defects/mutant_policies.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "framework/base/name_registry.h"
#include "framework/base/source_location.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_policy_registry.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

// The default rule. The mutants change one of its functions each.
class SoundPolicy : public InputPolicy {
 public:
  explicit SoundPolicy(const PolicyPorts& ports)
      : queues_(ports.queues),
        all_(ports.queues, ports.process_timestamp_bounds) {}

  void OnChange(int port) override { all_.OnChange(port); }
  Readiness Evaluate() const override { return all_.Evaluate(); }
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    all_.Take(timestamp, inputs);
    return timestamp;
  }

 protected:
  int num_ports() const { return static_cast<int>(queues_.size()); }
  int last_port() const { return num_ports() - 1; }
  const InputQueue& queue(int port) const { return queues_[port]; }
  static InputStream& Port(InputStreamSet* inputs, int port) {
    return inputs->Get(CollectionItemId(port));
  }
  // The first port, from `port` on, that has a packet in this set; num_ports()
  // if there is none.
  int PortWithPacket(InputStreamSet* inputs, int port) const {
    while (port < num_ports() && Port(inputs, port).IsEmpty()) ++port;
    return port;
  }

 private:
  const absl::Span<InputQueue> queues_;
  InputSetReadiness all_;
};

class DoubleDeliveryPolicy final : public SoundPolicy {
 public:
  using SoundPolicy::SoundPolicy;

  Readiness Evaluate() const override {
    if (!again_.empty()) return {Readiness::State::kProcess, again_at_};
    return SoundPolicy::Evaluate();
  }
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    if (!again_.empty()) {
      for (int port = 0; port < num_ports(); ++port) {
        Port(inputs, port).Fill(std::move(again_[port]), queue(port).Done());
      }
      again_.clear();
      return timestamp;
    }
    SoundPolicy::Take(timestamp, inputs);
    if (++calls_ == 2) {
      for (const InputStream& input : *inputs) again_.push_back(input.Value());
      again_at_ = timestamp;
    }
    return timestamp;
  }

 private:
  int calls_ = 0;
  // The input set that is to come again.
  std::vector<Packet> again_;
  Timestamp again_at_;
};

class LostPacketPolicy final : public SoundPolicy {
 public:
  using SoundPolicy::SoundPolicy;

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    SoundPolicy::Take(timestamp, inputs);
    const int port = PortWithPacket(inputs, 0);
    if (port < num_ports() && ++calls_ == 2) {
      Port(inputs, port).Fill(Packet().At(timestamp), queue(port).Done());
    }
    return timestamp;
  }

 private:
  int calls_ = 0;
};

class MissingBoundPolicy final : public SoundPolicy {
 public:
  using SoundPolicy::SoundPolicy;

  Readiness Evaluate() const override {
    const Readiness sound = SoundPolicy::Evaluate();
    if (sound.state != Readiness::State::kWait) return sound;
    Timestamp packet = Timestamp::Done();
    Timestamp bound = Timestamp::Done();
    for (int port = 0; port < num_ports(); ++port) {
      if (!queue(port).empty()) {
        packet = std::min(packet, queue(port).front().Timestamp());
      } else if (port != last_port()) {
        bound = std::min(bound, queue(port).bound());
      }
    }
    if (packet < bound) return {Readiness::State::kProcess, packet};
    return sound;
  }
};

class ForgottenBoundPolicy final : public SoundPolicy {
 public:
  using SoundPolicy::SoundPolicy;

  void OnChange(int port) override {
    if (port == last_port() && queue(port).empty()) return;
    SoundPolicy::OnChange(port);
  }
};

class MixedUpTiePolicy final : public SoundPolicy {
 public:
  using SoundPolicy::SoundPolicy;

  void OnChange(int port) override {
    if (!queue(port).empty()) newest_ = port;
    SoundPolicy::OnChange(port);
  }
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    SoundPolicy::Take(timestamp, inputs);
    const int first = PortWithPacket(inputs, 0);
    const int second = PortWithPacket(inputs, first + 1);
    if (second < num_ports() && newest_ == first) {
      Packet of_first = Port(inputs, first).Value();
      Packet of_second = Port(inputs, second).Value();
      Port(inputs, first).Fill(std::move(of_second), queue(first).Done());
      Port(inputs, second).Fill(std::move(of_first), queue(second).Done());
    }
    return timestamp;
  }

 private:
  int newest_ = -1;  // the port whose front came last
};

template <typename Policy>
RegistrationToken Register(
    const char* name, source_location location = source_location::current()) {
  InputPolicyKind kind;
  kind.create = [](const PolicyPorts& ports) {
    return std::make_unique<Policy>(ports);
  };
  return TokenOrReport(RegisterInputPolicyKind(
      name, std::move(kind), /*check=*/{}, location.ToString()));
}

RegistrationToken RegisterAll() {
  std::vector<RegistrationToken> tokens;
  tokens.push_back(Register<SoundPolicy>(kSoundPolicy));
  tokens.push_back(Register<DoubleDeliveryPolicy>(kDoubleDeliveryPolicy));
  tokens.push_back(Register<LostPacketPolicy>(kLostPacketPolicy));
  tokens.push_back(Register<MissingBoundPolicy>(kMissingBoundPolicy));
  tokens.push_back(Register<ForgottenBoundPolicy>(kForgottenBoundPolicy));
  tokens.push_back(Register<MixedUpTiePolicy>(kMixedUpTiePolicy));
  return RegistrationToken::Combine(std::move(tokens));
}

const Unregister mutants(RegisterAll());

}  // namespace
}  // namespace syncline
