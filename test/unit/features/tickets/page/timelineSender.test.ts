import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { TimelineSender, type TimelineShown } from '../../../../../src/features/tickets/page/timelineSender.ts';
import type { TicketEvent } from '../../../../../src/forge/ticket.ts';
import { makeEvent } from '../../../../support/makeTicket.ts';

const never = (): boolean => false;

function shown(events: readonly TicketEvent[], change: Partial<TimelineShown> = {}): TimelineShown {
	return {
		listing: { items: events, completeness: { kind: 'complete' } },
		counts: '',
		newFrom: undefined,
		isOldestFirst: false,
		view: ({ id, createdMs }) => ({ id, atMs: createdMs, lines: [], comment: undefined, href: 'https://x.test/' }),
		look: undefined,
		...change,
	};
}

const events = [3, 2, 1].map((id) => makeEvent({ id }));

function idsOf(change: ReturnType<TimelineSender['next']>): readonly number[] {
	return change?.kind === 'entries' ? change.put.map(({ id }) => id) : [];
}

suite('telling a timeline', () => {
	test('everything is told once, and then only what is different', () => {
		const sender = new TimelineSender();
		const first = sender.next(shown(events), never);
		assert.deepEqual([idsOf(first), first?.kind === 'entries' && first.isWhole], [[3, 2, 1], true]);
		assert.equal(sender.next(shown(events), never), undefined);
		const read = events.map((event) => ({ ...event }));
		assert.equal(sender.next(shown(read), never), undefined, 'read again and the same');
		const changed = sender.next(
			shown([makeEvent({ id: 4 }), ...read.with(0, makeEvent({ id: 3, createdMs: 5 }))]),
			never,
		);
		assert.deepEqual([idsOf(changed), changed?.kind === 'entries' && changed.isWhole], [[4, 3], false]);
	});

	test('it comes in slices, those first that are seen first', () => {
		const sender = new TimelineSender();
		const slices: (readonly number[])[] = [];
		for (let goesOn = true; goesOn;) {
			const change = sender.next(shown(events, { isOldestFirst: true }), () => true);
			slices.push(idsOf(change));
			goesOn = change?.kind === 'entries' && change.goesOn;
		}
		assert.deepEqual(
			slices.filter(({ length }) => length > 0),
			[[1], [2], [3]],
		);
	});

	test('what is gone is told, and after a reset everything is told anew', () => {
		const sender = new TimelineSender();
		sender.next(shown(events), never);
		const change = sender.next(shown(events.slice(1)), never);
		assert.deepEqual(change?.kind === 'entries' && change.gone, [3]);
		sender.reset();
		assert.deepEqual(idsOf(sender.next(shown(events), never)), [3, 2, 1]);
	});
});
