import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { fileFinder } from '../../src/store/wholeFiles/fileFinder.ts';
import { seriesFiles, type SeriesFile } from '../../src/store/wholeFiles/seriesFiles.ts';
import { agedPatches, realHistory } from '../support/agedPatches.ts';
import { gitFileSources, type GitFileSources } from '../support/gitFileSources.ts';
import { gitIn } from '../support/patchMakerGit.ts';
import { filesOfPatchset, readPatchsets, wholeFilesOver } from '../support/samplePatchsets.ts';
import { cloneInto } from '../support/storedObjects.ts';
import { percent, shareFigure } from './figures.ts';
import type { Figure, Size } from './measurement.ts';
import { openAccount } from './packagedNet.ts';

const signal = new AbortController().signal;
const patchesOf = { full: 500, smallest: 4 } as const;
/** Commits that the base is behind, and the least share of verified files. */
const ages = [
	[0, 0.99],
	[5, 0.99],
	[25, 0.9],
	[100, 0.6],
] as const;

/** Share of files of patches that are completed and verified without a clone, and the requests for that. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	return [await ofSampleWorld(), ...(await ofHistory(size))];
}

async function ofHistory(size: Size): Promise<readonly Figure[]> {
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-aged-'));
	const folder = temporary.path;
	const isOwn = realHistory(folder, 1);
	const source = isOwn ? 'this project’s history' : 'a made history, since this project’s own is not here';
	const made = ages.map(([age, goal]) => ({ age, goal, patches: agedPatches(folder, age, patchesOf[size]) }));
	const git = gitFileSources(folder);
	const figures: Figure[] = [];
	for (const { age, goal, patches } of made) {
		const results: SeriesFile[] = [];
		const requests: number[] = [];
		for (const { text, tip, sentMs } of patches) {
			git.startAnew(tip);
			results.push(...(await filesOf(text, sentMs, git)));
			requests.push(git.requests());
		}
		const name = `Files verified of patches made ${age} commits ago, without a clone and with no files by id`;
		const detail = `${results.length} files of ${patches.length} patches to ${source}; ${requestsOf(requests)}`;
		figures.push(shareFigure(name, shareOf(results), goal, detail));
	}
	return figures;
}

async function filesOf(text: string, sentMs: number, git: GitFileSources): Promise<readonly SeriesFile[]> {
	const diff = parseDiff(text);
	const finder = fileFinder(git.sources, { commit: undefined, sentMs });
	const files = seriesFiles([{ diff, diffText: text }], finder, () => Promise.resolve(), signal);
	const places = diff.files.map((_, file) => ({ patch: 0, file }));
	const look = files.look('first');
	await look.prepare(places, signal);
	const made = await Promise.all(places.map((place) => look.file(place, signal)));
	return made.filter((each) => each !== undefined);
}

/** Each patchset in its own window. Files without a repository in the sample do not count. */
async function ofSampleWorld(): Promise<Figure> {
	await using owned = new AsyncDisposableStack();
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-whole-'));
	const folder = temporary.path;
	const { forge, me, connected, openStore } = await openAccount(owned);
	cloneInto(folder, `${forge.areas.git}/~alice/lantern`);
	gitIn(folder, ['fetch', '--quiet', `${forge.areas.git}/~bob/wick`, '+refs/*:refs/wick/*']);
	const held = gitIn(folder, ['cat-file', '--batch-check=%(objectname)', '--batch-all-objects']).toString().split('\n');
	const results: SeriesFile[] = [];
	const requests: number[] = [];
	let absent = 0;
	for (const { wanted } of await readPatchsets(connected)) {
		const store = openStore();
		using files = wholeFilesOver(store, { me });
		await forge.forgetRequests();
		const made = await filesOfPatchset(files, wanted);
		requests.push(await forge.requestCount());
		const stated = wanted.patches.flatMap(({ diff }) => diff.files.map(({ oldId }) => oldId));
		results.push(...made);
		absent += made.filter(
			({ whole, origin }, at) =>
				whole.kind !== 'verified' && origin !== 'series' && !held.some((id) => id.startsWith(stated[at] ?? '-')),
		).length;
		store.dispose();
	}
	const verified = results.filter(({ whole }) => whole.kind === 'verified').length;
	const share = verified / (results.length - absent);
	return shareFigure(
		'Files verified of all patchsets of the sample world that its repositories hold',
		share,
		1,
		`${verified} of ${results.length} files (${percent(shareOf(results))}), ${absent} of which no repository holds or no id is stated; ${requestsOf(requests)}`,
	);
}

function shareOf(results: readonly SeriesFile[]): number {
	return results.filter(({ whole }) => whole.kind === 'verified').length / results.length;
}

function requestsOf(requests: readonly number[]): string {
	const sorted = requests.toSorted((one, other) => one - other);
	const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
	return `requests per patchset: median ${at(0.5)}, 95th percentile ${at(0.95)}, at most ${at(1)}`;
}
