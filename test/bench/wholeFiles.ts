import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { fileFinder } from '../../src/store/wholeFiles/fileFinder.ts';
import { GitSearch } from '../../src/store/wholeFiles/gitSearch.ts';
import { seriesFiles, wantedOfSeries, type SeriesFile } from '../../src/store/wholeFiles/seriesFiles.ts';
import { agedPatches, realHistory, type AgedPatch } from '../support/agedPatches.ts';
import { gitFileSources, type GitFileSources } from '../support/gitFileSources.ts';
import { gitIn } from '../support/patchMakerGit.ts';
import { servedHistory, type ServedHistory } from '../support/servedHistory.ts';
import { filesOfPatchset, readPatchsets, wholeFilesOver } from '../support/samplePatchsets.ts';
import { cloneInto } from '../support/storedObjects.ts';
import { mostFigure, percent, shareFigure } from './figures.ts';
import type { Figure, Size } from './measurement.ts';
import { openAccount } from './packagedNet.ts';

const signal = new AbortController().signal;
const patchesOf = { full: 120, smallest: 4 } as const;
/** Commits that the base is behind, and the least share of verified files. */
const ages = [
	[0, 0.99],
	[5, 0.99],
	[25, 0.9],
	[100, 0.6],
] as const;
/** The same with git, which costs more time per patch. */
const agesWithGit = [100, 1000] as const;
const patchesWithGit = { full: 25, smallest: 4 } as const;

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
	const old = agesWithGit.map((age) => ({ age, patches: agedPatches(folder, age, patchesWithGit[size]) }));
	const git = gitFileSources(folder);
	const figures: Figure[] = [];
	for (const { age, goal, patches } of made) {
		const name = `Files verified of patches made ${age} commits ago, without a clone, git and files by id`;
		const { results, detail } = await filesOfAll(patches, git, undefined);
		figures.push(shareFigure(name, shareOf(results), goal, `${detail} to ${source}`));
	}
	using served = servedHistory(folder);
	for (const { age, patches } of old) {
		const name = `Files verified of patches made ${age} commits ago, without a clone and files by id, with git`;
		const { results, detail, mostRuns } = await filesOfAll(patches, git, served);
		figures.push(
			shareFigure(name, shareOf(results), 0.99, `${detail} to ${source}`),
			mostFigure(`Runs of git for a patchset made ${age} commits ago`, mostRuns, { most: 3 }, 'the largest number'),
		);
	}
	return figures;
}

/** Each patch in a window of its own. Every tenth finds no fetched history. */
async function filesOfAll(patches: readonly AgedPatch[], git: GitFileSources, served: ServedHistory | undefined) {
	const results: SeriesFile[] = [];
	const requests: number[] = [];
	let mostRuns = 0;
	for (const [at, { text, tip, sentMs }] of patches.entries()) {
		git.startAnew(tip);
		if (at % 10 === 0) {
			served?.forget();
		}
		results.push(...(await filesOf(text, sentMs, git, served)));
		requests.push(git.requests());
		mostRuns = Math.max(mostRuns, served?.runs().length ?? 0);
	}
	const detail = `${requestsOf(requests)}; ${results.length} files of ${patches.length} patches`;
	return { results, detail, mostRuns };
}

async function filesOf(
	text: string,
	sentMs: number,
	git: GitFileSources,
	served: ServedHistory | undefined,
): Promise<readonly SeriesFile[]> {
	const diff = parseDiff(text);
	const patches = [{ diff, diffText: text }];
	const history = served && new GitSearch(served, sentMs, () => wantedOfSeries(patches));
	const finder = fileFinder({ ...git.sources, history }, { commit: undefined, sentMs });
	const files = seriesFiles(patches, finder, () => Promise.resolve(), signal);
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
