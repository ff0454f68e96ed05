import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { fileFinder } from '../../src/state/wholeFiles/fileFinder.ts';
import { seriesFiles, type SeriesFile } from '../../src/state/wholeFiles/seriesFiles.ts';
import { agedPatches, realHistory } from '../support/agedPatches.ts';
import { sampleInstance } from '../support/fakeConnection.ts';
import { gitFileSources, type GitFileSources } from '../support/gitFileSources.ts';
import { gitIn } from '../support/patchMakerGit.ts';
import { storeOver } from '../support/repositoryAccount.ts';
import { startSampleForge } from '../support/sampleForge.ts';
import { filesOfPatchset, readPatchsets, wholeFilesOver } from '../support/samplePatchsets.ts';
import { cloneInto } from '../support/storedObjects.ts';
import { percent, verdictOf } from './figures.ts';
import type { Figure, Size } from './measurement.ts';
import { openPackagedNet } from './packagedNet.ts';

const signal = new AbortController().signal;
const patchesOf = { full: 500, smallest: 4 } as const;
/** How many commits the base is behind, and which part of the files has to be verified. */
const ages = [
	[0, 0.99],
	[5, 0.99],
	[25, 0.9],
	[100, 0.6],
] as const;

/** How many files of patches are made whole and proven, and what that costs without a clone. */
export async function wholeFilesOfPatches(size: Size): Promise<readonly Figure[]> {
	return [await ofSampleWorld(), ...(await ofHistory(size))];
}

async function ofHistory(size: Size): Promise<readonly Figure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-aged-'));
	try {
		const isOwn = realHistory(folder, 1);
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
			const share = shareOf(results);
			const source = isOwn ? 'this project’s history' : 'a made history, since this project’s own is not here';
			figures.push({
				name: `Files verified of patches made ${age} commits ago, without a clone and with no files by id`,
				goal: `≥ ${percent(goal)}`,
				measured: share,
				shown: percent(share),
				verdict: verdictOf(share >= goal),
				detail: `${results.length} files of ${patches.length} patches to ${source}; ${requestsOf(requests)}`,
			});
		}
		return figures;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function filesOf(text: string, sentMs: number, git: GitFileSources): Promise<readonly SeriesFile[]> {
	const diff = parseDiff(text);
	const finder = fileFinder(git.sources, { commit: undefined, sentMs });
	const files = seriesFiles({
		patches: [{ diff, diffText: text }],
		finder,
		turn: () => Promise.resolve(),
		ending: signal,
	});
	const places = diff.files.map((_, file) => ({ patch: 0, file }));
	const look = files.look('first');
	await look.prepare(places, signal);
	const made = await Promise.all(places.map((place) => look.file(place, signal)));
	return made.filter((each) => each !== undefined);
}

/** Each patchset in a window of its own. What no repository of the sample holds cannot be found. */
async function ofSampleWorld(): Promise<Figure> {
	await using owned = new AsyncDisposableStack();
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-whole-'));
	owned.defer(() => rmSync(folder, { recursive: true, force: true }));
	const forge = await startSampleForge({ dialect: 'field' });
	owned.defer(() => forge.stop());
	const net = openPackagedNet();
	owned.defer(() => net.close());
	const instance = { ...sampleInstance, areas: forge.areas };
	const me = '~alice';
	const connected = net.connectForge({ instance, me, tokenFor: () => forge.tokens.alice });
	cloneInto(folder, `${forge.areas.git}/~alice/lantern`);
	gitIn(folder, ['fetch', '--quiet', `${forge.areas.git}/~bob/wick`, '+refs/*:refs/wick/*']);
	const held = gitIn(folder, ['cat-file', '--batch-check=%(objectname)', '--batch-all-objects']).toString().split('\n');
	const results: SeriesFile[] = [];
	const requests: number[] = [];
	let absent = 0;
	for (const { wanted } of await readPatchsets(connected)) {
		const store = storeOver(connected, { me, beginWalk: () => Promise.resolve(net.beginWalk(instance, 'git')) });
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
	return {
		name: 'Files verified of all patchsets of the sample world that its repositories hold',
		goal: '≥ 100 %',
		measured: share,
		shown: percent(share),
		verdict: verdictOf(share >= 1),
		detail: `${verified} of ${results.length} files (${percent(shareOf(results))}), ${absent} of which no repository holds or no id is stated; ${requestsOf(requests)}`,
	};
}

function shareOf(results: readonly SeriesFile[]): number {
	return results.filter(({ whole }) => whole.kind === 'verified').length / results.length;
}

function requestsOf(requests: readonly number[]): string {
	const sorted = requests.toSorted((one, other) => one - other);
	const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
	return `requests per patchset: median ${at(0.5)}, 95th percentile ${at(0.95)}, at most ${at(1)}`;
}
