import { quickInput, viewsAreAtRest } from '../ui/support/user.ts';
import { pressChord, type BenchWindow, type Sight } from './benchWindow.ts';
import { ratioFigure } from './figures.ts';
import { comparisonOf } from './interleaved.ts';
import type { Figure } from './measurement.ts';

/** Keys without an effect of their own: one that answers, one that opens a box, and one that changes a row. */
const idleKeys = {
	status: { key: 'F9', sight: 'status' },
	box: { key: 'F7', sight: 'box' },
	row: { key: 'F6', sight: 'idleRow' },
} as const;

/** Keys of a view with what the user sees of each first. */
export type Keys = Readonly<Record<string, { readonly key: string; readonly sight: keyof typeof idleKeys }>>;

/**
 * From each key to its first sight, against a key of another extension that only leads to such a sight, in turn.
 * `choose` brings the focus to a row for the next key.
 */
export async function keyRatios(
	{ page, timeTo }: BenchWindow,
	where: string,
	keys: Keys,
	{ warmUps, rounds }: { readonly warmUps: number; readonly rounds: number },
	choose: (key: string) => Promise<void>,
): Promise<readonly Figure[]> {
	const all = Object.entries(keys).map(([name, each]) => {
		return { name, ...each, ours: new Array<number>(), idle: new Array<number>() };
	});
	const timed = async ({ key, sight }: { readonly key: string; readonly sight: Sight }): Promise<number> => {
		const ms = await timeTo(sight, () => pressChord(page, key));
		if (sight === 'box') {
			await page.keyboard.press('Escape');
			await quickInput(page).waitFor({ state: 'hidden' });
		}
		return ms;
	};
	for (let round = -warmUps; round < rounds; round += 1) {
		for (const { key, sight, ours, idle } of all) {
			await choose(key);
			await viewsAreAtRest(page);
			const idleMs = await timed(idleKeys[sight]);
			const oursMs = await timed({ key, sight });
			if (round >= 0) {
				idle.push(idleMs);
				ours.push(oursMs);
			}
		}
	}
	return all.map(({ name, ours, idle }) =>
		ratioFigure(`${name} ${where} by key, to a key without effect`, 1.1, comparisonOf(ours, idle)),
	);
}
