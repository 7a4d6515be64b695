#include "framework/node/node_contexts.h"

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/node_environment.h"
#include "framework/packet/packet.h"

namespace syncline {

void NodeContexts::Place(std::size_t num_inputs, std::size_t num_outputs,
                         std::pmr::memory_resource* memory) {
  memory_ = static_cast<std::byte*>(memory->allocate(
      Bytes(num_inputs, num_outputs), alignof(CalculatorContext)));
}

CalculatorContext* NodeContexts::Make(const NodeEnvironment& environment) {
  CalculatorContext* context = nullptr;
  if (made_.first == nullptr) {
    context = new (memory_)
        CalculatorContext(environment, memory_ + sizeof(CalculatorContext));
    made_.first.reset(context);
  } else {
    if (made_.others == nullptr) {
      made_.others =
          std::make_unique<std::vector<std::unique_ptr<CalculatorContext>>>();
    }
    made_.others->push_back(std::make_unique<CalculatorContext>(environment));
    context = made_.others->back().get();
  }
  if (headers_ == nullptr) return context;
  for (const auto& [port, header] : *headers_) {
    context->Inputs().begin()[port].SetHeader(header);
  }
  return context;
}

void NodeContexts::AddHeader(int port, const Packet& header) {
  if (headers_ == nullptr) headers_ = std::make_unique<Headers>();
  headers_->emplace_back(port, header);
}

void NodeContexts::MoveHeadersTo(std::vector<Packet>* to) {
  if (headers_ == nullptr) return;
  for (auto& [port, header] : *headers_) to->push_back(std::move(header));
}

}  // namespace syncline
