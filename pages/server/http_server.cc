#include "pages/server/http_server.h"

#include "absl/strings/string_view.h"

namespace syncline {

HttpAnswer TextAnswer(int status, absl::string_view text) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = std::make_shared<const std::string>(text);
  return answer;
}

}  // namespace syncline
