// Which connection is closed where there are too many, or too much is unread.
#include "pages/server/open_connections.h"

#include <sys/socket.h>

#include <memory>
#include <string>
#include <vector>

#include "framework/formats/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

// Connections of a server of at most three, and 100 bytes that nobody reads.
class OpenConnectionsTest : public testing::Test {
 protected:
  explicit OpenConnectionsTest(int most = 3) : connections_(most, 100) {}
  OpenConnections::Entry Open() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    clients_.emplace_back(ends[0]);
    servers_.emplace_back(ends[1]);
    return connections_.Add(ends[1]);
  }
  static std::shared_ptr<const std::string> Body(std::size_t size) {
    return std::make_shared<const std::string>(size, 'x');
  }
  // By position, which clients see their connections end.
  std::vector<int> Ended() const {
    std::vector<int> ended;
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      char byte;
      if (recv(clients_[i].Get(), &byte, 1, MSG_DONTWAIT) == 0) {
        ended.push_back(static_cast<int>(i));
      }
    }
    return ended;
  }

  OpenConnections connections_;
  std::vector<UniqueFd> clients_;
  std::vector<UniqueFd> servers_;
};

// The same for many connections.
class ManyOpenConnectionsTest : public OpenConnectionsTest {
 protected:
  ManyOpenConnectionsTest() : OpenConnectionsTest(/*most=*/20) {}
};

TEST_F(OpenConnectionsTest, TheOldestThatHasNotAskedIsClosedFirst) {
  const auto asked = Open();
  connections_.BeginAnswer(asked, nullptr);
  Open();
  Open();
  EXPECT_THAT(Ended(), ElementsAre());
  Open();
  EXPECT_THAT(Ended(), ElementsAre(1));
  Open();
  EXPECT_THAT(Ended(), ElementsAre(1, 2));
}

TEST_F(OpenConnectionsTest, OfThoseThatHaveAskedTheOneThatAskedLongAgo) {
  const auto first = Open();
  const auto second = Open();
  const auto third = Open();
  connections_.BeginAnswer(first, nullptr);
  connections_.BeginAnswer(second, nullptr);
  connections_.BeginAnswer(third, nullptr);
  connections_.BeginAnswer(first, nullptr);
  Open();
  EXPECT_THAT(Ended(), ElementsAre(1));
}

TEST_F(OpenConnectionsTest, TheNewestIsNeverClosed) {
  for (int i = 0; i < 10; ++i) {
    connections_.BeginAnswer(Open(), nullptr);
    EXPECT_EQ(Ended().size(), i < 3 ? 0 : i - 2);
  }
  EXPECT_THAT(Ended(), ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST_F(OpenConnectionsTest, OneThatHasGoneMakesRoom) {
  const auto first = Open();
  Open();
  Open();
  connections_.Remove(first);
  EXPECT_EQ(connections_.size(), 2);
  Open();
  EXPECT_THAT(Ended(), ElementsAre());
}

TEST_F(OpenConnectionsTest, RoomIsMadeAsLongAsSomethingIsOpen) {
  EXPECT_FALSE(connections_.CloseOne());
  connections_.BeginAnswer(Open(), nullptr);
  Open();
  EXPECT_TRUE(connections_.CloseOne());
  EXPECT_THAT(Ended(), ElementsAre(1));
  EXPECT_TRUE(connections_.CloseOne());
  EXPECT_THAT(Ended(), ElementsAre(0, 1));
  EXPECT_FALSE(connections_.CloseOne());
  EXPECT_EQ(connections_.num_opened(), 2);
}

TEST_F(ManyOpenConnectionsTest, WhoReadsNothingForLongestIsClosed) {
  // 100 bytes of short answers.
  for (int i = 0; i < 10; ++i) connections_.BeginAnswer(Open(), Body(10));
  EXPECT_THAT(Ended(), ElementsAre());
  connections_.BeginAnswer(Open(), Body(1));
  EXPECT_THAT(Ended(), ElementsAre(0));
  connections_.BeginAnswer(Open(), Body(10));
  EXPECT_THAT(Ended(), ElementsAre(0, 1));
}

TEST_F(ManyOpenConnectionsTest, FourLongAnswersAreNotTooMuch) {
  for (int i = 0; i < 4; ++i) connections_.BeginAnswer(Open(), Body(1000));
  EXPECT_THAT(Ended(), ElementsAre());
  connections_.BeginAnswer(Open(), Body(1000));
  EXPECT_THAT(Ended(), ElementsAre(0));
}

// Of answers of a megabyte three have room, and of longer ones two.
TEST_F(ManyOpenConnectionsTest, FewVeryLongAnswersAreTooMuch) {
  for (int i = 0; i < 3; ++i) connections_.BeginAnswer(Open(), Body(1 << 20));
  EXPECT_THAT(Ended(), ElementsAre());
  connections_.BeginAnswer(Open(), Body(1 << 20));
  EXPECT_THAT(Ended(), ElementsAre(0));
  connections_.BeginAnswer(Open(), Body(5 << 20));
  EXPECT_THAT(Ended(), ElementsAre(0));
  connections_.BeginAnswer(Open(), Body(5 << 20));
  EXPECT_THAT(Ended(), ElementsAre(0, 1, 2, 3));
}

TEST_F(ManyOpenConnectionsTest, AShortAnswerLeavesLongOnesTheirRoom) {
  for (int i = 0; i < 3; ++i) connections_.BeginAnswer(Open(), Body(1000));
  connections_.BeginAnswer(Open(), Body(1));
  EXPECT_THAT(Ended(), ElementsAre());
}

TEST_F(OpenConnectionsTest, ABodyThatManyReadCountsOnce) {
  const std::shared_ptr<const std::string> body = Body(60);
  for (int i = 0; i < 3; ++i) connections_.BeginAnswer(Open(), body);
  EXPECT_THAT(Ended(), ElementsAre());
}

TEST_F(OpenConnectionsTest, WhatWasReadIsForgotten) {
  const auto first = Open();
  connections_.BeginAnswer(first, Body(60));
  connections_.EndAnswer(first);
  connections_.BeginAnswer(Open(), Body(60));
  EXPECT_THAT(Ended(), ElementsAre());
}

TEST_F(OpenConnectionsTest, AFewLongAnswersAreSent) {
  for (int i = 0; i < 3; ++i) connections_.BeginAnswer(Open(), Body(1000));
  EXPECT_THAT(Ended(), ElementsAre());
}

}  // namespace
}  // namespace syncline
