#include "../element_test.hh"

namespace headroom::test {
namespace {

const std::string kContext = "config:1: While configuring 'm :: Message':\n";

TEST(Message, ShowsItsText) {
  EXPECT_EQ(errors_of("m :: Message(\"Hello, world\");"), kContext + "  Hello, world\n");
  EXPECT_EQ(errors_of("m :: Message(careful, WARNING);"), kContext + "  warning: careful\n");
}

TEST(Message, OnlyAnErrorKeepsTheRouterFromStarting) {
  for (const char* type : {"MESSAGE", "WARNING"}) {
    TestRouter test("Message(text, " + std::string(type) +
                    "); in :: TestSource -> out :: TestSink;");
    EXPECT_NE(test.router, nullptr);
  }
  EXPECT_EQ(errors_of("m :: Message(no good, ERROR); Idle -> Idle;"),
            kContext + "  MESSAGE: parse error\n");
  EXPECT_EQ(errors_of("m :: Message(\"no good\", TYPE ERROR);"), kContext + "  no good\n");
}

TEST(Message, BadConfigurations) {
  EXPECT_EQ(errors_of("m :: Message;"), kContext + "  MESSAGE: required argument missing\n");
  EXPECT_EQ(errors_of("m :: Message(a, LOUD);"),
            kContext + "  TYPE: should be MESSAGE, WARNING or ERROR\n");
}

// Configurations written for others load, and packets pass.
TEST(WithoutEffect, LoadsAndPasses) {
  for (const char* element :
       {"EnsureDPDKBuffer", "EnsureDPDKBuffer(128)", "EnsureDPDKBuffer(FORCE true)", "Align(4, 2)"})
    expect_passes(element, numbered(60), numbered(60));
  for (const char* info :
       {"DPDKInfo", "DPDKInfo(65536)", "DPDKInfo(NB_SOCKET_MBUF 1024, MBUF_SIZE 4096)"})
    EXPECT_EQ(errors_of("i :: " + std::string(info) + "; Idle -> Idle;"), "");
}

}  // namespace
}  // namespace headroom::test
