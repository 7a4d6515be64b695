#include "framework/recording/sqlite.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::HasSubstr;

std::string PathOf(const std::string& name) {
  return absl::StrCat(testing::TempDir(), "/", name);
}

// A new database with the table t (number, text).
std::unique_ptr<SqliteDatabase> Create(const std::string& path) {
  std::filesystem::remove(path);
  auto database = SqliteDatabase::Open(path, SqliteDatabase::kCreate);
  EXPECT_TRUE(database.ok()) << database.status();
  const absl::Status made =
      (*database)->Execute("CREATE TABLE t (number, text)");
  EXPECT_TRUE(made.ok()) << made;
  return *std::move(database);
}

TEST(SqliteTest, RowsComeBackAsTheyWereBound) {
  const auto database = Create(PathOf("rows.db"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      SqliteStatement insert,
      database->Prepare("INSERT INTO t VALUES (?1, ?2)"));
  constexpr std::int64_t kNumber = std::int64_t{1} << 60;
  SYNCLINE_ASSERT_OK(insert.Run(kNumber, "text"));
  SYNCLINE_ASSERT_OK(
      insert.Run(kNumber, SqliteBlob{absl::string_view("a\0b", 3)}));
  // What has no data is empty, and not NULL.
  SYNCLINE_ASSERT_OK(insert.Run(kNumber, absl::string_view()));
  SYNCLINE_ASSERT_OK(database->Execute("INSERT INTO t VALUES (NULL, NULL)"));

  SYNCLINE_ASSERT_OK_AND_ASSIGN(SqliteStatement query,
                                database->Prepare("SELECT * FROM t"));
  for (const absl::string_view text :
       {absl::string_view("text"), absl::string_view("a\0b", 3),
        absl::string_view("")}) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const bool more, query.Step());
    ASSERT_TRUE(more);
    EXPECT_EQ(query.Int64(0), std::int64_t{1} << 60);
    EXPECT_EQ(query.Bytes(1), text);
    EXPECT_EQ(query.Text(1), text);
    EXPECT_FALSE(query.IsNull(1));
  }
  SYNCLINE_ASSERT_OK_AND_ASSIGN(bool more, query.Step());
  EXPECT_TRUE(more);
  EXPECT_TRUE(query.IsNull(0));
  EXPECT_EQ(query.Bytes(1), "");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(more, query.Step());
  EXPECT_FALSE(more);
  query.Reset();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(more, query.Step());
  EXPECT_TRUE(more);
  EXPECT_EQ(query.Text(1), "text");
}

TEST(SqliteTest, AParameterThatIsNotThereIsAnErrorOfTheNextStep) {
  const auto database = Create(PathOf("parameter.db"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(SqliteStatement query,
                                database->Prepare("SELECT ?1"));
  query.Bind(7, 0);
  EXPECT_FALSE(query.Step().ok());
  // Once.
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const bool found, query.Step());
  EXPECT_TRUE(found);
  EXPECT_EQ(query.Int64(0), 7);
}

TEST(SqliteTest, ReadsRowsUntilTheFirstError) {
  const auto database = Create(PathOf("for_each.db"));
  for (const int number : {1, 2, 3}) {
    SYNCLINE_ASSERT_OK(
        database->Run("INSERT INTO t VALUES (?1, ?2)", number, "text"));
  }
  std::int64_t sum = 0;
  const auto add = [&sum](const SqliteStatement& row) {
    sum += row.Int64(0);
    return sum < 10 ? absl::OkStatus() : absl::OutOfRangeError("too much");
  };
  SYNCLINE_ASSERT_OK(database->ForEachRow("SELECT number FROM t", add));
  EXPECT_EQ(sum, 6);
  sum = 8;
  EXPECT_THAT(database->ForEachRow("SELECT number FROM t", add),
              StatusIs(StatusCode::kOutOfRange));
  EXPECT_EQ(sum, 11);
  EXPECT_FALSE(database->ForEachRow("NONSENSE", add).ok());
  EXPECT_FALSE(database->Run("NONSENSE").ok());
}

TEST(SqliteTest, AQueryOfANumberHasOneRow) {
  const auto database = Create(PathOf("number.db"));
  EXPECT_THAT(database->QueryInt64("SELECT 40 + 2"), IsOkAndHolds(42));
  EXPECT_THAT(database->QueryInt64("SELECT number FROM t"),
              StatusIs(StatusCode::kDataLoss, HasSubstr("nothing answers")));
}

TEST(SqliteTest, ErrorsNameTheFile) {
  const std::string path = PathOf("errors.db");
  const auto database = Create(path);
  EXPECT_THAT(database->Execute("NONSENSE"),
              StatusIs(StatusCode::kInternal, HasSubstr(path)));
  EXPECT_THAT(
      database->Prepare("SELECT * FROM absent").status(),
      StatusIs(StatusCode::kInternal, HasSubstr("no such table: absent")));
}

TEST(SqliteTest, AFileIsCreatedOnlyWhereThereIsNone) {
  const std::string path = PathOf("create.db");
  Create(path);
  EXPECT_THAT(SqliteDatabase::Open(path, SqliteDatabase::kCreate),
              StatusIs(StatusCode::kAlreadyExists, HasSubstr(path)));
  const std::string empty = PathOf("empty.db");
  std::ofstream(empty).close();
  SYNCLINE_EXPECT_OK(SqliteDatabase::Open(empty, SqliteDatabase::kCreate));
}

TEST(SqliteTest, OnlyDatabasesAreOpened) {
  for (const auto mode :
       {SqliteDatabase::kReadOnly, SqliteDatabase::kReadWrite}) {
    EXPECT_THAT(SqliteDatabase::Open(PathOf("none.db"), mode),
                StatusIs(StatusCode::kNotFound, HasSubstr("there is no file")));
    EXPECT_THAT(
        SqliteDatabase::Open(testing::TempDir(), mode),
        StatusIs(StatusCode::kInvalidArgument, HasSubstr("is a folder")));
  }
  EXPECT_THAT(SqliteDatabase::Open("/dev/null", SqliteDatabase::kReadOnly),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("is no file")));
  const std::string other = PathOf("other.db");
  std::ofstream(other) << std::string(4096, 'x');
  EXPECT_THAT(SqliteDatabase::Open(other, SqliteDatabase::kReadOnly),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("this is no recording")));
}

TEST(SqliteTest, AFileThatIsReadCannotBeWritten) {
  const std::string path = PathOf("read.db");
  Create(path);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const auto database,
      SqliteDatabase::Open(path, SqliteDatabase::kReadOnly));
  EXPECT_EQ(database->path(), path);
  EXPECT_THAT(database->Execute("DELETE FROM t"),
              StatusIs(StatusCode::kPermissionDenied, HasSubstr(path)));
}

TEST(SqliteTest, AFileThatSomebodyElseWritesIsNotAvailable) {
  const std::string path = PathOf("busy.db");
  const auto writer = Create(path);
  SYNCLINE_ASSERT_OK(
      writer->Execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"));
  EXPECT_THAT(SqliteDatabase::Open(path, SqliteDatabase::kReadOnly),
              StatusIs(StatusCode::kUnavailable, HasSubstr("another program")));
}

}  // namespace
}  // namespace syncline
