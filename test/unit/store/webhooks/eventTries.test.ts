import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { webhookEvents } from 'sourcehut/rest/restWebhooks.ts';
import {
	afterRefused,
	afterTaken,
	nextTry,
	notRefused,
	noTries,
	triesAt,
	type EventTries,
} from '../../../../src/store/webhooks/webhookBook.ts';
import { counts, seed } from '../../../support/counts.ts';

/** Requests until nothing is left to try; returns the accepted events and the number of requests. */
function tried(
	all: readonly string[],
	doubtful: readonly string[],
	refused: readonly string[],
): { readonly tries: EventTries; readonly requests: number } {
	let tries = noTries;
	let requests = 0;
	const isOpen = (event: string): boolean => !tries.taken.includes(event);
	while (notRefused(all, tries).some(isOpen)) {
		const asked = nextTry(all, tries, doubtful);
		const isRefused = asked.some((event) => refused.includes(event));
		tries = isRefused ? afterRefused(tries, asked, 1) : afterTaken(tries, asked, 1);
		requests += 1;
	}
	return { tries, requests };
}

suite('search for rejected webhook events', () => {
	test('identifies exactly the rejected events of any set', () => {
		fc.assert(
			fc.property(
				fc
					.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
					.chain((all) => fc.tuple(fc.constant(all), fc.subarray(all), fc.subarray(all))),
				([all, doubtful, refused]) => {
					const { tries, requests } = tried(all, doubtful, refused);
					assert.deepEqual(tries.refused.toSorted(), refused.toSorted());
					assert.deepEqual(
						notRefused(all, tries),
						all.filter((event) => !refused.includes(event)),
					);
					assert.ok(requests <= 1 + 6 * refused.length, `${requests} requests for ${refused.length} of ${all.length}`);
				},
			),
			{ numRuns: counts({ small: 500, full: 50_000 }), seed: seed() },
		);
	});

	test('needs the minimum of requests for the known differences between servers', () => {
		for (const { all, doubtful } of Object.values(webhookEvents)) {
			assert.equal(tried(all, doubtful, []).requests, 1);
			assert.equal(tried(all, doubtful, doubtful).requests, [1, 2, 4][doubtful.length]);
		}
	});

	test('tries rejected events again at their time', () => {
		const tries = { ...noTries, taken: ['a'], refused: ['b'], againMs: 100 };
		assert.deepEqual(nextTry(['a', 'b'], triesAt(tries, 99), []), ['a']);
		assert.deepEqual(nextTry(['a', 'b'], triesAt(tries, 100), []), ['a', 'b']);
		assert.deepEqual(afterRefused(triesAt(tries, 100), ['a', 'b'], 200).refused, ['b']);
	});

	test('never blames events that the server accepted before', () => {
		const tries = { ...noTries, taken: ['a'] };
		assert.equal(afterRefused(tries, ['a'], 1), tries);
	});
});
