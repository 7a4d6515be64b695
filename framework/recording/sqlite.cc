#include "framework/recording/sqlite.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"

namespace syncline {
namespace {

// How long to wait for somebody else who has the file locked.
constexpr int kBusyTimeoutMs = 1'000;

// What a result of SQLite means; and advice, which its short messages lack.
struct Meaning {
  int result;
  absl::StatusCode code;
  const char* advice;
};

Meaning MeaningOf(int result) {
  using Code = absl::StatusCode;
  static constexpr char kInUse[] =
      ": another program is using the file; a recording can be read once it is "
      "finished";
  static constexpr Meaning kMeanings[] = {
      {SQLITE_FULL, Code::kResourceExhausted, ": the disk is full"},
      {SQLITE_NOMEM, Code::kResourceExhausted, ""},
      {SQLITE_TOOBIG, Code::kResourceExhausted,
       ": SQLite takes 1,000,000,000 bytes in one row"},
      {SQLITE_CORRUPT, Code::kDataLoss,
       ": the file is damaged; `sqlite3 FILE .recover` may save a part"},
      {SQLITE_NOTADB, Code::kInvalidArgument, ": this is no recording"},
      {SQLITE_BUSY, Code::kUnavailable, kInUse},
      {SQLITE_LOCKED, Code::kUnavailable, kInUse},
      {SQLITE_IOERR, Code::kUnavailable,
       ": look whether the disk works and has room"},
      {SQLITE_CANTOPEN, Code::kPermissionDenied,
       ": look whether its folder is there, and whether you may use it"},
      {SQLITE_PERM, Code::kPermissionDenied, ""},
      {SQLITE_READONLY, Code::kPermissionDenied, ""},
  };
  for (const Meaning& meaning : kMeanings) {
    if (meaning.result == (result & 0xff)) return meaning;
  }
  return {result, Code::kInternal, ""};
}

// A name of a file is one line, and no command to a terminal.
std::string Named(absl::string_view path) {
  return absl::Utf8SafeCEscape(path);
}

absl::Status Error(absl::string_view path, int result, const char* message) {
  const Meaning meaning = MeaningOf(result);
  return absl::Status(
      meaning.code,
      absl::StrCat("\"", Named(path), "\": ", message, meaning.advice));
}

absl::Status ErrorOf(absl::string_view path, sqlite3* database, int result) {
  return Error(
      path, result,
      database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(result));
}

// SQLite reads "file:..." and ":memory:" as something else than names of files.
std::string PlainPath(const std::string& path) {
  return absl::StartsWith(path, "/") ? path : absl::StrCat("./", path);
}

absl::Status CheckThere(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return absl::NotFoundError(
          absl::StrCat("there is no file \"", Named(path), "\""));
    }
    return absl::PermissionDeniedError(
        absl::StrCat("\"", Named(path), "\": ", std::strerror(errno)));
  }
  if (S_ISDIR(file.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", Named(path), "\" is a folder"));
  }
  // SQLite reads a file here and there, and would wait for who writes a pipe.
  if (!S_ISREG(file.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", Named(path), "\" is ",
        S_ISFIFO(file.st_mode) ? "a pipe" : "no file",
        ", which cannot be read as a recording: write what comes from it to a "
        "file first"));
  }
  return absl::OkStatus();
}

absl::Status CheckNotThere(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0 ||
      (S_ISREG(file.st_mode) && file.st_size == 0)) {
    return absl::OkStatus();
  }
  return absl::AlreadyExistsError(
      absl::StrCat("there is a file \"", Named(path),
                   "\" already: move it away, or choose another name"));
}

}  // namespace

// --- SqliteStatement

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void SqliteStatement::BindOne(int parameter, std::int64_t value) {
  NoteBound(sqlite3_bind_int64(statement_.get(), parameter, value));
}

void SqliteStatement::BindOne(int parameter, absl::string_view text) {
  // A null pointer would bind NULL.
  NoteBound(sqlite3_bind_text64(statement_.get(), parameter,
                                text.data() == nullptr ? "" : text.data(),
                                text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void SqliteStatement::BindOne(int parameter, const SqliteBlob& blob) {
  const absl::string_view bytes = blob.bytes;
  NoteBound(sqlite3_bind_blob64(statement_.get(), parameter,
                                bytes.data() == nullptr ? "" : bytes.data(),
                                bytes.size(), SQLITE_STATIC));
}

void SqliteStatement::NoteBound(int result) {
  if (bind_error_ == SQLITE_OK) bind_error_ = result;
}

absl::StatusOr<bool> SqliteStatement::Step() {
  // A value that could not be bound would be NULL.
  if (const int wrong = std::exchange(bind_error_, SQLITE_OK);
      wrong != SQLITE_OK) {
    return Error(path_, wrong, sqlite3_errstr(wrong));
  }
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  return ErrorOf(path_, sqlite3_db_handle(statement_.get()), result);
}

void SqliteStatement::Reset() { sqlite3_reset(statement_.get()); }

std::int64_t SqliteStatement::Int64(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

absl::string_view SqliteStatement::Bytes(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? absl::string_view()
                          : absl::string_view(static_cast<const char*>(bytes),
                                              static_cast<std::size_t>(size));
}

bool SqliteStatement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

// --- SqliteDatabase

void SqliteDatabase::Close::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

absl::StatusOr<std::unique_ptr<SqliteDatabase>> SqliteDatabase::Open(
    const std::string& path, Mode mode) {
  SYNCLINE_RETURN_IF_ERROR(mode == kCreate ? CheckNotThere(path)
                                           : CheckThere(path));
  int flags = SQLITE_OPEN_NOMUTEX;
  flags |= mode == kReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (mode == kCreate) flags |= SQLITE_OPEN_CREATE;
  sqlite3* handle = nullptr;
  const int result =
      sqlite3_open_v2(PlainPath(path).c_str(), &handle, flags, nullptr);
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(path, handle));
  if (result != SQLITE_OK) return ErrorOf(path, handle, result);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  // A file may come from anywhere: nothing in it may call functions that it
  // brought along, or change what its own schema says.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // SQLite looks into the file at the first statement only.
  SYNCLINE_RETURN_IF_ERROR(
      database->QueryInt64("PRAGMA schema_version").status());
  return database;
}

absl::Status SqliteDatabase::Execute(const std::string& sql) {
  const int result =
      sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (result == SQLITE_OK) return absl::OkStatus();
  return ErrorOf(path_, database_.get(), result);
}

absl::StatusOr<SqliteStatement> SqliteDatabase::Prepare(absl::string_view sql) {
  std::string path = path_;  // before there is something to finalize
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v3(
      database_.get(), sql.data(), static_cast<int>(sql.size()),
      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (result != SQLITE_OK) return ErrorOf(path_, database_.get(), result);
  return SqliteStatement(std::move(path), statement);
}

absl::Status SqliteDatabase::ForEachRow(
    absl::string_view sql,
    absl::FunctionRef<absl::Status(const SqliteStatement& row)> read) {
  SYNCLINE_ASSIGN_OR_RETURN(SqliteStatement query, Prepare(sql));
  while (true) {
    SYNCLINE_ASSIGN_OR_RETURN(const bool more, query.Step());
    if (!more) return absl::OkStatus();
    SYNCLINE_RETURN_IF_ERROR(read(query));
  }
}

absl::StatusOr<std::int64_t> SqliteDatabase::QueryInt64(absl::string_view sql) {
  SYNCLINE_ASSIGN_OR_RETURN(SqliteStatement statement, Prepare(sql));
  SYNCLINE_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) {
    return absl::DataLossError(
        absl::StrCat("\"", Named(path_), "\": nothing answers ", sql));
  }
  return statement.Int64(0);
}

}  // namespace syncline
