#include "headroom/click/parser.hh"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "headroom/click/token_reader.hh"

namespace headroom::click {
namespace {

class Parser : private TokenReader {
 public:
  Parser(uint32_t file, Diagnostics& diagnostics) : TokenReader(file, diagnostics) {}

  Tree parse() {
    Tree tree;
    parse_statements(tree.statements);
    return tree;
  }

 private:
  // --- statements ---

  // Up to the end of the file, or of the compound element or group that is open.
  void parse_statements(std::vector<Statement>& statements) {
    statements_ = &statements;
    while (!lexer_.peek().is(TokenKind::end) && !at_closer()) {
      parse_statement();
      statements_ = &statements;  // what was nested in there had its own
    }
  }

  // A bracket that ends what is open. Inside a group also the end of a compound element around it:
  // somebody forgot a parenthesis.
  bool at_closer() {
    const Token& token = lexer_.peek();
    if (token.is(')')) return groups_ > 0;
    return compounds_ > 0 && (token.is('}') || token.is(TokenKind::double_bar));
  }

  void parse_statement() {
    const Token& token = lexer_.peek();
    switch (token.kind) {
      case TokenKind::identifier:
        return parse_chain(false);
      case TokenKind::elementclass:
        return parse_elementclass();
      case TokenKind::require:
        return parse_configured<RequireNode>("write: require(package NAME)");
      case TokenKind::define:
        return parse_configured<DefineNode>("write: define($NAME VALUE)");
      case TokenKind::provide:
        syntax_error(token);
        return skip_keyword_and_config();
      case TokenKind::arrow:
      case TokenKind::fat_arrow:
        if (inside()) return parse_chain(false);
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
      if (at_closer()) return;
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

  // To the end of the statement, if that is in this line.
  void skip_line() {
    const SourceLocation where = lexer_.peek().where;
    while (!lexer_.peek().is(TokenKind::end) && lexer_.peek().where.line == where.line &&
           lexer_.peek().where.file == where.file && !lexer_.peek().is(';') && !at_closer()) {
      // Behind a name it may be a configuration string.
      if (lexer_.next().is(TokenKind::identifier)) skip_config();
    }
  }

  void skip_keyword_and_config() {
    lexer_.next();
    skip_config();
  }
  void skip_config() {
    if (lexer_.peek().is('(')) parse_config();
  }

  template <class Node>
  void parse_configured(const char* hint) {
    Node node;
    node.where = lexer_.next().where;
    if (!lexer_.peek().is('(')) {
      error(lexer_.peek(), "expected '('", hint);
      return skip_line();
    }
    node.config = parse_config();
    statements_->emplace_back(std::move(node));
  }

  void parse_elementclass() {
    lexer_.next();
    ClassNode node;
    if (!lexer_.peek().is(TokenKind::identifier)) {
      error(lexer_.peek(), "expected element type name");
    } else {
      const Token name = lexer_.next();
      node.name = name.text;
      node.where = name.where;
    }
    std::vector<Statement>& statements = *statements_;
    if (lexer_.peek().is('{')) {
      node.body = parse_body();
      if (!node.body) node.name = {};
    } else if (lexer_.peek().is(TokenKind::identifier)) {
      const Token synonym = lexer_.next();
      node.synonym_of = synonym.text;
      node.synonym_where = synonym.where;
    } else {
      syntax_error(lexer_.peek());
      return;
    }
    if (!node.name.empty()) statements.emplace_back(std::move(node));
  }

  // --- compound elements and groups ---

  // Null, after a message, when they are nested too deeply or not closed.
  std::unique_ptr<BodyNode> parse_body() {
    if (compounds_ == kMaxNesting) {
      error(lexer_.peek(), "maximum compound element nesting depth exceeded");
      skip_brackets();
      return nullptr;
    }
    const Nest nest(compounds_);
    const Token open = lexer_.next();
    auto body = std::make_unique<BodyNode>();
    body->where = open.where;
    for (;;) {
      if (lexer_.peek().is(TokenKind::ellipsis)) {
        const Token dots = lexer_.next();
        if (body->alternatives.empty() || !lexer_.peek().is('}')) {
          error(dots, "'...' should occur last, after one or more compounds");
        }
        body->extends = true;
      } else {
        CompoundNode& compound = body->alternatives.emplace_back();
        compound.where = body->alternatives.size() == 1 ? open.where : lexer_.peek().where;
        parse_formals(compound.formals);
        parse_statements(compound.statements);
      }
      if (!lexer_.peek().is(TokenKind::double_bar)) break;
      lexer_.next();
    }
    // What was not meant to be in it would only cause more messages.
    if (!close('}', open)) return nullptr;
    return body;
  }

  void parse_formals(std::vector<FormalNode>& formals) {
    if (lexer_.peek().is('|')) {
      lexer_.next();
      return;
    }
    for (;;) {
      FormalNode formal;
      formal.where = lexer_.peek().where;
      if (lexer_.peek().is(TokenKind::identifier)) {
        // Without a variable behind it, it begins a statement.
        if (formals.empty() && !lexer_.peek(1).is(TokenKind::variable)) return;
        formal.keyword = lexer_.next().text;
      } else if (formals.empty() && !lexer_.peek().is(TokenKind::variable)) {
        return;
      }
      if (!lexer_.peek().is(TokenKind::variable) || lexer_.peek().text.size() == 1) {
        error(lexer_.peek(), "expected variable", kFormalsHint);
        return skip_formals();
      }
      formal.variable = lexer_.next().text.substr(1);
      formals.push_back(formal);
      if (lexer_.peek().is('|')) {
        lexer_.next();
        return;
      }
      if (!lexer_.peek().is(',')) {
        error(lexer_.peek(), "expected ',' or '|'", kFormalsHint);
        return skip_formals();
      }
      lexer_.next();
    }
  }

  // Behind a mistake among the formals, to the bar that ends them if it is in the same line.
  void skip_formals() {
    const uint32_t line = lexer_.peek().where.line;
    while (lexer_.peek().where.line == line && (lexer_.peek().is(TokenKind::variable) ||
                                                lexer_.peek().is(',') || lexer_.peek().is('|'))) {
      if (lexer_.next().is('|')) return;
    }
  }

  std::unique_ptr<GroupNode> parse_group() {
    if (groups_ == kMaxNesting) {
      error(lexer_.peek(), "maximum element group nesting depth exceeded");
      skip_brackets();
      return nullptr;
    }
    const Nest nest(groups_);
    const Token open = lexer_.next();
    auto group = std::make_unique<GroupNode>();
    group->where = open.where;
    parse_statements(group->statements);
    if (!close(')', open)) return nullptr;
    return group;
  }

  bool close(char bracket, const Token& open) {
    if (lexer_.peek().is(bracket)) {
      lexer_.next();
      return true;
    }
    report_unclosed(open, bracket);
    return false;
  }

  // --- chains ---

  bool inside() const { return compounds_ + groups_ > 0; }

  void parse_chain(bool skipped) {
    std::vector<Statement>& statements = *statements_;
    ChainNode chain;
    chain.skipped = skipped;
    chain.broken = skipped;
    chain.where = lexer_.peek().where;
    bool missing = skipped;  // an element was, so that no second one need be reported
    if (skipped) {
      while (lexer_.peek().is_arrow()) lexer_.next();
      if (!may_begin_element(lexer_.peek())) return;
    }
    for (;;) {
      chain.sides.emplace_back();
      for (;;) {
        // Only a whole side can be left out, not a part of a list.
        const bool may_be_empty = chain.sides.back().empty() && !missing;
        if (!parse_element(chain, missing, may_be_empty)) missing = true;
        if (!lexer_.peek().is(',') || (chain.sides.back().empty() && missing)) break;
        lexer_.next();
      }
      if (!lexer_.peek().is_arrow()) break;
      const Token arrow = lexer_.next();
      chain.arrows.push_back({arrow.is(TokenKind::fat_arrow), arrow.where});
    }
    settle_implicit(chain);
    statements.emplace_back(std::move(chain));
  }

  static bool may_begin_element(const Token& token) {
    return token.is(TokenKind::identifier) || token.is('[') || token.is('{') || token.is('(');
  }

  // What may follow the last arrow in a compound element or group.
  bool ends_chain() {
    const Token& token = lexer_.peek();
    return token.is(';') || at_closer() || token.is(TokenKind::end) ||
           token.is(TokenKind::elementclass) || token.is(TokenKind::define) ||
           token.is(TokenKind::require);
  }

  // Ports without an element are those of `input` at the start of a chain, and of `output` at its
  // end.
  void settle_implicit(ChainNode& chain) {
    for (std::size_t i = 0; i < chain.sides.size(); ++i) {
      for (ElementNode& element : chain.sides[i]) {
        if (element.kind != ElementNode::Kind::inner_output) continue;
        const bool at_start = i == 0;
        if (at_start && chain.arrows.empty()) {
          diagnostics_.error(element.where, "stranded port ignored");
          chain.broken = chain.skipped = true;
        } else if (at_start) {
          element.kind = ElementNode::Kind::inner_input;
          std::swap(element.inputs, element.outputs);
        } else if (i + 1 < chain.sides.size()) {
          diagnostics_.error(element.where, "implicit ports used in the middle of a chain");
          chain.broken = true;
        }
      }
    }
  }

  // Returns false when there was none.
  bool parse_element(ChainNode& chain, bool missing, bool may_be_empty) {
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
      parse_element_config(element);
    } else if (first.is('{')) {
      element.kind = ElementNode::Kind::compound;
      element.class_where = first.where;
      element.body = parse_body();
      if (!element.body) chain.broken = true;
      parse_element_config(element);
    } else if (first.is('(')) {
      element.kind = ElementNode::Kind::group;
      element.group = parse_group();
      if (!element.group) chain.broken = true;
    } else if (inside() &&
               (element.inputs.given || (may_be_empty && (first.is_arrow() || ends_chain())))) {
      element.kind = ElementNode::Kind::inner_output;
      if (element.inputs.given) element.where = element.inputs.where;
      chain.sides.back().push_back(std::move(element));
      return true;
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
    const bool useful = !element.name.empty() || element.body || element.group;
    if (useful) chain.sides.back().push_back(std::move(element));
    return true;
  }

  void parse_element_config(ElementNode& element) {
    if (!lexer_.peek().is('(')) return;
    ConfigNode config = parse_config();
    // After a group in the place of a class, a configuration string has nothing to belong to.
    const bool classless = element.declares && element.class_name.empty() && !element.body;
    if (!classless) element.config = std::move(config);
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
      element.body = parse_body();
      return element.body != nullptr;
    }
    error(token, "missing element type in declaration",
          token.is('(') ? "a group has no name; it can only stand in a connection" : "");
    return false;
  }

  // --- brackets ---

  // Skips to the bracket that matches the next one, a brace or the parenthesis of a group.
  void skip_brackets() {
    std::size_t depth = 0;
    Token last = lexer_.peek();
    while (!lexer_.peek().is(TokenKind::end)) {
      // Behind a name it is a configuration string, in which brackets mean nothing.
      if (lexer_.peek().is('(') && last.is(TokenKind::identifier)) {
        last = lexer_.peek();
        parse_config();
        continue;
      }
      last = lexer_.next();
      if (last.is('{') || last.is('(')) ++depth;
      if ((last.is('}') || last.is(')')) && --depth == 0) return;
    }
  }

  // Counts a level of nesting while it lives.
  class Nest {
   public:
    explicit Nest(int& depth) : depth_(depth) { ++depth_; }
    ~Nest() { --depth_; }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;

   private:
    int& depth_;
  };

  static constexpr const char* kFormalsHint = "formals are written: $a, KEYWORD $b, __REST__ $c |";

  std::vector<Statement>* statements_ = nullptr;  // where the next one goes
  int compounds_ = 0;                             // that are open
  int groups_ = 0;
};

}  // namespace

Tree parse(uint32_t file, Diagnostics& diagnostics) { return Parser(file, diagnostics).parse(); }

}  // namespace headroom::click
