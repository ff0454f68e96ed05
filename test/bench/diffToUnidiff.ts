import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { comparedLines, madeDiff } from './bigDiff.ts';
import type { Figure, Size } from './measurement.ts';
import { peerEnvironment, pythonPeer } from './peers.ts';

const rowsByPeer = v.array(v.tuple([v.string(), v.number(), v.number(), v.number()]));

export async function measure(size: Size): Promise<readonly Figure[]> {
	await using owned = new AsyncDisposableStack();
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-unidiff-'));
	const text = madeDiff(temporary.path, size);
	const path = join(temporary.path, 'all.diff');
	writeFileSync(path, text);
	const { told, contender } = await pythonPeer('unidiff', [path], peerEnvironment(temporary.path), owned);
	return [await comparedLines(text, v.parse(rowsByPeer, told), contender, size)];
}
