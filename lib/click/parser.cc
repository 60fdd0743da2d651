#include "headroom/click/parser.hh"

#include <string>
#include <utility>

#include "headroom/click/arg_types.hh"
#include "headroom/click/lexer.hh"

namespace headroom::click {
namespace {

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

class Parser {
 public:
  Parser(uint32_t file, Diagnostics& diagnostics)
      : lexer_(file, diagnostics), diagnostics_(diagnostics) {}

  Tree parse() {
    while (!lexer_.peek().is(TokenKind::end)) parse_statement();
    return std::move(tree_);
  }

 private:
  // --- messages ---

  // One message a token is enough: what follows from the first would only repeat it.
  void error(const Token& token, std::string message, std::string hint = {}) {
    if (token.text.data() == last_error_) return;
    last_error_ = token.text.data();
    diagnostics_.error(token.where, std::move(message), std::move(hint));
  }
  void syntax_error(const Token& token, std::string hint = {}) {
    error(token, "syntax error near " + shown(token), std::move(hint));
  }
  void unsupported(const Token& token, std::string what, std::string hint = {}) {
    error(token, std::move(what) + " not supported", std::move(hint));
  }

  // --- statements ---

  void parse_statement() {
    const Token& token = lexer_.peek();
    switch (token.kind) {
      case TokenKind::identifier:
        return parse_chain(false);
      case TokenKind::elementclass:
        return parse_elementclass();
      case TokenKind::require:
        return parse_require();
      case TokenKind::define:
        unsupported(token, "'define' is", "write the value where the variable stands");
        return skip_keyword_and_config();
      case TokenKind::provide:
        syntax_error(token);
        return skip_keyword_and_config();
      case TokenKind::arrow:
      case TokenKind::fat_arrow:
        syntax_error(token, "an element should stand before the arrow");
        return parse_chain(true);
      case TokenKind::byte:
        if (token.is(';')) {
          lexer_.next();
          return;
        }
        if (token.is('[') || token.is('{') || token.is('(')) return parse_chain(false);
        break;
      default:
        break;
    }
    syntax_error(token);
    skip_junk();
  }

  // Drops what can begin no statement, to the end of the line at most. The name of a class after
  // a stray "::" would be taken for an element.
  void skip_junk() {
    Token last = lexer_.next();
    for (;;) {
      const Token& token = lexer_.peek();
      if (token.where.line != last.where.line || token.where.file != last.where.file) return;
      if (token.is(TokenKind::identifier)) {
        if (!last.is(TokenKind::double_colon)) return;
        lexer_.next();
        skip_config();
        return;
      }
      if (token.kind != TokenKind::byte && token.kind != TokenKind::double_colon &&
          token.kind != TokenKind::double_bar && token.kind != TokenKind::ellipsis &&
          token.kind != TokenKind::variable) {
        return;
      }
      if (token.is(';') || token.is('[') || token.is('{') || token.is('(')) return;
      last = lexer_.next();
    }
  }

  void skip_keyword_and_config() {
    lexer_.next();
    skip_config();
  }
  void skip_config() {
    if (lexer_.peek().is('(')) parse_config();
  }

  void parse_require() {
    RequireNode require;
    require.where = lexer_.next().where;
    if (!lexer_.peek().is('(')) {
      error(lexer_.peek(), "expected '('", "write: require(package NAME)");
      return;
    }
    require.config = parse_config();
    tree_.statements.emplace_back(std::move(require));
  }

  void parse_elementclass() {
    unsupported(lexer_.peek(), "'elementclass' is", "write its elements where the class is used");
    lexer_.next();
    if (!lexer_.peek().is(TokenKind::identifier)) {
      error(lexer_.peek(), "expected element type name");
    } else {
      const Token name = lexer_.next();
      tree_.statements.emplace_back(ClassNode{name.text, name.where});
    }
    if (lexer_.peek().is('{')) {
      skip_braces();
    } else if (lexer_.peek().is(TokenKind::identifier)) {
      lexer_.next();
    } else {
      syntax_error(lexer_.peek());
    }
  }

  // --- chains ---

  void parse_chain(bool skipped) {
    ChainNode chain;
    chain.skipped = skipped;
    chain.broken = skipped;
    bool missing = skipped;  // an element was, so that no second one need be reported
    if (skipped) {
      while (lexer_.peek().is_arrow()) lexer_.next();
      if (!may_begin_element(lexer_.peek())) return;
    }
    for (;;) {
      std::vector<ElementNode>& side = chain.sides.emplace_back();
      for (;;) {
        if (!parse_element(chain, side, missing)) missing = true;
        if (!lexer_.peek().is(',') || (side.empty() && missing)) break;
        lexer_.next();
      }
      if (!lexer_.peek().is_arrow()) break;
      const Token arrow = lexer_.next();
      chain.arrows.push_back({arrow.is(TokenKind::fat_arrow), arrow.where});
    }
    tree_.statements.emplace_back(std::move(chain));
  }

  static bool may_begin_element(const Token& token) {
    return token.is(TokenKind::identifier) || token.is('[') || token.is('{') || token.is('(');
  }

  // Returns false when there was none.
  bool parse_element(ChainNode& chain, std::vector<ElementNode>& side, bool missing) {
    ElementNode element;
    if (lexer_.peek().is('[') && !parse_ports(element.inputs)) chain.broken = true;

    const Token first = lexer_.peek();
    element.where = first.where;
    if (first.is(TokenKind::identifier)) {
      lexer_.next();
      element.name = first.text;
      if (lexer_.peek().is(TokenKind::double_colon)) {
        if (!parse_class(element)) chain.broken = true;
      }
      if (lexer_.peek().is('(')) {
        // After a group in the place of a class, a configuration string has nothing to belong to.
        ConfigNode config = parse_config();
        if (!element.declares || !element.class_name.empty()) element.config = std::move(config);
      }
    } else if (first.is('{')) {
      unsupported(first, "compound elements '{ ... }' are", kCompoundHint);
      skip_braces();
      skip_config();
      chain.broken = true;
    } else if (first.is('(')) {
      unsupported(first, "element groups '( ... )' are", "write their elements without the group");
      parse_config();
      chain.broken = true;
    } else {
      chain.broken = true;
      if (element.inputs.given) {
        if (!missing) diagnostics_.error(element.inputs.where, "stranded port ignored");
        last_error_ = first.text.data();
      } else if (!missing) {
        syntax_error(first, chain.arrows.empty() ? "" : "an element should follow the arrow");
      }
      return false;
    }
    if (lexer_.peek().is('[') && !parse_ports(element.outputs)) chain.broken = true;
    if (!element.name.empty()) side.push_back(std::move(element));
    return true;
  }

  // "::" and what follows.
  bool parse_class(ElementNode& element) {
    lexer_.next();
    element.declares = true;
    const Token token = lexer_.peek();
    element.class_where = token.where;
    if (token.is(TokenKind::identifier)) {
      lexer_.next();
      element.class_name = token.text;
      return true;
    }
    if (token.is('{')) {
      unsupported(token, "compound elements '{ ... }' are", kCompoundHint);
      skip_braces();
      return false;
    }
    error(token, "missing element type in declaration",
          token.is('(') ? "a group has no name; it can only stand in a connection" : "");
    return false;
  }

  // --- ports ---

  // Returns false after a mistake; it is reported, and everything up to the bracket skipped.
  bool parse_ports(PortsNode& ports) {
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

  bool parse_port_number(uint32_t& number) {
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

  bool skip_ports() {
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

  // --- brackets ---

  ConfigNode parse_config() {
    const Token open = lexer_.next();
    ConfigText config = lexer_.config_text();
    if (!config.closed) {
      error(lexer_.peek(), "expected ')'",
            "to close the '(' of line " + std::to_string(open.where.line) + ", column " +
                std::to_string(open.where.column));
    }
    return {std::move(config.text), config.where};
  }

  // Skips to the brace that matches the next one. Parentheses in between hold configuration
  // strings, in which braces mean nothing.
  void skip_braces() {
    const Token open = lexer_.peek();
    std::size_t depth = 0;
    for (;;) {
      if (lexer_.peek().is('(')) {
        parse_config();
        continue;
      }
      if (lexer_.peek().is(TokenKind::end)) {
        error(lexer_.peek(), "expected '}'",
              "to close the '{' of line " + std::to_string(open.where.line) + ", column " +
                  std::to_string(open.where.column));
        return;
      }
      const Token token = lexer_.next();
      if (token.is('{')) ++depth;
      if (token.is('}') && --depth == 0) return;
    }
  }

  static constexpr const char* kPortsHint = "ports are written [0], [0, 2], [0-3] or []";
  static constexpr const char* kCompoundHint = "write the elements without the braces";

  Lexer lexer_;
  Diagnostics& diagnostics_;
  Tree tree_;
  const char* last_error_ = nullptr;  // the token of the last message
};

}  // namespace

Tree parse(uint32_t file, Diagnostics& diagnostics) { return Parser(file, diagnostics).parse(); }

}  // namespace headroom::click
