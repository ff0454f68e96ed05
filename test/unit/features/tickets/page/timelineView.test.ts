import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ticketEventKinds, type TicketEvent } from 'sourcehut/port/ticket.ts';
import type { EntryView, Part, Sentence } from '../../../../../src/pages/protocol/ticketProtocol.ts';
import { sampleInstance } from '../../../../support/fakeConnection.ts';
import {
	makeComment,
	makeEvent,
	makeParticipant,
	makeTicket,
	makeTracker,
	shortTicket,
} from '../../../../support/makeTicket.ts';

const { entryView } = await import('../../../../../src/features/tickets/page/timelineView.ts');
const { countsText } = await import('../../../../../src/editor/trees/pagingRows.ts');

const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
const here = shortTicket(makeTicket());
const other = shortTicket(makeTicket({ id: 7, tracker: makeTracker({ name: 'beta' }) }));

function view(event: Partial<TicketEvent>): EntryView {
	return entryView(makeEvent(event), {
		instance: sampleInstance,
		ref,
		labels: new Map(),
		html: (markdown) => `<p>${markdown}</p>`,
		edit: () => undefined,
		hasDraft: () => false,
	});
}

function said(event: Partial<TicketEvent>): readonly string[] {
	return view(event).lines.map(({ sentence }) => plain(sentence));
}

function plain(sentence: Sentence): string {
	return sentence.map(word).join('');
}

function word(part: Part): string {
	switch (part.kind) {
		case 'text':
		case 'status':
		case 'ticket':
			return part.text;
		case 'person':
			return part.mark === undefined ? part.name : `${part.name} (${part.mark})`;
		case 'label':
			return `[${part.name}]`;
	}
}

suite('timeline of a ticket', () => {
	test('has a sentence for every kind of event', () => {
		const alice = makeParticipant('alice');
		const carol = makeParticipant('carol');
		const cases: readonly (readonly [Partial<TicketEvent>, string])[] = [
			[{ kinds: ['created'] }, 'bob submitted this ticket'],
			[{ kinds: ['comment'] }, 'bob commented'],
			[
				{ kinds: ['status_change'], oldStatus: 'reported', newStatus: 'resolved', newResolution: 'wont_fix' },
				"bob resolved this as won't fix",
			],
			[
				{ kinds: ['status_change'], oldStatus: 'resolved', newStatus: 'resolved', newResolution: 'invalid' },
				'bob changed the resolution to invalid',
			],
			[{ kinds: ['status_change'], oldStatus: 'resolved', newStatus: 'reported' }, 'bob reopened this ticket'],
			[
				{ kinds: ['status_change'], oldStatus: 'reported', newStatus: 'pending' },
				'bob changed the status from Reported to Pending',
			],
			[{ kinds: ['status_change'], newStatus: 'other:triaged' }, 'bob set the status to triaged'],
			[{ kinds: ['label_added'], labels: ['bug'] }, 'bob added the label [bug]'],
			[{ kinds: ['label_added'], labels: ['bug', 'docs'] }, 'bob added the labels [bug][docs]'],
			[{ kinds: ['label_removed'], labels: ['bug'] }, 'bob removed the label [bug]'],
			[{ kinds: ['assigned_user'], user: carol, byUser: alice }, 'alice assigned carol'],
			[{ kinds: ['assigned_user'], user: carol, byUser: carol }, 'carol assigned themselves'],
			[{ kinds: ['unassigned_user'], user: carol, byUser: alice }, 'alice unassigned carol'],
			[
				{ kinds: ['user_mentioned'], user: carol, byUser: alice, fromTicket: other },
				'alice mentioned carol in ~alice/beta#7',
			],
			[
				{ kinds: ['ticket_mentioned'], user: undefined, byUser: alice, ticket: here, fromTicket: other },
				'alice mentioned this ticket in ~alice/beta#7',
			],
			[{ kinds: ['other:milestone_set'], user: alice }, 'alice did: milestone_set'],
			[{ kinds: ['created'], user: undefined }, 'Someone submitted this ticket'],
		];
		for (const [event, sentence] of cases) {
			assert.deepEqual(said(event), [sentence]);
		}
		const covered = new Set(cases.flatMap(([{ kinds = [] }]) => kinds));
		assert.deepEqual(
			ticketEventKinds.filter((kind) => !covered.has(kind)),
			[],
		);
	});

	test('shows an event of several kinds as one entry', () => {
		const entry = view({
			kinds: ['comment', 'status_change', 'label_added'],
			comment: makeComment('Fixed.'),
			newStatus: 'resolved',
			newResolution: 'fixed',
			labels: ['bug'],
		});
		assert.equal(entry.comment?.html, '<p>Fixed.</p>');
		assert.deepEqual(
			entry.lines.map(({ sentence }) => plain(sentence)),
			['bob resolved this as fixed', 'bob added the label [bug]'],
		);
	});

	test('marks people without an account', () => {
		const email = { kind: 'email', address: 'dave@x.test', name: undefined } as const;
		const external = { kind: 'external', externalId: 'hub:erin', externalUrl: 'javascript:alert(1)' } as const;
		assert.deepEqual(said({ user: email }), ['dave@x.test (by email) submitted this ticket']);
		assert.deepEqual(said({ user: external }), ['hub:erin (external) submitted this ticket']);
		const relative = { ...external, externalUrl: '/~erin' };
		const [elsewhere] = view({ user: relative }).lines[0]?.sentence ?? [];
		assert.equal(elsewhere?.kind === 'person' && elsewhere.href, undefined);
		const [person] = view({ user: external }).lines[0]?.sentence ?? [];
		assert.equal(person?.kind === 'person' && person.href, undefined);
	});

	test('counts never claim more than the listing says', () => {
		assert.equal(countsText(50, { kind: 'more', total: 312 }), 'Showing 50 of 312');
		assert.equal(countsText(50, { kind: 'more', total: undefined }), 'Showing 50, and there are more');
		assert.equal(countsText(50, { kind: 'unstated' }), '50 shown; the server sends no more');
		assert.equal(countsText(50, { kind: 'complete' }), '');
	});
});
