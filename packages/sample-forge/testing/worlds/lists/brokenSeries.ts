import { packAs } from './packAs.ts';
import type { SeriesPlan } from './seriesPlan.ts';

const incomplete: SeriesPlan = {
	key: 'status-parts',
	list: 'lantern-devel',
	author: 'heidi',
	day: 233,
	tag: 'PATCH lantern',
	leftOut: [2],
	commits: [
		{
			subject: 'status: a longer line',
			text: '',
			changes: [['edit', 'src/status.c', 'char line[256]', 'char line[512]']],
		},
		{
			subject: 'status: count from one everywhere',
			text: '',
			changes: [['edit', 'src/status.c', 'screen->height, 0', 'screen->height - 1, 0']],
		},
		{
			subject: 'status: show the mode first',
			text: '',
			changes: [
				[
					'edit',
					'src/status.c',
					'buf->name, buf->row + 1, buf->rows, buf->mode',
					'buf->mode, buf->row + 1, buf->rows, buf->name',
				],
			],
		},
	],
	talk: [
		{ who: 'dave', hours: 26, to: 3, says: ['I have 1/3 and 3/3, but where is 2/3?'] },
		{
			who: 'heidi',
			hours: 50,
			to: 'last',
			says: ['My provider ate it, it says "looks like advertising". I give up on that provider.'],
		},
	],
};

const wrongOrder: SeriesPlan = {
	key: 'wrong-order',
	list: 'lantern-devel',
	author: 'visitor',
	day: 251,
	tag: 'PATCH v2 lantern',
	commits: [
		{
			subject: 'status: no more than the screen is wide',
			text: '',
			changes: [['edit', 'src/status.c', 'snprintf(line, sizeof line,', 'snprintf(line, screen->width + 1,']],
		},
	],
	moves: [['rejected', 30]],
	talk: [
		{
			who: 'alice',
			hours: 9,
			to: 1,
			says: [
				{ q: 'screen->width + 1' },
				'This writes past the end of `line` on a screen wider than 255 columns, so no.\nA `%.*s` would do it.\n\nAnd the other way round, please: [PATCH lantern v2].',
			],
		},
	],
};

const notAPatch: SeriesPlan = {
	...wrongOrder,
	key: 'no-patch-subject',
	day: 252,
	tag: 'lantern PATCH',
	version: 2,
	moves: [],
	talk: [],
};

const wrapped: SeriesPlan = {
	key: 'wrapped-lines',
	list: 'lantern-devel',
	author: 'sam',
	day: 322,
	tag: 'PATCH lantern',
	pack: packAs.wrapped,
	commits: [
		{
			subject: 'keys: mention the mouse',
			text: '',
			changes: [
				[
					'edit',
					'doc/keys.md',
					'## Remarks\n',
					'## Remarks\n\nThe mouse works too, in terminals that report it: click to place the cursor, drag to select, and turn the wheel to scroll half a page at a time.\n',
				],
			],
		},
	],
	moves: [['needs_revision', 12]],
	talk: [
		{
			who: 'dave',
			hours: 6,
			to: 1,
			says: [
				'"corrupt patch at line 14" – your mail program folded the long line. Please try\ngit send-email, or switch folding off.',
			],
		},
	],
};

const flowed: SeriesPlan = {
	...wrapped,
	key: 'flowed-lines',
	day: 325,
	version: 2,
	pack: packAs.flowed,
	moves: [['applied', 40]],
	talk: [{ who: 'dave', hours: 12, to: 1, says: ['This one applies, even with format=flowed. Pushed.'] }],
};

const plainTag: SeriesPlan = {
	key: 'no-prefix',
	list: 'lantern-devel',
	author: 'heidi',
	day: 349,
	tag: 'PATCH',
	pack: packAs.latin1Raw,
	commits: [
		{
			subject: 'po: "Datei nicht gefunden" mit Vorschlag für später',
			text: 'Geprüft auf zwei Rechnern.',
			changes: [['edit', 'po/de.po', 'Datei nicht gefunden', 'Datei nicht gefunden – prüfe den Namen']],
		},
	],
	moves: [['needs_revision', 30]],
	talk: [
		{
			who: 'joerg',
			hours: 16,
			to: 1,
			says: ['Die Umlaute sind hier alle kaputt angekommen. Welche Kodierung war das?'],
		},
	],
};

/** Series that people or their mail programs spoiled. */
export const brokenSeries: readonly SeriesPlan[] = [incomplete, wrongOrder, notAPatch, wrapped, flowed, plainTag];
