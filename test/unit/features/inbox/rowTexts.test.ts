import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Patchset } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import type { InboxEntry, InboxEvent, InboxReason } from '../../../../src/store/inbox/inboxEntry.ts';
import type { ListStore } from '../../../../src/store/lists/listStore.ts';
import { fake } from '../../../support/fake.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { plainWords } from './support/inboxWorld.ts';

const { rowLabel } = await import('../../../../src/features/inbox/rowTexts.ts');

const list = { owner: '~alice', name: 'devel' };
const ticket = makeEntry('a', 0).thing;
const thread: InboxEntry['thing'] = { kind: 'thread', list, id: 5, subject: 'Talk' };
const patchset: InboxEntry['thing'] = { kind: 'patchset', ref: { list, id: 1 }, subject: 'Trim the wick' };
const repository: InboxEntry['thing'] = { kind: 'repository', ref: { owner: '~alice', name: 'lantern' } };

/** A row with this newest entry, of a patchset whose version the list knows. */
function labelOf(
	reason: InboxReason,
	event: InboxEvent,
	thing: InboxEntry['thing'],
	known = 1,
	...older: readonly InboxEvent[]
): string {
	const itemOf = (each: InboxEvent) =>
		({ entry: { ...makeEntry('a', 0), reason, event: each, thing }, state: 'unread', stateMs: 0 }) as const;
	const leading = itemOf(event);
	const lists = fake<ListStore>({ knownPatchset: () => fake<Patchset>({ version: known }) });
	const of = {
		key: '',
		thing,
		items: [leading, ...older.map(itemOf)],
		unreadCount: 1,
		group: 'needsAnswer',
		leading,
		isMuted: false,
	} as const;
	return rowLabel(of, fake<Connection>({ lists }), plainWords);
}

const comment = (moved?: 'resolved'): InboxEvent => ({
	kind: 'commented',
	eventId: 1,
	excerpt: 'Yes',
	moved: moved && { status: moved, resolution: undefined },
});
const mail = (mailId: number, subject: string): InboxEvent => ({ kind: 'mailArrived', mailId, subject });

suite('labels of inbox rows', () => {
	const rows: readonly (readonly [string, InboxReason, InboxEvent, InboxEntry['thing'], number?])[] = [
		['New ticket · Ticket 7', 'followed', { kind: 'ticketCreated' }, ticket],
		['Mentioned · Ticket 7', 'mentioned', { kind: 'ticketCreated' }, ticket],
		['Commented · Ticket 7', 'assigned', comment(), ticket],
		['Mentioned · Ticket 7', 'mentioned', comment('resolved'), ticket],
		['resolved · Ticket 7', 'mine', comment('resolved'), ticket],
		['Labels changed · Ticket 7', 'mine', { kind: 'labelled', eventId: 1, labels: ['bug'] }, ticket],
		['Labels changed · Ticket 7', 'mine', { kind: 'unlabelled', eventId: 1, labels: ['bug'] }, ticket],
		[
			'reported · Ticket 7',
			'mine',
			{ kind: 'statusChanged', eventId: 1, moved: { status: 'reported', resolution: undefined } },
			ticket,
		],
		['Assignees changed · Ticket 7', 'mine', { kind: 'unassigned', eventId: 1, to: '~carol' }, ticket],
		['Assigned · Ticket 7', 'assigned', { kind: 'assigned', eventId: 1, to: '~alice' }, ticket],
		['Assignees changed · Ticket 7', 'mine', { kind: 'assigned', eventId: 1, to: '~carol' }, ticket],
		['Mentioned · Ticket 7', 'mine', { kind: 'namedByTicket', eventId: 1, from: undefined }, ticket],
		['New thread · Talk', 'followed', mail(5, 'Talk'), thread],
		['New reply · Talk', 'participating', mail(6, 'Re: Talk'), thread],
		['Mentioned · Talk', 'mentioned', mail(6, 'Re: Talk'), thread],
		['Replied · v2 Trim the wick', 'answered', mail(6, 'Re: [PATCH v2] Trim the wick'), patchset],
		['New v2 · Trim the wick', 'newVersion', mail(6, '[PATCH v2] Trim the wick'), patchset],
		['Mentioned · v2 Trim the wick', 'mentioned', mail(6, '[PATCH v2] Trim the wick'), patchset],
		['To review · Trim the wick', 'reviewAsked', { kind: 'patchsetReceived', version: 1 }, patchset],
		['New patchset · Trim the wick', 'followed', { kind: 'patchsetReceived', version: 1 }, patchset],
		['New v3 · Trim the wick', 'reviewAsked', { kind: 'patchsetReceived', version: 3 }, patchset],
		['superseded · Trim the wick', 'followed', { kind: 'patchsetMarked', status: 'superseded' }, patchset],
		['applied · v2 Trim the wick', 'answered', { kind: 'patchsetMarked', status: 'applied' }, patchset, 2],
		['New push · lantern', 'followed', { kind: 'pushed', changes: [] }, repository],
	];
	test('take the version from an older entry', () => {
		const received: InboxEvent = { kind: 'patchsetReceived', version: 3 };
		const marked: InboxEvent = { kind: 'patchsetMarked', status: 'applied' };
		assert.equal(labelOf('followed', marked, patchset, 1, received), 'applied · v3 Trim the wick');
	});

	for (const [label, reason, event, thing, known] of rows) {
		test(`${event.kind}, ${reason}: ${label}`, () => assert.equal(labelOf(reason, event, thing, known), label));
	}
});
