#include "framework/calculator/node_environment.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/graph_clock.h"
#include "framework/base/no_destructor.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/resources.h"
#include "framework/config/calculator.pb.h"

namespace syncline {
namespace {

std::shared_ptr<const Resources> ResourcesOf(
    const GraphServiceManager* services) {
  if (services != nullptr) {
    std::shared_ptr<const Resources> given =
        services->GetServiceObject(kResourcesService);
    if (given != nullptr) return given;
  }
  static const auto& files =
      *new std::shared_ptr<const Resources>(CreateDefaultResources());
  return files;
}

bool HasSidePackets(const CalculatorContract& contract) {
  return contract.InputSidePackets().NumEntries() +
             contract.OutputSidePackets().NumEntries() >
         0;
}

// Outside of a run.
class NoObjects : public RunObjects {
 public:
  static const RunObjects* Get() {
    static const NoDestructor<NoObjects> objects;
    return objects.get();
  }

  GraphClock* clock() const override { return &clock_; }
  absl::StatusOr<std::shared_ptr<ConditionBase>> FindCondition(
      int, absl::string_view name) const override {
    return absl::NotFoundError(absl::StrCat("There is no condition \"", name,
                                            "\" outside of a graph."));
  }
  absl::StatusOr<std::shared_ptr<Allocator>> FindAllocator(
      absl::string_view name) const override {
    return absl::NotFoundError(absl::StrCat("There is no allocator \"", name,
                                            "\" outside of a graph."));
  }

 private:
  mutable RealtimeClock clock_;
};

}  // namespace

NodeEnvironment::NodeEnvironment(const CalculatorContract& contract, Run run)
    : contract_(contract),
      node_id_(run.node_id),
      own_side_packets_(
          HasSidePackets(contract)
              ? std::make_unique<SidePackets>(SidePackets{
                    std::move(run.input_side_packets),
                    {},
                    OutputSidePacketSet(contract.OutputSidePackets().TagMap())})
              : nullptr),
      side_packets_(own_side_packets_ == nullptr ? NoSidePackets()
                                                 : own_side_packets_.get()),
      own_counters_(run.counters == nullptr
                        ? std::make_unique<BasicCounterFactory>()
                        : nullptr),
      counters_(run.counters == nullptr ? own_counters_.get() : run.counters),
      services_(run.services),
      resources_(ResourcesOf(run.services)),
      objects_(run.objects == nullptr ? NoObjects::Get() : run.objects),
      log_level_(contract.GetNodeName(), contract.GetLogLevel()) {
  const PacketTypeSet& outputs = contract.Outputs();
  const PacketTypeSet& side_outputs = contract.OutputSidePackets();
  if (outputs.NumEntries() + side_outputs.NumEntries() == 0) return;
  output_ports_.reserve(outputs.NumEntries());
  for (CollectionItemId id = outputs.BeginId(); id < outputs.EndId(); ++id) {
    output_ports_.emplace_back(outputs.layout().Names()[id.value()], contract,
                               &outputs.Get(id));
  }
  for (CollectionItemId id = side_outputs.BeginId(); id < side_outputs.EndId();
       ++id) {
    side_packets_->node_outputs.push_back(
        std::make_unique<NodeOutputSidePacket>(
            side_outputs.layout().Names()[id.value()], NodeText(contract),
            &side_outputs.Get(id)));
    side_packets_->outputs.GetPtr(id) =
        side_packets_->node_outputs.back().get();
  }
}

NodeEnvironment::~NodeEnvironment() = default;

NodeEnvironment::SidePackets* NodeEnvironment::NoSidePackets() {
  static SidePackets& none = *new SidePackets();
  return &none;
}

}  // namespace syncline
