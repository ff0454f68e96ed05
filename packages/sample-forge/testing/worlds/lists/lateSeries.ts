import { packAs } from './packAs.ts';
import type { CommitPlan, SeriesPlan } from './seriesPlan.ts';

const foldHeader = `#ifndef FOLD_TREE_H
#define FOLD_TREE_H

#include <stddef.h>

struct fold {
	size_t first;
	size_t last;
	int closed;
	struct fold *inner;
	struct fold *next;
};

struct fold *fold_find(struct fold *folds, size_t row);

#endif
`;

const foldSource = `#include "fold_tree.h"

/* The innermost fold that holds the row. */
struct fold *
fold_find(struct fold *folds, size_t row)
{
	for (struct fold *fold = folds; fold != NULL; fold = fold->next) {
		if (row < fold->first || row > fold->last)
			continue;
		struct fold *inner = fold_find(fold->inner, row);
		return inner != NULL ? inner : fold;
	}
	return NULL;
}
`;

const foldToggle = `
int
fold_toggle(struct fold *folds, size_t row)
{
	struct fold *fold = fold_find(folds, row);
	if (fold == NULL)
		return -1;
	fold->closed = !fold->closed;
	return 0;
}
`;

const foldText =
	'Folds were kept in a flat array, which is why they could not be nested deeper\nthan eight. This keeps them in a tree and throws the limit away.';

const foldCommits: readonly CommitPlan[] = [
	{ subject: 'fold: a tree of folds', text: 'Not used yet.', changes: [['add', 'src/fold_tree.h', foldHeader]] },
	{
		subject: 'fold: find the innermost fold',
		text: 'Recursive, but folds are not nested deeper than the code they fold.',
		changes: [['add', 'src/fold_tree.c', foldSource]],
	},
	{
		subject: 'fold: open and close through the tree',
		text: '',
		changes: [
			['edit', 'src/fold_tree.c', '	return NULL;\n}\n', `	return NULL;\n}\n${foldToggle}`],
			['edit', 'src/fold_tree.h', 'size_t row);\n', 'size_t row);\nint fold_toggle(struct fold *folds, size_t row);\n'],
		],
	},
];

const foldFirst: SeriesPlan = {
	key: 'fold-tree-v1',
	list: 'lantern-devel',
	author: 'bob',
	day: 966,
	tag: 'PATCH lantern',
	cover: { subject: 'fold: nest as deep as you like', text: `${foldText}\n\nCloses: ~alice/lantern#121` },
	commits: foldCommits,
	moves: [['superseded', 24 * 8 + 1]],
	talk: [
		{
			who: 'alice',
			hours: 5,
			to: 2,
			says: [
				{ q: 'if (row < fold->first' },
				'Folds are sorted, are they not? Then the loop may stop as soon as\n`row < fold->first`.',
				{ q: 'return inner != NULL' },
				'Nice.',
			],
		},
		{ who: 'bob', hours: 2, to: 'last', says: ['> Folds are sorted, are they not?\n\nNow that you say it.'] },
		{
			who: 'dave',
			hours: 11,
			to: 3,
			says: [
				{ q: 'fold->closed = !fold->closed' },
				'Please mark the buffer for redraw here, otherwise nothing is seen until the\nnext key.',
			],
		},
	],
};

const foldSecond: SeriesPlan = {
	...foldFirst,
	key: 'fold-tree-v2',
	day: 974,
	version: 2,
	cover: {
		subject: 'fold: nest as deep as you like',
		text: `${foldText}\n\nChanges since v1:\n - stop early, folds are sorted\n - a test\n\nCloses: ~alice/lantern#121`,
	},
	commits: [
		...foldCommits.slice(0, 1),
		{
			subject: 'fold: find the innermost fold',
			text: 'Recursive, but folds are not nested deeper than the code they fold.',
			changes: [
				[
					'add',
					'src/fold_tree.c',
					foldSource.replace(
						'		if (row < fold->first || row > fold->last)\n',
						'		if (row < fold->first)\n			break;\n		if (row > fold->last)\n',
					),
				],
			],
		},
		...foldCommits.slice(2),
		{
			subject: 'test: folds in folds',
			text: 'Sixty-four levels, which should be enough for anybody.',
			changes: [
				['add', 'test/folds.t', '#!/bin/sh\necho 1..1\n./lantern --self-test folds 64 && echo ok 1\n'],
				['mode', 'test/folds.t', '100755'],
			],
		},
	],
	moves: [],
	talk: [
		{
			who: 'alice',
			hours: 7,
			to: 2,
			says: [{ q: 'break;' }, 'Exactly.\n\nReviewed-by: Alice Öberg <alice@forge.test>'],
		},
		{
			who: 'dave',
			hours: 9,
			to: 3,
			says: [{ q: 'fold->closed = !fold->closed' }, 'The redraw is still missing, or did I overlook it?'],
		},
		{
			who: 'carol',
			hours: 13,
			to: 4,
			says: [
				{ q: '--self-test folds 64' },
				'Tested here with a file of 70 levels that I wrote for the occasion.\n\nTested-by: Carol Nakamura <carol@forge.test>\nReviewed-by: Carol Nakamura <carol@forge.test>',
			],
		},
		{
			who: 'joerg',
			hours: 20,
			to: 0,
			says: ['Läuft auch hier. Danke!\n\nTested-by: Jörg Weiß <j.weiss@beispiel.example>'],
		},
	],
};

const signed: SeriesPlan = {
	key: 'fuzz-target',
	list: 'lantern-devel',
	author: 'dave',
	day: 981,
	tag: 'PATCH lantern',
	pack: packAs.signed,
	commits: [
		{
			subject: 'build: a target for fuzzing',
			text: 'make fuzz, go for lunch, come back to a list of shame.',
			changes: [
				[
					'edit',
					'Makefile',
					'	${CC} -o $@ $^ ${LDLIBS}\n',
					'	${CC} -o $@ $^ ${LDLIBS}\n\nfuzz: test/fuzz.c\n	${CC} -fsanitize=fuzzer -o $@ $^\n',
				],
				[
					'add',
					'test/fuzz.c',
					'#include <stddef.h>\n#include <stdint.h>\n\nint\nLLVMFuzzerTestOneInput(const uint8_t *data, size_t size)\n{\n	return data[size / 2] == 0xff;\n}\n',
				],
			],
		},
	],
	talk: [
		{
			who: 'alice',
			hours: 4,
			to: 1,
			says: [{ q: 'data[size / 2]' }, 'A fuzz target that crashes on no input at all, that is almost poetry.'],
		},
	],
};

/** The newest series. */
export const lateSeries: readonly SeriesPlan[] = [foldFirst, foldSecond, signed];
