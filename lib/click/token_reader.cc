#include "headroom/click/token_reader.hh"

#include <utility>

#include "headroom/click/arg_types.hh"
#include "headroom/click/parser.hh"

namespace headroom::click {
namespace {

constexpr const char* kPortsHint = "ports are written [0], [0, 2], [0-3] or []";

// How a token is called in a message; bytes that are not printable as octal escapes.
std::string shown(const Token& token) {
  if (token.is(TokenKind::end)) return "end of file";
  std::string text = "'";
  for (const char c : token.text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7F) {
      text += c;
    } else {
      text += '\\';
      text += static_cast<char>('0' + (byte >> 6));
      text += static_cast<char>('0' + ((byte >> 3) & 7));
      text += static_cast<char>('0' + (byte & 7));
    }
  }
  return text + '\'';
}

}  // namespace

void TokenReader::error(const Token& token, std::string message, std::string hint,
                        SourceLocation hint_where) {
  if (token.text.data() == last_error_) return;
  last_error_ = token.text.data();
  diagnostics_.error(token.where, std::move(message), std::move(hint), hint_where);
}

void TokenReader::syntax_error(const Token& token, std::string hint) {
  error(token, "syntax error near " + shown(token), std::move(hint));
}

void TokenReader::report_unclosed(const Token& open, char bracket) {
  error(lexer_.peek(), std::string("expected '") + bracket + '\'',
        "to close the '" + std::string(open.text) + "' of line " + std::to_string(open.where.line) +
            ", column " + std::to_string(open.where.column),
        open.where);
}

ConfigNode TokenReader::parse_config() {
  const Token open = lexer_.next();
  ConfigText config = lexer_.config_text();
  if (!config.closed) report_unclosed(open, ')');
  return {std::move(config.text), config.where};
}

bool TokenReader::parse_ports(PortsNode& ports) {
  ports.where = lexer_.next().where;
  ports.given = true;
  if (lexer_.peek().is(']')) {
    lexer_.next();
    ports.open = true;
    return true;
  }
  for (;;) {
    PortRange range;
    if (!parse_port_number(range.first)) return skip_ports();
    range.last = range.first;
    if (lexer_.peek().is('-')) {
      lexer_.next();
      const Token last = lexer_.peek();
      if (!parse_port_number(range.last)) return skip_ports();
      if (range.last < range.first) {
        error(last, "syntax error: port range runs backwards",
              "write the smaller port number first");
        return skip_ports();
      }
    }
    ports.ranges.push_back(range);
    if (lexer_.peek().is(']')) {
      lexer_.next();
      return true;
    }
    if (!lexer_.peek().is(',')) {
      error(lexer_.peek(), "syntax error: expected ','", kPortsHint);
      return skip_ports();
    }
    lexer_.next();
    if (lexer_.peek().is(']')) {
      lexer_.next();
      ports.open = true;
      return true;
    }
  }
}

bool TokenReader::parse_port_number(uint32_t& number) {
  const Token& token = lexer_.peek();
  if (!token.is(TokenKind::identifier)) {
    error(token, "syntax error: expected port number", kPortsHint);
    return false;
  }
  std::string ignored;
  if (!ArgType<uint32_t>::parse(token.text, number, ignored)) {
    error(token, "syntax error: port number should be integer", kPortsHint);
    return false;
  }
  if (number > kMaxPort) {
    error(token, "port number out of range, bound " + std::to_string(kMaxPort));
    return false;
  }
  lexer_.next();
  return true;
}

bool TokenReader::skip_ports() {
  for (;;) {
    const Token& token = lexer_.peek();
    const bool inside = token.is(TokenKind::identifier) || token.is(TokenKind::variable) ||
                        token.is(TokenKind::ellipsis) ||
                        (token.kind == TokenKind::byte && !token.is(';') && !token.is('{') &&
                         !token.is('}') && !token.is('(') && !token.is(')'));
    if (!inside) return false;
    if (lexer_.next().is(']')) return false;
  }
}

}  // namespace headroom::click
