import assert from 'node:assert/strict';
import { mkdirSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rangeDiffText } from 'patchmail/review/rangeDiffText.ts';
import { rangePatch } from 'patchmail/review/rangePatch.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import { compared } from '../support/comparedVersions.ts';
import { envelopeOf } from '../support/envelopeOf.ts';
import type { MadeTree } from '../support/madeTree.ts';
import { commitTrees, gitIn, patchMails } from '../support/patchMakerGit.ts';
import { ratioFigure } from './figures.ts';
import { compare, type Contender } from './interleaved.ts';
import { keep } from './keep.ts';
import { plainTrees } from './manyPatches.ts';
import type { Figure, Size } from './measurement.ts';
import { readEnvelopes } from './readSeries.ts';

const sizes = {
	full: { patches: [40, 120], rounds: 21 },
	smallest: { patches: [6], rounds: 1 },
} as const;
const mostRatio = 0.15;

/** Compares two versions of a series by their mails, as git does with their commits in a clone. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { patches, rounds } = sizes[size];
	const figures: Figure[] = [];
	for (const count of patches) {
		figures.push(...(await comparedToGit(count, rounds)));
	}
	return figures;
}

interface Version {
	readonly range: string;
	readonly ids: readonly string[];
	readonly envelopes: readonly Buffer[];
}

async function comparedToGit(count: number, rounds: number): Promise<readonly Figure[]> {
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-range-diff-'));
	const folder = temporary.path;
	const trees = plainTrees(count);
	// The last patch is gone.
	const [before, after] = [version(folder, 'before', trees), version(folder, 'after', revised(trees).slice(0, -1))];
	const repository = join(folder, 'before');
	gitIn(repository, ['fetch', '--quiet', '../after', 'main:after']);
	gitIn(repository, ['repack', '-adq']);
	const inGit = (...ranges: readonly string[]): string =>
		gitIn(repository, ['range-diff', '--no-color', ...ranges]).toString();
	const git: Contender = { name: 'git range-diff', run: async () => keep(inGit(before.range, after.range)) };
	const [old, young] = [readVersion(before), readVersion(after)];
	const expected = inGit(before.range, after.range);
	assert.equal(textOf(old, young), expected, 'git range-diff shows something else');

	const fromRead = { name: 'from read mails', run: async () => keep(textOf(old, young)) };
	const fromRaw = { name: 'from raw mails', run: async () => keep(textOf(readVersion(before), readVersion(after))) };
	const signs = Array.from(expected.matchAll(/^ *(?:\d+|-): +[0-9a-f-]+ ([=!<>])/gm), ([, sign]) => sign);
	const of = (wanted: string): number => signs.filter((sign) => sign === wanted).length;
	const pairs = `${of('=')} equal, ${of('!')} changed, ${of('<')} removed, ${of('>')} added`;
	const detail = `${pairs}; git takes ${emptyMs(inGit).toFixed(0)} ms for empty ranges`;
	const name = `Range-diff of ${count} patches from both versions’ mails`;
	return [
		ratioFigure(`${name}, which are read, to git range-diff`, mostRatio, await compare(fromRead, git, rounds)),
		ratioFigure(`${name}, as they arrive, to git range-diff`, mostRatio, await compare(fromRaw, git, rounds)),
	].map((figure) => ({ ...figure, detail: `${figure.detail}; ${detail}` }));
}

interface ReadVersion {
	readonly series: SeriesReading;
	readonly ids: readonly string[];
}

function readVersion({ envelopes, ids }: Version): ReadVersion {
	return { series: readEnvelopes(envelopes), ids };
}

function textOf(...versions: readonly [ReadVersion, ReadVersion]): string {
	const [old, young] = versions.map(({ series, ids }) =>
		series.patches.map(({ patch }, at) => rangePatch(patch, ids[at])),
	);
	assert.ok(old && young);
	return rangeDiffText(compared(old, young).pairs, old, young);
}

/** The start of git and of all programs that it starts, in the fastest of a few runs. */
function emptyMs(inGit: (...ranges: readonly string[]) => string): number {
	const times = Array.from({ length: 5 }, () => {
		const beganMs = performance.now();
		inGit('main', 'main', 'main');
		return performance.now() - beganMs;
	});
	return Math.min(...times);
}

function version(folder: string, name: string, trees: readonly MadeTree[]): Version {
	const repository = join(folder, name);
	mkdirSync(repository);
	commitTrees(repository, trees);
	const count = trees.length - 1;
	const ids = gitIn(repository, [
		'rev-list',
		'--reverse',
		'--abbrev-commit',
		`--max-count=${count}`,
		'main',
	]).toString();
	const envelopes = patchMails(repository, 0, count, []).map((mail) => Buffer.from(envelopeOf(mail)));
	const tip = gitIn(repository, ['rev-parse', 'main']).toString().trim();
	return { range: `${tip}~${count}..${tip}`, ids: ids.trim().split('\n'), envelopes };
}

/** The same history with another line in every third file, from its fourth patch on. */
function revised(trees: readonly MadeTree[]): readonly MadeTree[] {
	return trees.map((tree, at): MadeTree => {
		const files = Array.from(tree, ([path, file], place) => {
			const lines = file.content.toString().split('\n');
			lines.splice(Math.floor(lines.length / 2), 0, 'A line that only the second version has.');
			const content = at > 3 && place % 3 === 0 ? Buffer.from(lines.join('\n')) : file.content;
			return [path, { ...file, content }] as const;
		});
		return new Map(files);
	});
}
