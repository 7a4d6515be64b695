#include "gpu/buffer_versions.h"

#include <memory>
#include <string>

#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

WorkOwner OwnerAt(const std::string& node, int timestamp) {
  return {std::make_shared<const std::string>(node), Timestamp(timestamp)};
}

class BufferVersionsTest : public ::testing::Test {
 protected:
  const WorkOwner upload_ = OwnerAt("upload", 40);
  const WorkOwner writer_ = OwnerAt("writer", 40);
  const WorkOwner reader_ = OwnerAt("reader", 40);
  BufferVersions versions_;
};

TEST_F(BufferVersionsTest, WhatWasNotSentIsNeverChanged) {
  versions_.NoteWrite(upload_, "fill");
  versions_.NoteWrite(writer_, "add");
  EXPECT_FALSE(versions_.IsChangedFor(reader_, SentVersion()));
}

TEST_F(BufferVersionsTest, AWriteOfAnotherNodeChangesWhatWasSent) {
  versions_.NoteWrite(upload_, "fill");
  const SentVersion sent = versions_.NoteSent(upload_);
  EXPECT_FALSE(versions_.IsChangedFor(reader_, sent));
  versions_.NoteWrite(writer_, "add");
  EXPECT_TRUE(versions_.IsChangedFor(reader_, sent));
  EXPECT_EQ(versions_.writer().ToText(), "node \"writer\" at 40");
  EXPECT_STREQ(versions_.work(), "add");
}

TEST_F(BufferVersionsTest, TheWriterGoesOnWithWhatItWasSent) {
  const SentVersion sent = versions_.NoteSent(upload_);
  versions_.NoteWrite(writer_, "add");
  EXPECT_FALSE(versions_.IsChangedFor(writer_, sent));
  EXPECT_FALSE(versions_.IsChangedFor(OwnerAt("writer", 41), sent)) << "later";
}

TEST_F(BufferVersionsTest, WhatTheWriterSendsOnIsTheNewVersion) {
  const SentVersion old = versions_.NoteSent(upload_);
  versions_.NoteWrite(writer_, "add");
  const SentVersion sent_on = versions_.NoteSent(writer_);
  EXPECT_FALSE(versions_.IsChangedFor(reader_, sent_on));
  EXPECT_TRUE(versions_.IsChangedFor(reader_, old));
}

TEST_F(BufferVersionsTest, TheLastWriterIsKnown) {
  const SentVersion sent = versions_.NoteSent(upload_);
  EXPECT_FALSE(versions_.IsChangedBy(upload_, sent)) << "not since";
  versions_.NoteWrite(writer_, "add");
  EXPECT_TRUE(versions_.IsChangedBy(writer_, sent));
  EXPECT_FALSE(versions_.IsChangedBy(reader_, sent));
  EXPECT_FALSE(versions_.IsChangedBy(writer_, SentVersion())) << "not sent";
}

TEST_F(BufferVersionsTest, ACallMaySendABufferBeforeItWritesIt) {
  const SentVersion sent = versions_.NoteSent(upload_);
  versions_.NoteWrite(upload_, "fill");
  EXPECT_FALSE(versions_.IsChangedFor(reader_, sent));
  // Its next call writes what others have.
  versions_.NoteWrite(OwnerAt("upload", 41), "fill");
  EXPECT_TRUE(versions_.IsChangedFor(reader_, sent));
}

TEST_F(BufferVersionsTest, TheApplicationIsSomebodyToo) {
  const SentVersion sent = versions_.NoteSent({});
  versions_.NoteWrite({}, "fill");
  EXPECT_FALSE(versions_.IsChangedFor(reader_, sent)) << "the same as a call";
  versions_.NoteWrite(writer_, "add");
  EXPECT_TRUE(versions_.IsChangedFor({}, sent));
}

TEST_F(BufferVersionsTest, ACopyOfAHandleHasItsVersion) {
  const SentVersion sent = versions_.NoteSent(upload_);
  versions_.NoteWrite(writer_, "add");
  SentVersion copy;
  EXPECT_FALSE(versions_.IsChangedFor(reader_, copy));
  copy = sent;
  EXPECT_TRUE(versions_.IsChangedFor(reader_, copy));
  EXPECT_TRUE(versions_.IsChangedFor(reader_, SentVersion(copy)));
}

}  // namespace
}  // namespace syncline::gpu
