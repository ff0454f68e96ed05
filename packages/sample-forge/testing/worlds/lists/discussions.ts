import type { AnswerPlan, ThreadPlan } from '../../../src/worlds/lists/tellMail.ts';

const answer = (who: string, hours: number, to: number, text: string): AnswerPlan => ({
	who,
	hours,
	to,
	text,
	quotes: true,
});

const welcome: ThreadPlan = {
	list: 'lantern-devel',
	who: 'alice',
	day: 0.1,
	subject: 'Welcome to the list',
	text: 'Hello everyone,\n\nthis is where patches for Lantern go. Plain text, one thought per patch, and\nbe kind.\n\nAlice',
	answers: [
		answer('bob', 1, 0, 'Great! I have three patches lying around since winter.'),
		answer('carol', 3, 1, '+1, and I would like to help with the manual.'),
		answer('ivan', 30, 0, 'Привет из Новосибирска! I read along for now.'),
	],
};

const release: ThreadPlan = {
	list: 'lantern-devel',
	who: 'alice',
	day: 960,
	subject: 'What is still missing for 0.11?',
	text: 'I would like to make a release before the end of the year. What must be in it?\n\nOn my list:\n\n - folds in a tree\n - the high contrast icons\n - the persistent undo, if somebody has the time',
	answers: [
		answer('bob', 2, 0, 'Folds: second version comes this week.'),
		answer('grace', 5, 0, 'Icons are on the list, waiting for a word from you.'),
		answer(
			'dave',
			8,
			0,
			'Persistent undo is not going to be ready. There is ~alice/lantern#200 with the\nlatest state of the discussion.',
		),
		answer('alice', 20, 3, 'Then it waits for 0.12. Better late than broken.'),
		answer(
			'frank',
			28,
			0,
			'Could the release be tagged before the 10th of December? That is when the next\nfreeze begins at ours.',
		),
		answer('alice', 30, 5, 'I will try. No promises.'),
		answer(
			'riyer',
			44,
			0,
			'The scanner of wick still reads a byte too many with an empty file, or was that\nrepaired? It would be sad to ship that.',
		),
		answer('bob', 45, 7, 'Repaired in wick 1.1.'),
	],
};

const style: ThreadPlan = {
	list: 'lantern-devel',
	who: 'sam',
	day: 360,
	subject: 'Tabs, spaces, and the width of a tab',
	text: 'I know, I know. But src/ has both, and my editor (guess which) shows a mess.\n\nCould we settle this once?',
	answers: [
		answer(
			'alice',
			3,
			0,
			'Tabs in src/, two spaces in grammars, and whatever the language says elsewhere.\nThere is an .editorconfig for that.',
		),
		answer('sam', 1, 1, 'Which Lantern does not read.'),
		answer('alice', 2, 2, 'Touché. There is a ticket for that, too.'),
		answer('visitor', 10, 0, 'unsubscribe'),
		answer('alice', 11, 4, 'Write to ~alice/lantern-devel+unsubscribe@lists.forge.test for that, please.'),
	],
};

const wickQuestion: ThreadPlan = {
	list: 'wick-devel',
	who: 'dave',
	day: 500,
	subject: 'Incremental parsing and very long lines',
	text: 'A file with one line of 30 MB takes four seconds per key. Is that a known limit?',
	answers: [
		answer('bob', 6, 0, 'Known, and not loved. States are kept per line, so one line means no states.'),
		answer('dave', 1, 1, 'Could they be kept every 4 KB instead?'),
		answer('bob', 9, 2, 'They could. Patches are welcome, as they say.'),
		answer('alice', 12, 1, 'For what it is worth, Lantern will cut highlighting at 64 KB per line soon.'),
	],
};

const club: ThreadPlan = {
	list: 'private-club',
	who: 'bob',
	day: 210,
	subject: 'Nobody else reads this',
	text: 'Testing the private list.',
	answers: [answer('bob', 1, 0, 'It works.')],
};

const versions: readonly (readonly [version: string, day: number, words: string])[] = [
	['0.8.0', 30, 'The first one that I dare to show around.'],
	['0.8.7', 100, 'Seven small ones in a row; this should be the last of them.'],
	['0.9.0', 200, 'Folds, macros and a file picker. Thank you, all 23 of you.'],
	['0.9.1', 221, 'Repairs the file picker in folders without files.'],
	['0.9.2', 290, 'Repairs undo in splits. Please update.'],
	['0.10.0', 720, 'Plugins! And a manual that one can read in the evening.'],
];

const announcements = versions.map(([version, day, words]): ThreadPlan => ({
	list: 'lantern-announce',
	who: 'alice',
	day,
	subject: `Lantern ${version} is out`,
	text: `Lantern ${version} is out.\n\n${words}\n\n  git clone https://git.forge.test/~alice/lantern\n  git checkout v${version}\n\nEnjoy!`,
	answers: [],
}));

/** Fixed discussions, independent of the random ones. */
export const discussions: readonly ThreadPlan[] = [welcome, release, style, wickQuestion, club, ...announcements];
