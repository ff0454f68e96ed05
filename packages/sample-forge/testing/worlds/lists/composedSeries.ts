import type { PatchsetStatus } from '../../../src/lists/mailModel.ts';
import type { SeriesPlan } from './seriesPlan.ts';

const tips: readonly (readonly [topic: string, text: string, author: string, status: PatchsetStatus])[] = [
	['counts', 'A number before a key repeats it: `3u` undoes three changes.', 'carol', 'applied'],
	['macros', 'Press `q` to record and `q` again to stop; `@` plays it.', 'dave', 'applied'],
	['the clipboard over ssh', 'Set `clipboard = "osc52"`; the terminal has to allow it.', 'frank', 'applied'],
	['bracket jumps', '`%` jumps to the other bracket, also across folds.', 'heidi', 'rejected'],
	['soft wrapping', 'Long lines are broken on the screen only, never in the file.', 'grace', 'applied'],
	['searching backwards', '`?` searches upwards; `n` goes on in that direction.', 'sam', 'superseded'],
	['the file picker', '`Space f` lists the files of the project; type to narrow the list.', 'visitor', 'applied'],
	['saving as root', 'Write with `:w !sudo tee %` if you must.', 'riyer', 'rejected'],
	['spelling', '`zg` adds the word under the cursor to your own list.', 'joerg', 'approved'],
	['themes', 'Copy a theme to `~/.config/lantern/themes` and change what you like.', 'grace', 'proposed'],
];

/** Small patches to the manual, one every few weeks. */
export const composedSeries: readonly SeriesPlan[] = tips.map(([topic, text, author, status], at): SeriesPlan => {
	return {
		key: `manual-tip-${at + 1}`,
		list: 'lantern-devel',
		author,
		day: 420 + at * 53,
		tag: 'PATCH lantern',
		commits: [
			{
				subject: `manual: a word about ${topic}`,
				text: at % 3 === 0 ? 'Asked on the users list again.' : '',
				changes: [
					status === 'proposed'
						? ['edit', 'README.md', 'Patches go to', `${text}\n\nPatches go to`]
						: ['edit', 'doc/keys.md', '## Remarks\n', `## Remarks\n\n${text}\n`],
				],
			},
		],
		moves: status === 'proposed' ? [] : [[status, 20 + at * 7]],
		talk:
			status === 'applied'
				? [{ who: 'alice', hours: 19 + at * 7, to: 1, says: ['Thanks, applied.'] }]
				: [{ who: 'dave', hours: 6 + at, to: 1, says: [{ q: text }, 'Is that so on every terminal?'] }],
	};
});
