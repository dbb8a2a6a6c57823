#include "viewer/Page.h"

#include "base/Error.h"
#include "base/FileBytes.h"

namespace verve {
namespace {

/// JSON that may stand in a page: text in it can end no element and begin none.
std::string harmless(const Json& json) {
  std::string text;
  for (char c : json.dump(-1, ' ', true, Json::error_handler_t::replace))
    if (c == '<' || c == '>' || c == '&') {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", unsigned(c));
      text += escaped;
    } else {
      text += c;
    }
  return text;
}

}  // namespace

void require_page() {
  if (!*page_template)
    throw Error(
        "this program was built without its page, as node and npm were not there: install them (Debian: apt "
        "install nodejs npm) and build again; pictures work without: --png FILE");
}

void write_page(const std::string& path, const std::string& title, const std::vector<PageRun>& runs) {
  require_page();
  const std::string page = page_template, mark = "<!-- RUNS -->";
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw Error("the page of this program has no place for runs; build it again");
  NewFile file(path);
  file.append(page.substr(0, at));
  Json about = {{"title", title}, {"runs", Json::array()}};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    about["runs"].push_back(runs[r].about);
    for (std::size_t b = 0; b < runs[r].blocks.size(); ++b) {
      file.append("<script type=\"text/plain\" id=\"block-" + std::to_string(r) + "-" + std::to_string(b) +
                  "\">");
      file.append(runs[r].blocks[b]);
      file.append("</script>\n");
    }
  }
  file.append("<script type=\"application/json\" id=\"about\">");
  file.append(harmless(about));
  file.append("</script>\n");
  file.append(page.substr(at + mark.size()));
  file.commit();
}

}  // namespace verve
