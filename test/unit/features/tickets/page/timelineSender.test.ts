import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TimelineShown } from '../../../../../src/features/tickets/page/changePublisher.ts';
import type { TicketEvent } from 'sourcehut/port/ticket.ts';
import type { TimelineChange } from '../../../../../src/pages/protocol/ticketProtocol.ts';
import { makeEvent } from '../../../../support/makeTicket.ts';

const { TimelineSender } = await import('../../../../../src/features/tickets/page/changePublisher.ts');

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

function idsOf(change: TimelineChange | undefined): readonly number[] {
	return change?.kind === 'entries' ? change.put.map(({ id }) => id) : [];
}

suite('timeline sender', () => {
	test('sends everything once, then only differences', () => {
		const sender = new TimelineSender();
		const first = sender.next(shown(events), never).change;
		assert.deepEqual([idsOf(first), first?.kind === 'entries' && first.isWhole], [[3, 2, 1], true]);
		assert.equal(sender.next(shown(events), never).change, undefined);
		const read = events.map((event) => ({ ...event }));
		assert.equal(sender.next(shown(read), never).change, undefined, 'read again and the same');
		const changed = sender.next(
			shown([makeEvent({ id: 4 }), ...read.with(0, makeEvent({ id: 3, createdMs: 5 }))]),
			never,
		).change;
		assert.deepEqual([idsOf(changed), changed?.kind === 'entries' && changed.isWhole], [[4, 3], false]);
	});

	test('sends slices in display order', () => {
		const sender = new TimelineSender();
		const slices: (readonly number[])[] = [];
		for (let goesOn = true; goesOn;) {
			const slice = sender.next(shown(events, { isOldestFirst: true }), () => true);
			slices.push(idsOf(slice.change));
			({ goesOn } = slice);
		}
		assert.deepEqual(slices, [[1], [2], [3]]);
	});

	test('prepares entries in earlier slices, and sends no empty timeline in the meantime', () => {
		const sender = new TimelineSender();
		const needs = new Map([
			[3, 2],
			[2, 1],
		]);
		const prepare = ({ id }: TicketEvent): boolean => {
			const left = needs.get(id) ?? 0;
			needs.set(id, left - 1);
			return left > 0;
		};
		const slices = Array.from({ length: 4 }, () => sender.next(shown(events, { prepare }), never));
		assert.deepEqual(
			slices.map(({ change, goesOn }) => [change && idsOf(change), goesOn]),
			[
				[undefined, true],
				[undefined, true],
				[[3], true],
				[[2, 1], false],
			],
		);
	});

	test('compares a thousand unchanged entries in slices, and sends nothing', () => {
		const sender = new TimelineSender();
		const many = Array.from({ length: 1000 }, (_, at) => makeEvent({ id: 1000 - at }));
		sender.next(shown(many), never);
		const again = shown(many.map((event) => ({ ...event })));
		let looked = 0;
		let most = 0;
		let slices = 0;
		const view: TimelineShown['view'] = (event) => {
			looked += 1;
			return again.view(event);
		};
		for (let goesOn = true; goesOn;) {
			looked = 0;
			const slice = sender.next({ ...again, view }, () => looked >= 10);
			assert.equal(slice.change, undefined);
			({ goesOn } = slice);
			most = Math.max(most, looked);
			slices += 1;
		}
		assert.deepEqual([most, slices], [10, 100]);
	});

	test('ends even when the look differs on each call', () => {
		const sender = new TimelineSender();
		const slices: (readonly number[])[] = [];
		for (let goesOn = true; goesOn;) {
			assert.ok(slices.length < 10, 'it goes on and on');
			const slice = sender.next(shown(events, { look: {} }), () => true);
			slices.push(idsOf(slice.change));
			({ goesOn } = slice);
		}
		assert.deepEqual(slices, [[3], [2], [1]]);
	});

	test('sends a change during a transfer after that transfer', () => {
		const sender = new TimelineSender();
		sender.next(shown(events), () => true);
		const view: TimelineShown['view'] = (event) => ({ ...shown(events).view(event), href: 'https://y.test/' });
		const rest = sender.next(shown(events, { view, look: 'other' }), never);
		assert.deepEqual([idsOf(rest.change), rest.goesOn], [[2, 1], false]);
		sender.begin();
		assert.deepEqual(idsOf(sender.next(shown(events, { view, look: 'other' }), never).change), [3]);
	});

	test('sends the end to a page that expects more', () => {
		const sender = new TimelineSender();
		const first = sender.next(shown(events), () => true);
		assert.equal(first.change?.kind === 'entries' && first.change.goesOn, true);
		// The pending entries are gone, and the page has all others.
		const last = sender.next(shown(events.slice(0, 1)), never);
		assert.ok(last.change?.kind === 'entries');
		assert.deepEqual([last.change.put, last.change.goesOn], [[], false]);
		assert.equal(sender.next(shown(events.slice(0, 1)), never).change, undefined);
	});

	test('sends removals along with new entries', () => {
		const sender = new TimelineSender();
		sender.next(shown(events), never);
		const { change } = sender.next(shown([9, 8, 7, 6].map((id) => makeEvent({ id }))), never);
		assert.deepEqual(change?.kind === 'entries' && change.gone, [3, 2, 1]);
	});

	test('sends removals, and everything again after a reset', () => {
		const sender = new TimelineSender();
		sender.next(shown(events), never);
		const { change } = sender.next(shown(events.slice(1)), never);
		assert.deepEqual(change?.kind === 'entries' && change.gone, [3]);
		sender.reset();
		assert.deepEqual(idsOf(sender.next(shown(events), never).change), [3, 2, 1]);
	});
});
