// SqliteDatabase and SqliteStatement: as much of SQLite as recordings need,
// with errors as absl::Status that name the file.
//
//   SYNCLINE_ASSIGN_OR_RETURN(
//       auto database, SqliteDatabase::Open(path, SqliteDatabase::kReadOnly));
//   SYNCLINE_ASSIGN_OR_RETURN(
//       auto query, database->Prepare("SELECT id FROM stream WHERE name =
//       ?1"));
//   query.Bind("frames");
//   SYNCLINE_ASSIGN_OR_RETURN(const bool found, query.Step());
//   if (found) id = query.Int64(0);
//
// Thread rule: a database and its statements belong to one thread at a time.
// Tested by sqlite_test and recording_file_test.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_SQLITE_H_
#define SYNCLINE_FRAMEWORK_RECORDING_SQLITE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"

struct sqlite3;
struct sqlite3_stmt;

namespace syncline {

// A value of a parameter: bytes that are no text.
struct SqliteBlob {
  absl::string_view bytes;
};

// A compiled statement; movable. Must not outlive its database.
class SqliteStatement {
 public:
  SqliteStatement() = default;
  SqliteStatement(SqliteStatement&&) = default;
  SqliteStatement& operator=(SqliteStatement&&) = default;

  // Gives the parameters ?1, ?2, ... these values, which are numbers, texts and
  // SqliteBlobs. Texts and blobs are not copied: they must live until the next
  // Step has returned, which also says what was wrong with them, such as their
  // size.
  template <typename... Values>
  void Bind(const Values&... values) {
    int parameter = 0;
    (BindOne(++parameter, values), ...);
  }

  // True: there is a row. False: there is none any more.
  absl::StatusOr<bool> Step();
  // For statements without rows: binds the values, steps once and resets.
  template <typename... Values>
  absl::Status Run(const Values&... values) {
    Bind(values...);
    absl::Status status = Step().status();
    Reset();
    return status;
  }
  // From the beginning. What the columns pointed to is gone.
  void Reset();

  // Values of the row; columns count from 0. Views live until the next Step or
  // Reset.
  std::int64_t Int64(int column) const;
  absl::string_view Bytes(int column) const;
  std::string Text(int column) const { return std::string(Bytes(column)); }
  bool IsNull(int column) const;

 private:
  friend class SqliteDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  SqliteStatement(std::string path, sqlite3_stmt* statement)
      : path_(std::move(path)), statement_(statement) {}

  void BindOne(int parameter, std::int64_t value);
  void BindOne(int parameter, absl::string_view text);
  void BindOne(int parameter, const SqliteBlob& blob);
  void NoteBound(int result);

  std::string path_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  // The error of the first Bind that failed since the last Step; 0 if none did.
  int bind_error_ = 0;
};

class SqliteDatabase {
 public:
  enum Mode {
    kReadOnly,
    // The file must exist.
    kReadWrite,
    // There must be no such file, or an empty one.
    kCreate,
  };

  // NOT_FOUND, PERMISSION_DENIED, ALREADY_EXISTS; INVALID_ARGUMENT for what is
  // no SQLite file.
  static absl::StatusOr<std::unique_ptr<SqliteDatabase>> Open(
      const std::string& path, Mode mode);
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  // One or more statements without parameters, whose rows are of no interest.
  absl::Status Execute(const std::string& sql);
  absl::StatusOr<SqliteStatement> Prepare(absl::string_view sql);
  // Prepares a statement without rows, and runs it with these values.
  template <typename... Values>
  absl::Status Run(absl::string_view sql, const Values&... values) {
    SYNCLINE_ASSIGN_OR_RETURN(SqliteStatement statement, Prepare(sql));
    return statement.Run(values...);
  }
  // Calls `read` with each row, until it returns an error.
  absl::Status ForEachRow(
      absl::string_view sql,
      absl::FunctionRef<absl::Status(const SqliteStatement& row)> read);
  // The only column of the only row.
  absl::StatusOr<std::int64_t> QueryInt64(absl::string_view sql);

  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };

  SqliteDatabase(std::string path, sqlite3* database)
      : path_(std::move(path)), database_(database) {}

  const std::string path_;
  const std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_SQLITE_H_
