import type { CommitPlan, SeriesPlan } from './seriesPlan.ts';

const sandboxHeader = `#ifndef SANDBOX_H
#define SANDBOX_H

struct sandbox;

struct sandbox *sandbox_open(const char *plugin);
int sandbox_run(struct sandbox *box, const char *code, unsigned limit_ms);
void sandbox_close(struct sandbox *box);

#endif
`;

const sandboxSource = `#include <stdlib.h>
#include <string.h>

#include "sandbox.h"

struct sandbox {
	char *plugin;
	unsigned used_ms;
};

struct sandbox *
sandbox_open(const char *plugin)
{
	struct sandbox *box = calloc(1, sizeof *box);
	if (box != NULL)
		box->plugin = strdup(plugin);
	return box;
}

void
sandbox_close(struct sandbox *box)
{
	free(box->plugin);
	free(box);
}
`;

const sandboxCommits: readonly CommitPlan[] = [
	{
		subject: 'plugins: an interface for a sandbox',
		text: 'Only the shape of it, so that we can talk about something.',
		changes: [['add', 'src/sandbox.h', sandboxHeader]],
	},
	{
		subject: 'plugins: open and close a sandbox',
		text: '',
		changes: [['add', 'src/sandbox.c', sandboxSource]],
	},
	{
		subject: 'plugins: run code with a limit',
		text: 'The limit is wall time. Processor time would be fairer but needs a thread.',
		changes: [
			[
				'edit',
				'src/sandbox.c',
				'void\nsandbox_close',
				'int\nsandbox_run(struct sandbox *box, const char *code, unsigned limit_ms)\n{\n	if (box->used_ms >= limit_ms)\n		return -1;\n	box->used_ms += strlen(code) / 64 + 1;\n	return 0;\n}\n\nvoid\nsandbox_close',
			],
		],
	},
	{
		subject: 'build: link the sandbox',
		text: '',
		changes: [['edit', 'Makefile', '${LDLIBS}\n', '${LDLIBS} -lseccomp\n']],
	},
];

/** A request for comments with a long discussion. */
export const sandbox: SeriesPlan = {
	key: 'sandbox-rfc',
	list: 'lantern-devel',
	author: 'bob',
	day: 470,
	tag: 'RFC PATCH lantern',
	cover: {
		subject: 'plugins: a sandbox',
		text: 'Plugins can do everything today: read your keys, call home, eat your lunch.\nThis is a sketch of how it could be otherwise. It compiles. It does not do\nmuch more than that.\n\nQuestions:\n\n - wall time or processor time?\n - one sandbox per plugin or one for all?\n - what about plugins that need the network?\n\nReferences: ~alice/lantern#88',
	},
	commits: sandboxCommits,
	moves: [['needs_revision', 24 * 5]],
	talk: [
		{
			who: 'alice',
			hours: 4,
			to: 0,
			says: ['Thank you for starting this! One per plugin, please. Otherwise one bad plugin\npunishes the others.'],
		},
		{ who: 'dave', hours: 3, to: 'last', says: ['Agreed. And the network only after asking, once per plugin.'] },
		{
			who: 'carol',
			hours: 8,
			to: 'last',
			says: ['Who asks whom? A dialogue that pops up while I type is the worst of all worlds.'],
		},
		{ who: 'bob', hours: 2, to: 'last', says: ['In the status line, with a key to answer. It may wait for ever.'] },
		{
			who: 'grace',
			hours: 5,
			to: 'last',
			says: ['That needs to be announced to screen readers then. The status line alone is\nsilent.'],
		},
		{ who: 'bob', hours: 20, to: 'last', says: ['Noted for the next round.'] },
		{
			who: 'alice',
			hours: 6,
			to: 1,
			says: [
				{ q: 'sandbox_run(struct sandbox' },
				'Why not let the sandbox keep its limit? Then nobody can pass the wrong one.',
				{ q: 'sandbox_close' },
				'Should closing NULL be fine, like free()?',
			],
		},
		{ who: 'bob', hours: 2, to: 'last', says: ['Yes and yes.'] },
		{ who: 'dave', hours: 9, to: 3, says: [{ q: 'strlen(code) / 64' }, 'I take it that this line is a joke?'] },
		{ who: 'bob', hours: 1, to: 'last', says: ['A placeholder. But I am happy that somebody reads the patches.'] },
		{
			who: 'frank',
			hours: 14,
			to: 4,
			says: [{ q: '-lseccomp' }, 'Not on the BSDs. There it is pledge(), capsicum or nothing.'],
		},
		{
			who: 'riyer',
			hours: 14,
			to: 'last',
			says: ['And nothing on the machine of my school. Please keep it optional.'],
		},
	],
};
