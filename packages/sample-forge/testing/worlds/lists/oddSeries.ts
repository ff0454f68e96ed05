import { packAs } from './packAs.ts';
import type { SeriesPlan } from './seriesPlan.ts';

/** A small picture: one pixel wide, but as binary as any other. */
const lamp = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
	'base64',
);

const binary: SeriesPlan = {
	key: 'lamp-icon',
	list: 'lantern-devel',
	author: 'grace',
	day: 938,
	tag: 'PATCH lantern',
	commits: [
		{
			subject: 'icons: a lamp for the high contrast theme',
			text: 'The yellow one disappears on white.',
			changes: [
				['add', 'share/icons/lamp.png', lamp],
				[
					'edit',
					'README.md',
					'| themes | `share/themes` |\n',
					'| themes | `share/themes` |\n| icons | `share/icons` |\n',
				],
			],
		},
	],
	talk: [
		{
			who: 'carol',
			hours: 7,
			to: 1,
			says: ['Looks good on my screens, light and dark.\n\nAcked-by: Carol Nakamura <carol@forge.test>'],
		},
	],
};

const renames: SeriesPlan = {
	key: 'tidy-scripts',
	list: 'lantern-devel',
	author: 'frank',
	day: 951,
	tag: 'PATCH lantern',
	cover: {
		subject: 'packaging: tidy the scripts',
		text: 'Debian, Fedora and Alpine each carry a patch for this. Let us not make them.',
	},
	commits: [
		{
			subject: 'test: move the runner where packagers look for it',
			text: '',
			changes: [['move', 'test/run.sh', 'tools/run tests.sh']],
		},
		{
			subject: 'configure: not executable in the archive',
			text: 'It is called through sh anyway, and some build machines mount the sources\nwithout the right to run anything.',
			changes: [
				['mode', 'configure', '100644'],
				['edit', 'README.md', './configure && make', 'sh configure && make'],
			],
		},
		{
			subject: 'Drop the drawing that nobody uses',
			text: '',
			changes: [
				['drop', 'share/icons/lantern.svg'],
				['move', 'test/fixtures/page.html', 'test/fixtures/größe.html'],
			],
		},
	],
	moves: [['approved', 90]],
	talk: [
		{
			who: 'alice',
			hours: 10,
			to: 1,
			says: ['A space in a file name, how daring. Does it survive your build machines?'],
		},
		{ who: 'frank', hours: 4, to: 'last', says: ['That is what the tests are for :)'] },
		{
			who: 'alice',
			hours: 3,
			to: 2,
			says: [{ q: 'sh configure' }, 'Fine with me.\n\nReviewed-by: Alice Öberg <alice@forge.test>'],
		},
	],
};

const experiment: SeriesPlan = {
	key: 'rfc-prefix',
	list: 'lantern-devel',
	author: 'riyer',
	day: 277,
	tag: 'PATCH RFC',
	version: 3,
	commits: [
		{
			subject: 'search: literal by default',
			text: 'Expressions are for people who like them. Everybody else looks for a dot and\nfinds everything.',
			changes: [['edit', 'src/search.c', 'int flags = REG_EXTENDED;', 'int flags = REG_NOSUB;']],
		},
	],
	moves: [['rejected', 100]],
	talk: [
		{
			who: 'bob',
			hours: 8,
			to: 1,
			says: [{ q: 'REG_NOSUB' }, 'That flag does something else. And I like expressions.'],
		},
		{
			who: 'sam',
			hours: 30,
			to: 'last',
			says: ['I do not, for what it is worth. A key that switches would make both camps happy.'],
		},
		{ who: 'riyer', hours: 9, to: 'last', says: ['I will write that instead. Please drop this one.'] },
	],
};

const attached: SeriesPlan = {
	key: 'attached-theme',
	list: 'lantern-devel',
	author: 'misaki',
	day: 301,
	tag: 'PATCH lantern',
	pack: packAs.attached,
	commits: [
		{
			subject: 'themes: 夕焼け, a theme for the evening',
			text: '目に優しい配色です。',
			changes: [
				[
					'add',
					'share/themes/夕焼け.toml',
					'# 夕焼け\n\n[text]\nfore = "#f2d5c4"\nback = "#2b1b24"\n\n[keyword]\nfore = "#ff8c61"\n',
				],
			],
		},
	],
	talk: [
		{
			who: 'alice',
			hours: 5,
			to: 1,
			says: [
				'Beautiful! But as an attachment nobody can comment on it line by line, and the\nlist does not see a patch. Could you send it again with git send-email?\nhttps://git-send-email.io takes you there in ten minutes.',
			],
		},
		{ who: 'misaki', hours: 20, to: 'last', says: ['はい。I try this evening.'] },
	],
};

const inlineTheme: SeriesPlan = {
	...attached,
	key: 'inline-theme',
	day: 303,
	pack: packAs.base64,
	moves: [['applied', 12]],
	talk: [{ who: 'alice', hours: 11, to: 1, says: [{ q: 'fore = "#ff8c61"' }, 'ありがとう! Applied.'] }],
};

const carriageReturns: SeriesPlan = {
	key: 'dos-fixture',
	list: 'lantern-devel',
	author: 'bob',
	day: 377,
	tag: 'PATCH lantern',
	pack: packAs.base64,
	commits: [
		{
			subject: 'test: one more line with a carriage return',
			text: 'And a script whose comments look like the head of a diff.',
			changes: [
				['edit', 'test/fixtures/dos.txt', 'second line\r\n', 'second line\r\nanother line\r\n'],
				['edit', 'share/settings.lua', '--- deprecated, see wrap\nsettings.linebreak = true\n', '++settings.count\n'],
				['add', 'test/fixtures/no-end.txt', 'no line end'],
			],
		},
	],
	moves: [['applied', 5]],
};

const onBehalf: SeriesPlan = {
	key: 'on-behalf',
	list: 'lantern-devel',
	author: 'riyer',
	sender: 'dave',
	day: 402,
	tag: 'PATCH lantern',
	commits: [
		{
			subject: 'undo: survive a failed allocation',
			text: 'Dave: sent on for R., whose machine may not send mail.\n\nSigned-off-by: R. Iyer <riyer@outside.test>\nSigned-off-by: Dave Okafor <dave@forge.test>',
			changes: [
				['edit', 'src/undo.c', '	step->at = at;\n', '	if (step == NULL)\n		return -1;\n	step->at = at;\n'],
			],
		},
	],
	moves: [['approved', 20]],
	talk: [
		{
			who: 'bob',
			hours: 10,
			to: 1,
			says: [
				{ q: 'if (step == NULL)' },
				'strdup can fail as well, two lines further down. But this is better than nothing.\n\nReviewed-by: Bob Builder <bob@forge.test>',
			],
		},
	],
};

/** Series that show what can be odd about mailed patches. */
export const oddSeries: readonly SeriesPlan[] = [
	experiment,
	attached,
	inlineTheme,
	carriageReturns,
	onBehalf,
	binary,
	renames,
];
