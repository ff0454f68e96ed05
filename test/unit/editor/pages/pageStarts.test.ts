import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { pageStarts, type PageStarts } from '../../../../src/editor/pages/pageStarts.ts';

interface Rig {
	readonly starts: PageStarts<string>;
	readonly heard: string[];
	/** What the next read comes to. */
	read: () => Promise<void>;
}

function rig(): Rig {
	const heard: string[] = [];
	const made: Rig = {
		heard,
		read: () => Promise.resolve(),
		starts: pageStarts({
			read: () => {
				heard.push('reads');
				return made.read();
			},
			forget: () => void heard.push('forgets'),
			start: (number) => `start ${number}`,
			failed: (number, error) => `failure at ${number}: ${String(error)}`,
			telling: {
				stopListening: () => void heard.push('stops'),
				listen: async () => void heard.push('listens'),
			},
			pause: () => turn(),
		}),
	};
	return made;
}

suite('the starts of a page', () => {
	test('a page that came with a start is told only what it does not know, and what was begun is not read twice', async () => {
		const { starts, heard } = rig();
		starts.begin();
		assert.equal(starts.first(), 'start 1');
		assert.equal(await starts.answer(1), 'start 1');
		assert.deepEqual(heard, ['reads', 'stops']);
		await turn();
		await turn();
		assert.deepEqual(heard, ['reads', 'stops', 'listens']);
	});

	test('a page without a start, one with another one, and one that asks again start anew', async () => {
		const { starts, heard } = rig();
		assert.equal(await starts.answer(0), 'start 1');
		assert.equal(await starts.answer(1), 'start 2');
		assert.equal(await starts.answer(7), 'start 3');
		assert.equal(heard.filter((each) => each === 'forgets').length, 3);
	});

	test('only the latest that asked is listened for', async () => {
		const { starts, heard } = rig();
		await Promise.all([starts.answer(0), starts.answer(0)]);
		await turn();
		await turn();
		assert.equal(heard.filter((each) => each === 'listens').length, 1);
	});

	test('a failure is an answer, is heard of by nobody else, and is over when it is read again', async () => {
		const made = rig();
		made.read = () => Promise.reject(new Error('no line'));
		made.starts.begin();
		assert.equal(await made.starts.answer(0), 'failure at 0: Error: no line');
		assert.deepEqual(made.heard, ['reads', 'stops']);
		made.read = () => Promise.resolve();
		assert.equal(await made.starts.answer(0), 'start 1');
	});
});
