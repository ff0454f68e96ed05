import assert from 'node:assert/strict';
import { join } from 'node:path';
import { searchWorker } from '../../../../src/machine/threads/searchWorker.ts';
import { readTextQuery, type TextPattern } from '../../../../src/engine/search/texts/textQuery.ts';
import type { TextSearcher } from '../../../../src/engine/search/texts/textSearcher.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { systemClock } from '../../../support/contractForge.ts';
import { quietLog } from '../../../support/quietLog.ts';

const { signal } = new AbortController();

function patternOf(text: string): TextPattern {
	const reading = readTextQuery({ text, matchCase: true, wholeWord: false, isRegex: true });
	assert.equal(reading.kind, 'pattern');
	return reading.pattern;
}

suite('search worker', () => {
	let worker: TextSearcher & Disposable;
	setup(() => {
		worker = searchWorker(
			{
				programPath: join(import.meta.dirname, '../../../../src/engine/search/texts/searchText.ts'),
				clock: systemClock,
				log: quietLog(),
			},
			1500,
		);
	});
	teardown(() => worker.dispose());

	test('finds matches, also in part of a larger buffer', async () => {
		const bytes = new TextEncoder().encode('no\nneedle\n').subarray(3);
		const found = await worker.search({ bytes, pattern: patternOf('ne+dle'), mostLines: 10 }, signal);
		assert.deepEqual(found, {
			kind: 'lines',
			lines: [{ line: 0, column: 0, endColumn: 6, text: 'needle', ranges: [[0, 6]] }],
			isCut: false,
		});
	}).timeout(30_000);

	test('gives up on a catastrophic pattern without blocking, and searches the next file', async () => {
		const hostile = new TextEncoder().encode(`${'a'.repeat(60)}!`);
		let turns = 0;
		const ticking = setInterval(() => (turns += 1), 10);
		const outcome = await worker.search({ bytes: hostile, pattern: patternOf('^(a+)+$'), mostLines: 10 }, signal);
		clearInterval(ticking);
		assert.deepEqual(outcome, { kind: 'tooSlow' });
		assert.ok(turns > 20, `${turns}`);
		const next = await worker.search({ bytes: new Uint8Array([97]), pattern: patternOf('a'), mostLines: 1 }, signal);
		assert.equal(next.kind, 'lines');
	}).timeout(30_000);
});
