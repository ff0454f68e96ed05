import assert from 'node:assert/strict';
import type { KeptItem } from '../../../../src/store/inbox/inboxBook.ts';
import type { InboxEvent, InboxReason } from '../../../../src/store/inbox/inboxEntry.ts';
import { inboxGroup, needsAnswer, shownItems } from '../../../../src/store/inbox/inboxGroup.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';

const asking: readonly InboxReason[] = ['mentioned', 'assigned', 'reviewAsked', 'answered', 'newVersion'];
const others: readonly InboxReason[] = ['mine', 'participating', 'followed'];
const all = [...asking, ...others];
const comment = (status?: 'resolved' | 'reported'): InboxEvent => ({
	kind: 'commented',
	eventId: 1,
	excerpt: 'Yes',
	moved: status && { status, resolution: undefined },
});
const marked = (status: 'needs_revision' | 'applied'): InboxEvent => ({ kind: 'patchsetMarked', status });

const item = (id: string, state: KeptItem['state'], change: Partial<KeptItem> & { readonly isAsking?: true } = {}) => {
	const { isAsking, ...rest } = change;
	return { entry: makeEntry(id, 0, isAsking ? { reason: 'mentioned' } : {}), state, stateMs: 0, ...rest };
};

suite('groups of the inbox', () => {
	for (const [event, reasons] of [
		[comment(), asking],
		[comment('reported'), asking],
		[comment('resolved'), ['mentioned']],
		[{ kind: 'ticketCreated' }, asking],
		[{ kind: 'mailArrived', mailId: 1, subject: 'Re: Lamps' }, asking],
		[{ kind: 'patchsetReceived', version: 2 }, asking],
		[{ kind: 'assigned', eventId: 1, to: '~alice' }, asking],
		[{ kind: 'namedByTicket', eventId: 1, from: undefined }, ['mentioned']],
		[marked('needs_revision'), ['answered']],
		[marked('applied'), []],
		[{ kind: 'statusChanged', eventId: 1, moved: { status: 'reported', resolution: undefined } }, []],
		[{ kind: 'labelled', eventId: 1, labels: ['bug'] }, []],
		[{ kind: 'unlabelled', eventId: 1, labels: ['bug'] }, []],
		[{ kind: 'unassigned', eventId: 1, to: '~alice' }, []],
		[{ kind: 'pushed', changes: [] }, []],
	] as const satisfies readonly (readonly [InboxEvent, readonly InboxReason[]])[]) {
		const { kind } = event;
		const title =
			'moved' in event ? `${kind} ${event.moved?.status ?? 'alone'}` : 'status' in event ? event.status : kind;
		test(`${title}: ${reasons.length === 0 ? 'never needs an answer' : `needs one if ${reasons.join(', ')}`}`, () => {
			assert.deepEqual(
				all.filter((reason) => needsAnswer({ ...makeEntry('a', 0), reason, event })),
				reasons,
			);
		});
	}

	test('a thing needs an answer while one of its open entries does, read or not', () => {
		assert.equal(inboxGroup([item('a', 'unread'), item('b', 'read', { isAsking: true })]), 'needsAnswer');
		assert.equal(inboxGroup([item('a', 'unread'), item('b', 'done', { isAsking: true })]), 'forInformation');
		assert.equal(inboxGroup([item('a', 'done'), { ...item('b', 'read'), state: 'snoozed' }]), 'snoozed');
		assert.equal(inboxGroup([item('a', 'done')]), 'done');
	});
});

suite('snoozed entries', () => {
	const states = (...items: readonly KeptItem[]): readonly string[] =>
		shownItems(items, 100).map(({ state, untilMs }) => [state, untilMs].join(' ').trim());

	test('hide their thing, with later entries that need no answer', () => {
		const snoozed = item('a', 'unread', { isAsking: true, untilMs: 101 });
		assert.deepEqual(states(snoozed, item('b', 'unread'), item('c', 'read'), item('d', 'done')), [
			'snoozed 101',
			'snoozed 101',
			'snoozed 101',
			'done',
		]);
	});

	test('come back with an entry that needs an answer', () => {
		const snoozed = item('a', 'unread', { isAsking: true, untilMs: 101 });
		assert.deepEqual(states(snoozed, item('b', 'unread', { isAsking: true })), ['unread', 'unread']);
		assert.deepEqual(states(snoozed, item('b', 'done', { isAsking: true })), ['snoozed 101', 'done']);
	});

	test('wait for the latest of their times', () => {
		const [later, sooner] = [item('a', 'unread', { untilMs: 103 }), item('b', 'unread', { untilMs: 102 })];
		assert.deepEqual(
			[states(later, sooner), states(sooner, later)],
			[
				['snoozed 103', 'snoozed 103'],
				['snoozed 103', 'snoozed 103'],
			],
		);
	});

	test('come back when due, as unread', () => {
		assert.deepEqual(states(item('a', 'unread', { untilMs: 100 })), ['unread 100']);
	});

	test('leave other things alone', () => {
		const other: KeptItem = { ...item('b', 'unread'), entry: makeEntry('b', 0, { ticket: 8 }) };
		assert.deepEqual(states(item('a', 'unread', { untilMs: 101 }), other), ['snoozed 101', 'unread']);
	});
});
