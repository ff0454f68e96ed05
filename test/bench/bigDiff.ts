import assert from 'node:assert/strict';
import { join } from 'node:path';
import { hunkLines, type HunkLine } from 'patchmail/patch/hunkLines.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { gitIn } from '../support/patchMakerGit.ts';
import { counted, ratioFigure } from './figures.ts';
import { compare, type Contender } from './interleaved.ts';
import { keep } from './keep.ts';
import { manyPatches } from './manyPatches.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = { full: { patches: 500, rounds: 21 }, smallest: { patches: 12, rounds: 1 } } as const;
const mostRatio = 0.5;

/** Path, added lines, removed lines, and the length of all lines, each with its sign. */
export type Row = readonly [path: string, added: number, removed: number, length: number];

/** All changes of a made history, one after another. */
export function madeDiff(folder: string, size: Size): string {
	manyPatches(folder, sizes[size].patches);
	return gitIn(join(folder, 'repository'), ['log', '--reverse', '-p', '-M', '--format=', 'main']).toString();
}

/** All lines of the diff, against another program that found `rows`. */
export async function comparedLines(
	text: string,
	rows: readonly Row[],
	baseline: Contender,
	size: Size,
): Promise<Figure> {
	const files = read(text);
	const own = files.map(({ path, added, removed, lines }): Row => [
		path,
		added,
		removed,
		lines.reduce((sum, line) => sum + 1 + line.text.length, 0),
	]);
	assert.deepEqual(own, rows, `${baseline.name} finds other files or lines`);
	const ours = { name: 'ours', run: async () => keep(read(text)) };
	const comparison = await compare(ours, baseline, sizes[size].rounds);
	const megabytes = (Buffer.byteLength(text) / 1e6).toFixed(1);
	const name = `All lines of a diff of ${megabytes} MB with ${counted(files.length)} files, to ${baseline.name}`;
	return ratioFigure(name, mostRatio, comparison);
}

interface ReadFile {
	readonly path: string;
	readonly added: number;
	readonly removed: number;
	readonly lines: readonly HunkLine[];
}

/** Makes each line, as the others do. The product makes those of an open file alone. */
function read(text: string): readonly ReadFile[] {
	return parseDiff(text).files.map(({ newPath, oldPath, added, removed, content }) => {
		const lines: HunkLine[] = [];
		for (const hunk of content.kind === 'text' ? content.hunks : []) {
			for (const line of hunkLines(text, hunk)) {
				lines.push(line);
			}
		}
		return { path: newPath ?? oldPath ?? '', added, removed, lines };
	});
}
