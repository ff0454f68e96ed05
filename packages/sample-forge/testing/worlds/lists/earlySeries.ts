import { packAs } from './packAs.ts';
import type { SeriesPlan } from './seriesPlan.ts';

const undoAgain = `	buf->cursor = 0;
	newest = step->older;`;

const cursorFix: SeriesPlan = {
	key: 'undo-cursor',
	list: 'lantern-devel',
	author: 'bob',
	day: 12,
	tag: 'PATCH lantern',
	commits: [
		{
			subject: 'undo: put the cursor back where the change was',
			text: 'Taking a change back jumped to the top of the file, which is where nobody\nwas looking.\n\nFixes: ~alice/lantern#17',
			changes: [['edit', 'src/undo.c', undoAgain, '\tbuf->cursor = step->at;\n\tnewest = step->older;']],
		},
	],
	moves: [['applied', 30]],
	talk: [
		{
			who: 'carol',
			hours: 5,
			to: 1,
			says: [
				{ q: 'buf->cursor = step->at' },
				'So simple. I have been cursing this for a year.\n\nTested-by: Carol Nakamura <carol@forge.test>',
			],
		},
		{
			who: 'alice',
			hours: 24,
			to: 1,
			says: ['Thanks!\n\nTo git@git.forge.test:~alice/lantern\n   3f1c2aa..9be01d4  master -> master'],
			headers: { 'X-Sourcehut-Patchset-Update': 'APPLIED' },
		},
	],
};

const wrapLoop = '	for (size_t row = from + 1; row < buf->rows; row++) {\n';
const wrapEnd = '			return (long)row;\n	}\n	return -1;\n';

const wrapFirst: SeriesPlan = {
	key: 'search-wrap-v1',
	list: 'lantern-devel',
	author: 'dave',
	day: 40,
	tag: 'PATCH lantern',
	commits: [
		{
			subject: 'search: go on at the top of the file',
			text: 'The search ended at the last line even when the only match was above the\ncursor.',
			changes: [
				[
					'edit',
					'src/search.c',
					wrapLoop,
					'	for (size_t n = 1; n <= buf->rows; n++) {\n		size_t row = (from + n) % buf->rows;\n',
				],
			],
		},
		{
			subject: 'manual: say that the search wraps around',
			text: '',
			changes: [
				[
					'edit',
					'doc/keys.md',
					'## Changing text',
					'| `n` | next match, from the top after the last one |\n\n## Changing text',
				],
			],
		},
	],
	moves: [['superseded', 73]],
	talk: [
		{
			who: 'alice',
			hours: 8,
			to: 1,
			says: [
				{ q: 'size_t row = (from + n) % buf->rows' },
				'This divides by zero in an empty buffer. I know, nobody searches there, but\nthe picker does when a folder is empty.',
			],
		},
		{ who: 'dave', hours: 2, to: 'last', says: ['Oh. Yes. Will send another version.'] },
		{
			who: 'grace',
			hours: 20,
			to: 2,
			says: [
				{ q: 'next match, from the top' },
				'Could we also say something out loud when that happens? Without a message a\nscreen reader user cannot know that the search went round.',
			],
		},
	],
};

const wrapSecond: SeriesPlan = {
	...wrapFirst,
	key: 'search-wrap-v2',
	day: 43,
	version: 2,
	commits: [
		{
			subject: 'search: go on at the top of the file',
			text: 'The search ended at the last line even when the only match was above the\ncursor.\n\nv2: empty buffers are left alone.',
			changes: [
				['edit', 'src/search.c', '	if (!ready)\n', '	if (!ready || buf->rows == 0)\n'],
				[
					'edit',
					'src/search.c',
					wrapLoop,
					'	for (size_t n = 1; n <= buf->rows; n++) {\n		size_t row = (from + n) % buf->rows;\n',
				],
				[
					'edit',
					'src/search.c',
					wrapEnd,
					'			return (long)row;\n	}\n	/* Not even on the line we came from. */\n	return -1;\n',
				],
			],
		},
		...wrapFirst.commits.slice(1),
	],
	moves: [['applied', 50]],
	talk: [
		{
			who: 'alice',
			hours: 9,
			to: 1,
			says: [{ q: 'buf->rows == 0' }, 'Good.\n\nReviewed-by: Alice Öberg <alice@forge.test>'],
		},
		{
			who: 'alice',
			hours: 41,
			to: 2,
			says: ['Both applied, thank you!\n\nTo git@git.forge.test:~alice/lantern\n   9be01d4..e77c10f  master -> master'],
		},
	],
};

/** A reply in the first version's thread, so no patchset forms from it. */
const wrapThird: SeriesPlan = {
	...wrapFirst,
	key: 'search-wrap-v3',
	day: 47,
	version: 3,
	answers: 'search-wrap-v1',
	moves: [],
	talk: [
		{
			who: 'bob',
			hours: 3,
			to: 1,
			says: [
				'This hangs below the first version, so the list does not see it as a series of\nits own. And v2 is applied already, is it not?',
			],
		},
		{
			who: 'dave',
			hours: 1,
			to: 'last',
			says: ['It is. I sent the wrong folder, please ignore this one. Sorry for the noise.'],
		},
	],
};

const umlauts: SeriesPlan = {
	key: 'po-de',
	list: 'lantern-devel',
	author: 'joerg',
	day: 66,
	tag: 'PATCH lantern',
	pack: packAs.latin1,
	commits: [
		{
			subject: 'po: Umlaute in der deutschen Übersetzung',
			text: 'Die Meldungen waren ohne Umlaute geschrieben. Größere Änderungen folgen später.',
			changes: [
				['edit', 'po/de.po', 'Rueckgaengig', 'Rückgängig'],
				['edit', 'po/de.po', 'Schliessen', 'Schließen'],
			],
		},
	],
	moves: [['approved', 20]],
	talk: [
		{
			who: 'frank',
			hours: 4,
			to: 1,
			says: [
				{ q: 'Schließen' },
				'Schön. Nur: in der Schweiz schreibt man es mit ss, aber dafür bräuchten wir\nde_CH.po.',
			],
		},
		{ who: 'joerg', hours: 30, to: 'last', says: ['Das wäre etwas für später. Grüße aus Köln!'] },
	],
};

const russian: SeriesPlan = {
	key: 'po-ru',
	list: 'lantern-devel',
	author: 'ivan',
	day: 91,
	tag: 'PATCH lantern',
	pack: packAs.koi8,
	commits: [
		{
			subject: 'po: русский перевод',
			text: 'Первая версия перевода. Буду рад замечаниям.',
			changes: [
				[
					'add',
					'po/ru.po',
					'msgid "File not found"\nmsgstr "Файл не найден"\n\nmsgid "Undo"\nmsgstr "Отменить"\n\nmsgid "Close"\nmsgstr "Закрыть"\n',
				],
			],
		},
	],
	moves: [['needs_revision', 40]],
	talk: [
		{
			who: 'alice',
			hours: 12,
			to: 1,
			says: [
				'Welcome, and thank you! One question: the file arrives in KOI8-R here. Could you\nsend it in UTF-8, as an attachment if need be? All other catalogues but the\nGerman one are UTF-8.',
			],
		},
		{ who: 'ivan', hours: 6, to: 'last', says: ['Да, конечно. Yes, of course, next week.'] },
	],
};

/** The series of the first half year. */
export const earlySeries: readonly SeriesPlan[] = [cursorFix, wrapFirst, wrapSecond, wrapThird, umlauts, russian];
