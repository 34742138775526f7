#include "CTexts.h"

#include <string.h>

#ifdef __clang__
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

/* `TextsTests` looks that no file is missing here. */
static const char diagnostics[] = {
#embed "diagnostics/command/commands.md" suffix(,)
#embed "diagnostics/command/docs.md" suffix(,)
#embed "diagnostics/command/import.md" suffix(,)
#embed "diagnostics/command/judge.md" suffix(,)
#embed "diagnostics/command/merge.md" suffix(,)
#embed "diagnostics/command/time.md" suffix(,)
#embed "diagnostics/command/usage.md" suffix(,)
#embed "diagnostics/yaml/yaml.md" suffix(,)
#embed "diagnostics/document/connections.md" suffix(,)
#embed "diagnostics/document/data-sources.md" suffix(,)
#embed "diagnostics/document/keys.md" suffix(,)
#embed "diagnostics/document/names.md" suffix(,)
#embed "diagnostics/document/steps.md" suffix(,)
#embed "diagnostics/document/streams.md" suffix(,)
#embed "diagnostics/document/tables.md" suffix(,)
#embed "diagnostics/document/values.md" suffix(,)
#embed "diagnostics/expressions/form.md" suffix(,)
#embed "diagnostics/expressions/meaning.md" suffix(,)
#embed "diagnostics/meaning/assertions.md" suffix(,)
#embed "diagnostics/meaning/await.md" suffix(,)
#embed "diagnostics/meaning/changes.md" suffix(,)
#embed "diagnostics/meaning/data.md" suffix(,)
#embed "diagnostics/meaning/expressions.md" suffix(,)
#embed "diagnostics/meaning/names.md" suffix(,)
#embed "diagnostics/meaning/routes.md" suffix(,)
#embed "diagnostics/meaning/streams.md" suffix(,)
#embed "diagnostics/meaning/text.md" suffix(,)
#embed "diagnostics/meaning/writing.md" suffix(,)
#embed "diagnostics/files/components.md" suffix(,)
#embed "diagnostics/files/includes.md" suffix(,)
#embed "diagnostics/files/tables.md" suffix(,)
#embed "diagnostics/suites/configuration.md" suffix(,)
#embed "diagnostics/suites/snapshots.md" suffix(,)
#embed "diagnostics/suites/subjects.md" suffix(,)
#embed "diagnostics/suites/titles.md" suffix(,)
#embed "diagnostics/worlds/endpoints.md" suffix(,)
#embed "diagnostics/worlds/programs.md" suffix(,)
#embed "diagnostics/worlds/traces.md" suffix(,)
#embed "diagnostics/traces/noise.md" suffix(,)
#embed "diagnostics/traces/reading.md" suffix(,)
#embed "diagnostics/traces/recording.md" suffix(,)
#embed "diagnostics/traces/replaying.md" suffix(,)
#embed "diagnostics/traces/stray-lines.md" suffix(,)
#embed "diagnostics/failures/answers.md" suffix(,)
#embed "diagnostics/failures/assertions.md" suffix(,)
#embed "diagnostics/failures/drift.md" suffix(,)
#embed "diagnostics/failures/expect.md" suffix(,)
#embed "diagnostics/failures/invariants.md" suffix(,)
#embed "diagnostics/failures/problems.md" suffix(,)
#embed "diagnostics/failures/programs.md" suffix(,)
#embed "diagnostics/failures/snapshots.md" suffix(,)
#embed "diagnostics/failures/streams.md" suffix(,)
#embed "diagnostics/sweeps/sweeps.md" suffix(,)
#embed "diagnostics/rules/conversations.md" suffix(,)
#embed "diagnostics/rules/recordings.md" suffix(,)
0};

static const char page_script[] = {
#embed "page/foundation.js" suffix(,)
#embed "page/model.js" suffix(,)
#embed "page/overview.js" suffix(,)
#embed "page/canvas.js" suffix(,)
#embed "page/pointer.js" suffix(,)
#embed "page/panels.js" suffix(,)
#embed "page/values.js" suffix(,)
#embed "page/sweep.js" suffix(,)
#embed "page/scenario.js" suffix(,)
0};

static const char page_style[] = {
#embed "page/page.css" suffix(,)
#embed "page/timeline.css" suffix(,)
0};

static const char first_state[] = {
#embed "first/1-state.scenario.yaml" suffix(,)
0};

static const char first_mock[] = {
#embed "first/2-mock.scenario.yaml" suffix(,)
0};

static const char first_stream[] = {
#embed "first/3-stream.scenario.yaml" suffix(,)
0};

static const char first_failure[] = {
#embed "first/failure.yaml" suffix(,)
0};

static const char first_ci[] = {
#embed "first/ci.sh" suffix(,)
0};

static const struct { const char *name, *text; } first_files[] = {
    {"1-state.scenario.yaml", first_state},
    {"2-mock.scenario.yaml", first_mock},
    {"3-stream.scenario.yaml", first_stream},
    {"failure.yaml", first_failure},
    {"ci.sh", first_ci},
};

const char *ctexts_diagnostics(void) { return diagnostics; }

const char *ctexts_first_file(const char *name) {
  for (unsigned i = 0; i < sizeof first_files / sizeof *first_files; i++)
    if (strcmp(first_files[i].name, name) == 0) return first_files[i].text;
  return NULL;
}

const char *ctexts_page_script(void) { return page_script; }

const char *ctexts_page_style(void) { return page_style; }
