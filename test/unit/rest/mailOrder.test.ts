import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isForgeError } from '../../../src/forge/forgeError.ts';
import type { Email } from '../../../src/forge/list.ts';
import { emailSegment, seriesOrder, threadOrder } from '../../../src/rest/restLists.ts';
import { counts, seed } from '../../support/counts.ts';

function mail(id: number, parentId: number | undefined, createdMs: number, subject = ''): Email {
	return {
		id,
		createdMs,
		subject,
		messageId: `<${id}@forge.test>`,
		parentId,
		threadId: 1,
		list: undefined,
		sender: undefined,
		patchsetId: undefined,
		isPatch: true,
		isRequestPull: false,
		replies: 0,
		participants: 0,
		envelope: '',
	};
}

suite('Threads', () => {
	test('come by time, first mail first', () => {
		const mails = [mail(1, undefined, 10), mail(3, 1, 30), mail(2, 1, 20), mail(4, 2, 40)];
		assert.deepEqual(
			threadOrder(mails).map(({ id }) => id),
			[1, 2, 3, 4],
		);
	});

	test('never show an answer before what it answers, whatever the clocks said', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.nat(), fc.nat(100)), { maxLength: 30 }),
				fc.infiniteStream(fc.nat()),
				(links, dice) => {
					const mails = links.map(([parent, time], place) =>
						mail(place, place === 0 ? undefined : parent % place, time),
					);
					const shuffled = mails.map((each) => [dice.next().value, each] as const).toSorted(([a], [b]) => a - b);
					const ordered = threadOrder(shuffled.map(([, each]) => each));
					assert.equal(ordered.length, mails.length);
					const places = new Map(ordered.map(({ id }, place) => [id, place]));
					for (const { id, parentId } of ordered) {
						assert.ok(parentId === undefined || places.get(parentId)! < places.get(id)!);
					}
				},
			),
			{ numRuns: counts({ small: 100, full: 5000 }), seed: seed() },
		);
	});

	test('end although a server sends them in a circle', () => {
		const ordered = threadOrder([mail(1, 2, 1), mail(2, 1, 2), mail(3, 3, 3)]);
		assert.deepEqual(new Set(ordered.map(({ id }) => id)), new Set([1, 2, 3]));
	});
});

suite('Series', () => {
	test('come in the order of their numbers', () => {
		const patches = ['[PATCH proj v2 10/11] j', '[PATCH proj v2 2/11] b', '[PATCH proj v2 1/11] a [1/2]'];
		const ordered = seriesOrder(patches.map((subject, place) => mail(place, undefined, 0, subject)));
		assert.deepEqual(
			ordered.map(({ id }) => id),
			[2, 1, 0],
		);
	});

	test('without numbers stay as the server put them', () => {
		const patches = [mail(2, undefined, 2, '[PATCH] b'), mail(1, undefined, 1, '[PATCH 1/2] a')];
		assert.deepEqual(seriesOrder(patches), patches);
	});
});

suite('Names of mails', () => {
	test('are their number or their Message-ID with brackets', () => {
		assert.equal(emailSegment(12), '12');
		assert.equal(emailSegment({ messageId: '<a@forge.test>', list: undefined }), '<a@forge.test>');
		assert.equal(emailSegment({ messageId: 'a@forge.test', list: undefined }), '<a@forge.test>');
	});

	test('with a slash are refused, and nobody is asked', () => {
		assert.throws(
			() => emailSegment({ messageId: '<a/b@forge.test>', list: undefined }),
			(error) =>
				isForgeError(error) && error.problem.kind === 'invalid' && error.problem.errors[0]?.own === 'slashInMessageId',
		);
	});
});
