import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Email } from 'sourcehut/port/list.ts';
import { mailOrder } from '../../src/mail/mailOrder.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { makeMail } from '../../../../test/support/makeMail.ts';

function mail(id: number, parentId: number | undefined, createdMs: number): Email {
	return makeMail({ id, parentId, createdMs });
}

suite('messages of a thread', () => {
	test('are sorted by time, oldest first', () => {
		const mails = [mail(1, undefined, 10), mail(3, 1, 30), mail(2, 1, 20), mail(4, 2, 40)];
		assert.deepEqual(
			mailOrder(mails).map(({ id }) => id),
			[1, 2, 3, 4],
		);
	});

	test('never show a reply before its parent, regardless of clocks', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.nat(), fc.nat(100)), { maxLength: 30 }),
				fc.infiniteStream(fc.nat()),
				(links, dice) => {
					const mails = links.map(([parent, time], place) =>
						mail(place, place === 0 ? undefined : parent % place, time),
					);
					const shuffled = mails.map((each) => [dice.next().value, each] as const).toSorted(([a], [b]) => a - b);
					const ordered = mailOrder(shuffled.map(([, each]) => each));
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

	test('are all listed even if their parents form a cycle', () => {
		const ordered = mailOrder([mail(1, 2, 1), mail(2, 1, 2), mail(3, 3, 3)]);
		assert.deepEqual(new Set(ordered.map(({ id }) => id)), new Set([1, 2, 3]));
	});
});
