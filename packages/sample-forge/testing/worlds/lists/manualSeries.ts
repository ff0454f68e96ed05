import { packAs } from './packAs.ts';
import type { SeriesPlan } from './seriesPlan.ts';

const manualText =
	'One voice for the manual: short sentences, present tense, no "simply".\n\nThe chapters were written by five people in two years and read like it.';

const manualCommits: SeriesPlan['commits'] = [
	{
		subject: 'manual: short sentences in the key tables',
		text: '',
		changes: [
			['edit', 'doc/keys.md', 'takes the last change back', 'undoes the last change'],
			['edit', 'doc/keys.md', 'removes the letter under the cursor', 'deletes a letter'],
		],
	},
	{
		subject: 'manual: explain splits',
		text: 'People ask about this on the users list every other week.',
		changes: [
			[
				'edit',
				'doc/keys.md',
				'Splits share the undo history of their file.',
				'Press `s` to split the window. Both halves show the same file until you open\nanother one – “same file” means: same text, same undo history, two cursors.',
			],
		],
	},
	{
		subject: 'manual: name the terminals that send Alt well',
		text: '',
		changes: [
			[
				'edit',
				'doc/keys.md',
				'Alt is sent as Escape by most terminals.',
				'Many terminals send Alt as Escape. foot, kitty and WezTerm can be told not to.',
			],
		],
	},
];

const manualFirst: SeriesPlan = {
	key: 'manual-v1',
	list: 'lantern-devel',
	author: 'carol',
	day: 120,
	tag: 'PATCH lantern',
	cover: { subject: 'manual: one voice', text: manualText },
	commits: manualCommits.slice(0, 2),
	pack: packAs.quotedPrintable,
	moves: [['superseded', 24 * 9 + 1]],
	talk: [
		{
			who: 'bob',
			hours: 6,
			to: 0,
			says: ['I like the direction. A third patch about terminals would be welcome while you\nare at it.'],
		},
		{
			who: 'alice',
			hours: 15,
			to: 2,
			says: [
				{ q: 'Both halves show' },
				'The quotation marks around “same file” are lovely but the help viewer cannot\nshow them on the Linux console.',
				{ q: 'same undo history' },
				'True since last week only! Maybe mention the version.',
			],
		},
		{ who: 'carol', hours: 5, to: 'last', says: ['Then the console should learn it. But fine, I will look.'] },
	],
};

const manualSecond: SeriesPlan = {
	...manualFirst,
	key: 'manual-v2',
	day: 129,
	version: 2,
	cover: { subject: 'manual: one voice', text: `${manualText}\n\nChanges since v1: a patch about terminals.` },
	commits: manualCommits,
	pack: packAs.base64,
	moves: [['superseded', 24 * 6 + 1]],
	talk: [
		{
			who: 'grace',
			hours: 11,
			to: 3,
			says: [{ q: 'foot, kitty and WezTerm' }, 'Please link to the page that says how. A name alone does not help.'],
		},
	],
};

const manualThird: SeriesPlan = {
	...manualSecond,
	key: 'manual-v3',
	day: 135,
	version: 3,
	cover: { subject: 'manual: one voice', text: `${manualText}\n\nChanges since v2: the terminals are linked.` },
	commits: [
		...manualCommits.slice(0, 2),
		{
			subject: 'manual: name the terminals that send Alt well',
			text: '',
			changes: [
				[
					'edit',
					'doc/keys.md',
					'Alt is sent as Escape by most terminals.',
					'Many terminals send Alt as Escape. See <https://lantern.example/alt> for those that\ncan be told not to.',
				],
			],
		},
	],
	pack: packAs.quotedPrintable,
	moves: [['applied', 60]],
	talk: [
		{ who: 'grace', hours: 3, to: 3, says: ['Reviewed-by: Grace Lindqvist <grace@forge.test>'] },
		{
			who: 'alice',
			hours: 48,
			to: 0,
			says: [
				'Applied all three. What a difference!\n\nTo git@git.forge.test:~alice/lantern\n   b0c44e1..51d7f3a  master -> master',
			],
		},
	],
};

/** Three versions of one series, each sent as a thread of its own. */
export const manualSeries: readonly SeriesPlan[] = [manualFirst, manualSecond, manualThird];
