import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { comparedLines, madeDiff, type Row } from './bigDiff.ts';
import { keep } from './keep.ts';
import type { Figure, Size } from './measurement.ts';
import { packagePeer } from './peers.ts';

const filesByPeer = v.array(
	v.object({
		from: v.string(),
		to: v.string(),
		additions: v.number(),
		deletions: v.number(),
		chunks: v.array(v.object({ changes: v.array(v.object({ content: v.string() })) })),
	}),
);

export async function measure(size: Size): Promise<readonly Figure[]> {
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-parse-diff-'));
	const parse = packagePeer('parse-diff');
	const text = madeDiff(temporary.path, size);
	const rows = v.parse(filesByPeer, parse(text)).map(({ from, to, additions, deletions, chunks }): Row => {
		const lines = chunks.flatMap(({ changes }) => changes.map(({ content }) => content));
		// It takes the marker of a missing line feed for a line.
		const length = lines.reduce((sum, line) => sum + (line.startsWith('\\') ? 0 : line.length), 0);
		return [to === '/dev/null' ? from : to, additions, deletions, length];
	});
	const run = async (): Promise<void> => keep(parse(text));
	return [await comparedLines(text, rows, { name: 'parse-diff', run }, size)];
}
