import { expand, openOnly, treeItem } from '../ui/support/user.ts';
import { clickAt, inBenchWindow, pressChord, type BenchWindow } from './benchWindow.ts';
import { counted, ratioFigure } from './figures.ts';
import { comparisonOf } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

/** `keys`: of each turn; the first one only opens the first file. */
const sizes = {
	full: { patches: 300, warmUps: 1, rounds: 8, keys: 4 },
	smallest: { patches: 4, warmUps: 0, rounds: 1, keys: 2 },
} as const;
const filesPerPatch = 5;

/**
 * In the real editor: from the click on a patchset whose mails are known to its heading, against an empty panel, and from
 * the key to the next file in front, against plain files by a key, in turn in one window.
 */
export function measure(size: Size): Promise<readonly Figure[]> {
	const { patches, ...repeats } = sizes[size];
	return inBenchWindow({ series: patches }, (window) => measured(window, patches, repeats));
}

async function measured(
	{ page, timeTo }: BenchWindow,
	patches: number,
	{ warmUps, rounds, keys }: { readonly warmUps: number; readonly rounds: number; readonly keys: number },
): Promise<readonly Figure[]> {
	await openOnly(page, 'Lists');
	await expand(page, /many/);
	const files = patches * filesPerPatch;
	const series = new RegExp(`A series of ${patches} patches`);
	const wide = new RegExp(`table: ${files} files at once`);
	const clicked = (row: RegExp | string): Promise<number> =>
		timeTo('heading', () => clickAt(page, treeItem(page, row).boundingBox()));
	await treeItem(page, series).waitFor();
	for (const row of [series, wide]) {
		await clicked(row);
		// The rest of a page arrives after its heading.
		await page.waitForTimeout(2000);
	}
	const times = { empty: new Array<number>(), series: new Array<number>(), wide: new Array<number>() };
	const steps = { bare: new Array<number>(), ours: new Array<number>() };
	for (let round = -warmUps; round < rounds; round += 1) {
		const opened = {
			empty: await clicked('An empty panel'),
			wide: await clicked(wide),
			series: await clicked(series),
		};
		const ours = await stepsOf(timeTo, () => pressChord(page, 'ArrowRight'), keys);
		const bare = await stepsOf(timeTo, () => pressChord(page, 'F8'), keys);
		if (round >= 0) {
			times.empty.push(opened.empty);
			times.series.push(opened.series);
			times.wide.push(opened.wide);
			steps.ours.push(...ours);
			steps.bare.push(...bare);
		}
	}
	const name = 'Click to the heading of a known patchset';
	return [
		ratioFigure(`${name} of ${patches} patches, to an empty panel`, 1.2, comparisonOf(times.series, times.empty)),
		ratioFigure(
			`${name} of 1 patch with ${counted(files)} files, to an empty panel`,
			1.2,
			comparisonOf(times.wide, times.empty),
		),
		ratioFigure(
			`Next file of ${patches} patches by key, to plain documents by a key`,
			1.1,
			comparisonOf(steps.ours, steps.bare),
		),
	];
}

/** Times of all keys but the first. */
async function stepsOf(
	timeTo: BenchWindow['timeTo'],
	press: () => Promise<void>,
	keys: number,
): Promise<readonly number[]> {
	const times: number[] = [];
	for (let key = 0; key < keys; key += 1) {
		times.push(await timeTo('document', press));
	}
	return times.slice(1);
}
