import type { BaseFile, FileMode } from './seriesPlan.ts';

const file = (content: string, mode: FileMode = '100644'): BaseFile => ({ mode, content: Buffer.from(content) });

const undoSource = `#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "undo.h"

struct step {
	size_t at;
	char *removed;
	char *added;
	struct step *older;
};

static struct step *newest;

static void
step_free(struct step *step)
{
	free(step->removed);
	free(step->added);
	free(step);
}

int
undo_push(struct buffer *buf, size_t at, const char *removed, const char *added)
{
	struct step *step = malloc(sizeof *step);
	step->at = at;
	step->removed = strdup(removed);
	step->added = strdup(added);
	step->older = newest;
	newest = step;
	buf->dirty = 1;
	return 0;
}

int
undo_once(struct buffer *buf)
{
	struct step *step = newest;
	if (step == NULL)
		return -1;
	buffer_replace(buf, step->at, strlen(step->added), step->removed);
	buf->cursor = 0;
	newest = step->older;
	step_free(step);
	return 0;
}
`;

const searchSource = `#include <regex.h>

#include "buffer.h"
#include "search.h"

static regex_t pattern;
static int ready;

int
search_set(const char *text, int ignore_case)
{
	int flags = REG_EXTENDED;
	if (ignore_case)
		flags |= REG_ICASE;
	if (ready)
		regfree(&pattern);
	ready = regcomp(&pattern, text, flags) == 0;
	return ready ? 0 : -1;
}

long
search_next(struct buffer *buf, size_t from)
{
	regmatch_t match;
	if (!ready)
		return -1;
	for (size_t row = from + 1; row < buf->rows; row++) {
		if (regexec(&pattern, buffer_row(buf, row), 1, &match, 0) == 0)
			return (long)row;
	}
	return -1;
}
`;

const statusSource = `#include <stdio.h>

#include "buffer.h"
#include "screen.h"
#include "status.h"

/* One line at the bottom: name, position, mode. */
void
status_draw(struct screen *screen, const struct buffer *buf)
{
	char line[256];
	snprintf(line, sizeof line, "%s %zu/%zu %s", buf->name, buf->row + 1, buf->rows, buf->mode);
	screen_move(screen, screen->height, 0);
	screen_style(screen, STYLE_REVERSE);
	screen_text(screen, line);
	screen_style(screen, STYLE_PLAIN);
}
`;

const keysManual = `# Key bindings

## Moving about

| key | what it does |
|---|---|
| \`h j k l\` | one step |
| \`w\` | next word |
| \`G\` | end of the file |

## Changing text

| key | what it does |
|---|---|
| \`x\` | removes the letter under the cursor |
| \`u\` | takes the last change back |
| \`.\` | once more |

## Splits

Splits share the undo history of their file.

## Remarks

Alt is sent as Escape by most terminals.
`;

const settingsScript = `-- Settings that Lantern starts with.
local settings = {}

settings.tabsize = 8
-- settings.wrap = "word"
--- deprecated, see wrap
settings.linebreak = true
settings.theme = "midnight"

return settings
`;

const germanMessages = `msgid ""
msgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"

msgid "File not found"
msgstr "Datei nicht gefunden"

msgid "Undo"
msgstr "Rueckgaengig"

msgid "Close"
msgstr "Schliessen"
`;

const scannerSource = `#include "scan.h"

/* Reads one token; the caller owns the text. */
int
scan_next(struct scan *scan, struct token *token)
{
	const char *start = scan->at;
	while (scan->at[0] == ' ' || scan->at[0] == '\\t')
		scan->at++;
	if (scan->at == scan->end)
		return 0;
	token->start = scan->at;
	while (scan->at[0] > ' ')
		scan->at++;
	token->length = (size_t)(scan->at - start);
	return 1;
}
`;

const shellGrammar = `# the shell
version 2

rule comment {
	begin "#"
	end   eol
}

rule here-document {
	begin "<<"
	end   word
}
`;

const readme = `# Lantern

A small text editor for the terminal — fast to start, kind to slow links.

![A lantern](share/icons/lantern.png)

## Building

\`\`\`sh
git clone --recurse-submodules …/~alice/lantern
cd lantern && ./configure && make
\`\`\`

The syntax library lives in [wick](lib/wick). Patches go to the list \`~alice/lantern-devel\`.

| part | where |
|---|---|
| editor | \`src\` |
| manual | [\`doc/manual\`](doc/manual) |
| themes | \`share/themes\` |
`;

/**
 * The editor's tree. Files touched by the newest patches match the repository `~alice/lantern`, so the patches apply to
 * its clone.
 */
export const lanternFiles: ReadonlyMap<string, BaseFile> = new Map([
	['Makefile', file('SRC != ls src/*.c\n\nlantern: ${SRC:.c=.o}\n\t${CC} -o $@ $^ ${LDLIBS}\n')],
	['README.md', file(readme)],
	['configure', file('#!/bin/sh\nset -eu\nprintf "CC = %s\\n" "${CC:-cc}" >config.mk\n', '100755')],
	['doc/keys.md', file(keysManual)],
	['po/de.po', file(germanMessages)],
	[
		'share/icons/lantern.svg',
		file('<svg xmlns="http://www.w3.org/2000/svg"><circle r="9" cx="9" cy="9" fill="#fc6"/></svg>\n'),
	],
	['share/settings.lua', file(settingsScript)],
	['src/search.c', file(searchSource)],
	['src/status.c', file(statusSource)],
	['src/undo.c', file(undoSource)],
	['test/fixtures/dos.txt', file('first line\r\nsecond line\r\nlast line\r\n')],
	['test/fixtures/page.html', file('<!doctype html><title>A page</title><script src="page.js"></script>\n')],
	['test/run.sh', file('#!/bin/sh\nexec prove -r t "$@"\n', '100755')],
]);

/** The tree of the syntax library. */
export const wickFiles: ReadonlyMap<string, BaseFile> = new Map([
	['grammars/sh.wick', file(shellGrammar)],
	['lib/scan.c', file(scannerSource)],
	['README.md', file('# wick\n\nReads syntax, one keystroke at a time.\n')],
]);
