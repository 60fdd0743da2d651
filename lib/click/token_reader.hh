// What all of the parser stands on: messages about tokens, configuration strings and port lists.
//
//   class Parser : private TokenReader { ... };
#pragma once

#include <cstdint>
#include <string>

#include "headroom/base/diagnostics.hh"
#include "headroom/click/lexer.hh"
#include "headroom/click/tree.hh"

namespace headroom::click {

class TokenReader {
 protected:
  TokenReader(uint32_t file, Diagnostics& diagnostics)
      : lexer_(file, diagnostics), diagnostics_(diagnostics) {}

  // One message a token is enough: what follows from the first would only repeat it.
  void error(const Token& token, std::string message, std::string hint = {},
             SourceLocation hint_where = {});
  void syntax_error(const Token& token, std::string hint = {});

  // Reports that `open` has no partner.
  void report_unclosed(const Token& open, char bracket);
  // From the '(' that is next to the ')' that matches.
  ConfigNode parse_config();
  // Returns false after a mistake; it is reported, and everything up to the bracket skipped.
  bool parse_ports(PortsNode& ports);

  Lexer lexer_;
  Diagnostics& diagnostics_;
  const char* last_error_ = nullptr;  // the token of the last message

 private:
  bool parse_port_number(uint32_t& number);
  bool skip_ports();
};

}  // namespace headroom::click
