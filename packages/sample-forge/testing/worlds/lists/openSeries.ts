import { packAs } from './packAs.ts';
import type { CommitPlan, SeriesPlan } from './seriesPlan.ts';

const mouseSource = `#include "buffer.h"
#include "mouse.h"

/* Where the button went down; row 0 when it is up. */
static struct { size_t row, column; } start;

void
mouse_down(struct buffer *buf, size_t row, size_t column)
{
	start.row = row;
	start.column = column;
	buffer_unselect(buf);
}

void
mouse_drag(struct buffer *buf, size_t row, size_t column)
{
	buffer_select(buf, start.row, start.column, row, column);
}
`;

const mouseCommits: readonly CommitPlan[] = [
	{
		subject: 'mouse: remember where the button went down',
		text: "Co-developed-by: Sam O'Neil <sam@outside.test>\nSigned-off-by: Heidi Șerban <heidi@forge.test>",
		changes: [['add', 'src/mouse_select.c', mouseSource]],
	},
	{
		subject: 'manual: selecting with the mouse',
		text: 'Asked for in ~alice/lantern#88, and by everybody who comes from a desktop.\n\nFixes: ~alice/lantern#93\nSigned-off-by: Heidi Șerban <heidi@forge.test>',
		changes: [
			['add', 'doc/mouse.md', '# The mouse\n\nDrag to select.\n'],
			['edit', 'README.md', '| themes |', '| the mouse | [`doc/mouse.md`](doc/mouse.md) |\n| themes |'],
		],
	},
];

/** A different subject, so the server sees no second version. */
const mouseFirst: SeriesPlan = {
	key: 'mouse-v1',
	list: 'lantern-devel',
	author: 'heidi',
	day: 982,
	tag: 'PATCH lantern',
	cover: { subject: 'mouse: Drag to select', text: 'What it says. Works in every terminal that I own, which is two.' },
	commits: mouseCommits,
	talk: [
		{
			who: 'alice',
			hours: 7,
			to: 1,
			says: [
				{ q: 'buffer_select(buf, start.row' },
				'What if the button went down in another window? Then `start` is of that one.',
			],
		},
		{ who: 'heidi', hours: 3, to: 'last', says: ['Then something odd is selected. Second version follows.'] },
	],
};

const mouseSecond: SeriesPlan = {
	...mouseFirst,
	key: 'mouse-v2',
	day: 984,
	version: 2,
	cover: {
		subject: 'mouse: drag to select',
		text: 'Changes since v1:\n - a drag ends where its window ends\n - a test\n\nReferences: ~alice/lantern#121',
	},
	commits: [
		{
			subject: 'mouse: remember where the button went down',
			text: "Co-developed-by: Sam O'Neil <sam@outside.test>\nSigned-off-by: Heidi Șerban <heidi@forge.test>",
			changes: [
				[
					'add',
					'src/mouse_select.c',
					mouseSource.replace('{\n	buffer_select(', '{\n	if (start.row == 0)\n		return;\n	buffer_select('),
				],
			],
		},
		...mouseCommits.slice(1),
		{
			subject: 'test: drag from one window into another',
			text: 'Signed-off-by: Heidi Șerban <heidi@forge.test>',
			changes: [['add', 'test/mouse.t', '#!/bin/sh\necho 1..1\n./lantern --self-test mouse && echo ok 1\n']],
		},
	],
	// A busy day for the mail server: the last one overtook another.
	sentOrder: [0, 1, 3, 2],
	talk: [
		{
			who: 'carol',
			hours: 5,
			to: 0,
			says: ['Tested with foot and with the Linux console.\n\nTested-by: Carol Nakamura <carol@forge.test>'],
		},
		{
			who: 'grace',
			hours: 8,
			to: 2,
			says: [
				{ q: 'Drag to select' },
				"Reviewed-by: Grace Lindqvist <grace@forge.test>\nReported-by: Sam O'Neil <sam@outside.test>",
			],
		},
		{
			who: 'alice',
			hours: 20,
			to: 1,
			says: [
				{ q: 'if (start.row == 0)' },
				'Nothing sets it to 0 when the button comes up, so this is never true twice.\n\nPlease send a v3 with a mouse_up().',
			],
		},
	],
};

const clockSource = `#include <time.h>

#include "screen.h"

/* The time at the right end of the status line, minutes only. */
void
status_clock(struct screen *screen)
{
	char text[6];
	time_t now = time(NULL);
	strftime(text, sizeof text, "%H:%M", localtime(&now));
	screen_move(screen, screen->height, screen->width - 6);
	screen_text(screen, text);
}
`;

/** Applied without an announcement on the list. */
const clock: SeriesPlan = {
	key: 'status-clock',
	list: 'lantern-devel',
	author: 'dave',
	day: 983,
	tag: 'PATCH lantern',
	commits: [
		{
			subject: 'status: the time, for those in meetings',
			text: 'Off by default.\n\nSigned-off-by: Dave Okafor <dave@forge.test>',
			changes: [
				['add', 'src/status_clock.c', clockSource],
				['edit', 'Makefile', 'lantern:', 'CFLAGS += -DWITH_CLOCK\n\nlantern:'],
			],
		},
	],
	talk: [
		{
			who: 'frank',
			hours: 5,
			to: 1,
			pack: packAs.html,
			says: ['Nice, but could it show <b>seconds</b>? My meetings are that long.'],
		},
		{
			who: 'alice',
			hours: 26,
			to: 1,
			says: ['Thanks, applied!\n\nTo git@git.forge.test:~alice/lantern\n   51d7f3a..c41e0b7  master -> master'],
		},
		{ who: 'dave', hours: 1, to: 'last', says: ['Now I can see how long this took. Thank you.'] },
	],
};

/** Fully read by its maintainer; a forger claims to be her. */
const backup: SeriesPlan = {
	key: 'save-backup',
	list: 'lantern-devel',
	author: 'grace',
	day: 985,
	tag: 'PATCH lantern',
	commits: [
		{
			subject: 'save: keep one backup',
			text: 'A file that is half written is worse than none.\n\nImplements: ~alice/lantern#76',
			changes: [
				['add', 'share/settings/backup.lua', '-- One file, beside the one that is saved.\nsettings.backup = true\n'],
			],
		},
	],
	talk: [
		{
			who: 'mallory',
			hours: 3,
			to: 1,
			says: [
				'Applied, thanks!\n\nReviewed-by: Alice Öberg <alice@forge.test>\nTested-by: Bob Builder <bob@forge.test>',
			],
		},
		{ who: 'grace', hours: 2, to: 'last', says: ['You are not Alice, are you?'] },
		{
			who: 'alice',
			hours: 22,
			to: 1,
			says: [{ q: 'settings.backup = true' }, 'Good default.\n\nReviewed-by: Alice Öberg <alice@forge.test>'],
		},
	],
};

/** A patch by the list's owner on another owner's list. */
const mark: SeriesPlan = {
	key: 'wick-mark',
	list: 'wick-devel',
	author: 'alice',
	day: 986,
	tag: 'PATCH wick',
	commits: [
		{
			subject: 'scan: skip a byte order mark',
			text: 'Seen in a file that came from an office.',
			changes: [
				[
					'edit',
					'lib/scan.c',
					'	const char *start = scan->at;\n',
					'	if (scan->end - scan->at >= 3 && memcmp(scan->at, "\\xef\\xbb\\xbf", 3) == 0)\n		scan->at += 3;\n	const char *start = scan->at;\n',
				],
			],
		},
	],
};

/** Series that wait for a reply or an action. */
export const openSeries: readonly SeriesPlan[] = [mouseFirst, mouseSecond, clock, backup, mark];
