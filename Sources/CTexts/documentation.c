#include "CTexts.h"

#include <string.h>

#ifdef __clang__
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

/* The pages of the documentation that are not made from the program's own tables, and then the components:
   a path, and the text. `DocumentationTests` looks that none is missing here. */
static const char pages[] = {
#embed "../../docs/tutorial.md" suffix(,)
    0,
#embed "../../docs/jobs/mock-a-stream.md" suffix(,)
    0,
#embed "../../docs/jobs/does-my-agent-act-twice.md" suffix(,)
    0,
#embed "../../docs/jobs/chat-ui-after-a-reconnect.md" suffix(,)
    0,
#embed "../../docs/jobs/back-off-of-a-client.md" suffix(,)
    0,
#embed "../../docs/jobs/mcp-or-a2a-author.md" suffix(,)
    0,
#embed "../../docs/tasks/websocket-clients.md" suffix(,)
    0,
#embed "../../docs/tasks/receiving-webhooks.md" suffix(,)
    0,
#embed "../../docs/tasks/app-state.md" suffix(,)
    0,
#embed "../../docs/tasks/uploads-and-caching.md" suffix(,)
    0,
#embed "../../docs/tasks/staging.md" suffix(,)
    0,
#embed "../../docs/language.md" suffix(,)
    0,
#embed "../../docs/language/stage.md" suffix(,)
    0,
#embed "../../docs/language/script.md" suffix(,)
    0,
#embed "../../docs/language/expectations.md" suffix(,)
    0,
#embed "../../docs/language/worlds.md" suffix(,)
    0,
#embed "../../docs/glossary.md" suffix(,)
    0,
#embed "../../docs/guides/testing-a-client.md" suffix(,)
    0,
#embed "../../docs/guides/programs-in-virtual-time.md" suffix(,)
    0,
#embed "../../docs/guides/testing-a-server.md" suffix(,)
    0,
#embed "../../docs/guides/test-runners.md" suffix(,)
    0,
#embed "../../docs/guides/mock-with-login.md" suffix(,)
    0,
#embed "../../docs/guides/streams.md" suffix(,)
    0,
#embed "../../docs/guides/reconnection.md" suffix(,)
    0,
#embed "../../docs/sweep.md" suffix(,)
    0,
#embed "../../docs/guides/data-tables.md" suffix(,)
    0,
#embed "../../docs/guides/keeping-secrets.md" suffix(,)
    0,
#embed "../../docs/guides/debugging.md" suffix(,)
    0,
#embed "../../docs/guides/judging-logs.md" suffix(,)
    0,
#embed "../../docs/authoring.md" suffix(,)
    0,
#embed "../../docs/suites.md" suffix(,)
    0,
#embed "../../docs/ci.md" suffix(,)
    0,
#embed "../../docs/traces.md" suffix(,)
    0,
#embed "../../docs/programs.md" suffix(,)
    0,
#embed "../../docs/serving.md" suffix(,)
    0,
#embed "../../docs/swift.md" suffix(,)
    0,
#embed "../../docs/performance.md" suffix(,)
    0,
#embed "../../docs/installing.md" suffix(,)
    0,
#embed "../../docs/upgrading.md" suffix(,)
    0,
#embed "../../docs/coming-from/hurl.md" suffix(,)
    0,
#embed "../../docs/coming-from/karate.md" suffix(,)
    0,
#embed "../../docs/coming-from/wiremock.md" suffix(,)
    0,
#embed "../../docs/coming-from/playwright.md" suffix(,)
    0,
#embed "../../docs/coming-from/rxjs-marbles.md" suffix(,)
    0,
#embed "../../docs/reports.md" suffix(,)
    0,
#embed "../../docs/secrets.md" suffix(,)
    0,
#embed "../../docs/stability.md" suffix(,)
    0,
#embed "../../docs/reference/messages.md" suffix(,)
    0,
#embed "../../components/openai.component.yaml" suffix(,)
    0,
#embed "../../components/anthropic.component.yaml" suffix(,)
    0,
#embed "../../components/mcp.component.yaml" suffix(,)
    0,
#embed "../../components/mcp-client.component.yaml" suffix(,)
    0,
#embed "../../components/oauth.component.yaml" suffix(,)
    0,
#embed "../../components/kubernetes-watch.component.yaml" suffix(,)
    0,
#embed "../../components/webhooks.component.yaml" suffix(,)
    0,
#embed "../../components/graphql-transport-ws.component.yaml" suffix(,)
    0,
#embed "../../components/ag-ui.component.yaml" suffix(,)
    0,
#embed "../../components/a2a.component.yaml" suffix(,)
    0,
#embed "../../components/socketio.component.yaml" suffix(,)
    0,
};

static const char *const paths[] = {
    "tutorial.md",
    "jobs/mock-a-stream.md",
    "jobs/does-my-agent-act-twice.md",
    "jobs/chat-ui-after-a-reconnect.md",
    "jobs/back-off-of-a-client.md",
    "jobs/mcp-or-a2a-author.md",
    "tasks/websocket-clients.md",
    "tasks/receiving-webhooks.md",
    "tasks/app-state.md",
    "tasks/uploads-and-caching.md",
    "tasks/staging.md",
    "language.md",
    "language/stage.md",
    "language/script.md",
    "language/expectations.md",
    "language/worlds.md",
    "glossary.md",
    "guides/testing-a-client.md",
    "guides/programs-in-virtual-time.md",
    "guides/testing-a-server.md",
    "guides/test-runners.md",
    "guides/mock-with-login.md",
    "guides/streams.md",
    "guides/reconnection.md",
    "sweep.md",
    "guides/data-tables.md",
    "guides/keeping-secrets.md",
    "guides/debugging.md",
    "guides/judging-logs.md",
    "authoring.md",
    "suites.md",
    "ci.md",
    "traces.md",
    "programs.md",
    "serving.md",
    "swift.md",
    "performance.md",
    "installing.md",
    "upgrading.md",
    "coming-from/hurl.md",
    "coming-from/karate.md",
    "coming-from/wiremock.md",
    "coming-from/playwright.md",
    "coming-from/rxjs-marbles.md",
    "reports.md",
    "secrets.md",
    "stability.md",
    "reference/messages.md",
    "std/openai",
    "std/anthropic",
    "std/mcp",
    "std/mcp-client",
    "std/oauth",
    "std/kubernetes-watch",
    "std/webhooks",
    "std/graphql-transport-ws",
    "std/ag-ui",
    "std/a2a",
    "std/socketio",
};

const char *ctexts_documentation(const char *path) {
  const char *page = pages;
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    if (strcmp(paths[i], path) == 0) return page;
    page += strlen(page) + 1;
  }
  return NULL;
}

const char *ctexts_documentation_path(size_t number) {
  return number < sizeof paths / sizeof *paths ? paths[number] : NULL;
}
