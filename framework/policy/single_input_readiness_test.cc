#include "framework/policy/single_input_readiness.h"

#include <random>
#include <string>

#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/policy_test_support.h"
#include "framework/stream/input_queue.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(SingleInputTest, IsTheDefaultRule) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    PolicyDriver driver("DefaultInputStreamHandler", {"A:a"});
    InputQueue queue;
    Timestamp next(0);
    for (int step = 0; step < 30; ++step) {
      const auto choice = random() % 5;
      if (choice < 2 && queue.bound() < Timestamp::Done()) {
        next += static_cast<int>(random() % 3);
        const Packet packet = MakePacket<int>(step).At(next);
        driver.Add(0, packet);
        queue.Add(Packet(packet));
        next += 1;
      } else if (choice == 2) {
        next += static_cast<int>(random() % 3);
        driver.RaiseBound(0, next);
        queue.RaiseBound(next);
      } else if (choice == 3 && step > 20) {
        driver.RaiseBound(0, Timestamp::Done());
        queue.RaiseBound(Timestamp::Done());
      }
      const Readiness readiness = EvaluateSingleInput(queue);
      ASSERT_EQ(readiness, driver.policy().Evaluate());
      if (choice != 4 || readiness.state != Readiness::State::kProcess)
        continue;
      driver.Call();
      InputStream input;
      TakeFront(&queue, &input);
      const InputStream& expected = driver.inputs().Get(0);
      ASSERT_EQ(input.Value().Timestamp(), expected.Value().Timestamp());
      ASSERT_EQ(input.Get<int>(), expected.Get<int>());
      ASSERT_EQ(input.IsDone(), expected.IsDone());
    }
  }
}

}  // namespace
}  // namespace syncline
