import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { InboxEntry, InboxEvent, InboxThing, ReferenceChange } from '../../../../src/store/inbox/inboxEntry.ts';
import { plainWords } from './support/inboxWorld.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';

const { eventSentence } = await import('../../../../src/features/inbox/eventSentence.ts');

const list = { owner: '~alice', name: 'devel' };
const thread: InboxThing = { kind: 'thread', list, id: 5, subject: 'Plans' };
const patchset: InboxThing = { kind: 'patchset', ref: { list, id: 3 }, subject: 'Add foo' };

const fixed = { status: 'resolved', resolution: 'fixed' } as const;
const pending = { status: 'pending', resolution: undefined } as const;

function change(name: string, kind: 'created' | 'deleted' | 'moved' = 'moved'): ReferenceChange {
	return {
		name,
		old: kind === 'created' ? undefined : 'aa',
		now: kind === 'deleted' ? undefined : 'bb',
		isAnnotatedTag: false,
	};
}

interface Row {
	readonly event: InboxEvent;
	readonly thing?: InboxThing;
	/** With and without an actor. */
	readonly told: readonly [named: string, unnamed: string];
}

const rows: readonly Row[] = [
	{ event: { kind: 'ticketCreated' }, told: ['~bob submitted this ticket', 'New ticket'] },
	{
		event: { kind: 'commented', eventId: 1, excerpt: 'Yes,\n\nplease', moved: undefined },
		told: ['~bob commented: Yes, please', 'New comment: Yes, please'],
	},
	{
		event: { kind: 'commented', eventId: 1, excerpt: ' \n', moved: undefined },
		told: ['~bob commented', 'New comment'],
	},
	{
		event: { kind: 'commented', eventId: 1, excerpt: 'Done', moved: fixed },
		told: ['~bob commented and resolved this as fixed: Done', 'Resolved as fixed with a comment: Done'],
	},
	{
		event: { kind: 'commented', eventId: 1, excerpt: 'Soon', moved: pending },
		told: ['~bob commented and set the status to pending: Soon', 'Status set to pending with a comment: Soon'],
	},
	{
		event: { kind: 'commented', eventId: 1, excerpt: '', moved: fixed },
		told: ['~bob resolved this as fixed', 'Resolved as fixed'],
	},
	{
		event: { kind: 'statusChanged', eventId: 1, moved: fixed },
		told: ['~bob resolved this as fixed', 'Resolved as fixed'],
	},
	{
		event: { kind: 'statusChanged', eventId: 1, moved: { status: 'resolved', resolution: 'unresolved' } },
		told: ['~bob set the status to resolved', 'Status set to resolved'],
	},
	{
		event: { kind: 'statusChanged', eventId: 1, moved: { status: 'reported', resolution: 'fixed' } },
		told: ['~bob set the status to reported', 'Status set to reported'],
	},
	{
		event: { kind: 'labelled', eventId: 1, labels: ['bug'] },
		told: ['~bob added the label bug', 'Label added: bug'],
	},
	{
		event: { kind: 'labelled', eventId: 1, labels: ['bug', 'ui'] },
		told: ['~bob added the labels bug, ui', 'Labels added: bug, ui'],
	},
	{
		event: { kind: 'unlabelled', eventId: 1, labels: ['bug'] },
		told: ['~bob removed the label bug', 'Label removed: bug'],
	},
	{
		event: { kind: 'unlabelled', eventId: 1, labels: ['bug', 'ui'] },
		told: ['~bob removed the labels bug, ui', 'Labels removed: bug, ui'],
	},
	{
		event: { kind: 'unlabelled', eventId: 1, labels: [] },
		told: ['~bob changed the labels', 'Labels changed'],
	},
	{
		event: { kind: 'assigned', eventId: undefined, to: '~alice' },
		told: ['~bob assigned you', 'You were assigned'],
	},
	{
		event: { kind: 'assigned', eventId: 1, to: '~carol' },
		told: ['~bob assigned ~carol', '~carol was assigned'],
	},
	{
		event: { kind: 'assigned', eventId: 1, to: '~bob' },
		told: ['~bob assigned themselves', '~bob was assigned'],
	},
	{ event: { kind: 'assigned', eventId: 1, to: '' }, told: ['~bob changed the assignees', 'Assignees changed'] },
	{
		event: { kind: 'unassigned', eventId: 1, to: '~alice' },
		told: ['~bob unassigned you', 'You were unassigned'],
	},
	{
		event: { kind: 'unassigned', eventId: 1, to: '~carol' },
		told: ['~bob unassigned ~carol', '~carol was unassigned'],
	},
	{
		event: { kind: 'unassigned', eventId: 1, to: '~bob' },
		told: ['~bob unassigned themselves', '~bob was unassigned'],
	},
	{
		event: { kind: 'namedByTicket', eventId: 1, from: '~alice/beta#2' },
		told: ['~bob mentioned this ticket in ~alice/beta#2', 'This ticket was mentioned in ~alice/beta#2'],
	},
	{
		event: { kind: 'namedByTicket', eventId: 1, from: undefined },
		told: ['~bob mentioned this ticket', 'This ticket was mentioned'],
	},
	{
		event: { kind: 'mailArrived', mailId: 5, subject: 'Plans' },
		thing: thread,
		told: ['~bob started this thread', 'New thread'],
	},
	{
		event: { kind: 'mailArrived', mailId: 6, subject: 'Re: Plans' },
		thing: thread,
		told: ['~bob replied', 'New reply'],
	},
	{
		event: { kind: 'mailArrived', mailId: 6, subject: 'Other plans' },
		thing: thread,
		told: ['~bob sent a message: Other plans', 'New message: Other plans'],
	},
	{
		event: { kind: 'mailArrived', mailId: 6, subject: 'Re: [PATCH] Add foo' },
		thing: patchset,
		told: ['~bob replied', 'New reply'],
	},
	{
		event: { kind: 'patchsetReceived', version: 1 },
		thing: patchset,
		told: ['~bob sent this patchset', 'New patchset'],
	},
	{
		event: { kind: 'patchsetReceived', version: 2 },
		thing: patchset,
		told: ['~bob sent version 2', 'New version 2'],
	},
	{
		event: { kind: 'patchsetReceived', version: 1, path: 'src/wick.c' },
		thing: patchset,
		told: ['~bob changes src/wick.c in version 1', 'Version 1 changes src/wick.c'],
	},
	{
		event: { kind: 'patchsetReceived', version: 2, path: 'src/wick.c\u202e' },
		thing: patchset,
		told: ['~bob changes src/wick.c⟨U+202E⟩ in version 2', 'Version 2 changes src/wick.c⟨U+202E⟩'],
	},
	{
		event: { kind: 'patchsetMarked', status: 'needs_revision' },
		thing: patchset,
		told: ['~bob set the status to needs_revision', 'Status set to needs_revision'],
	},
	{ event: { kind: 'pushed', changes: [] }, told: ['~bob pushed', 'New push'] },
	{
		event: { kind: 'pushed', changes: [change('refs/heads/main')] },
		told: ['~bob pushed to main', 'Pushed to main'],
	},
	{
		event: { kind: 'pushed', changes: [change('refs/tags/v1', 'created')] },
		told: ['~bob created v1', 'Created v1'],
	},
	{
		event: { kind: 'pushed', changes: [{ ...change('refs/tags/v1', 'created'), isAnnotatedTag: true }] },
		told: ['~bob tagged v1', 'Tagged v1'],
	},
	{
		event: {
			kind: 'pushed',
			changes: ['refs/tags/v1', 'refs/tags/v2'].map((name) => ({ ...change(name, 'created'), isAnnotatedTag: true })),
		},
		told: ['~bob tagged v1 and 1 more', 'Tagged v1 and 1 more'],
	},
	{
		event: {
			kind: 'pushed',
			changes: [{ ...change('refs/tags/v1', 'created'), isAnnotatedTag: true }, change('refs/tags/v2', 'created')],
		},
		told: ['~bob pushed to v1 and 1 more', 'Pushed to v1 and 1 more'],
	},
	{
		event: { kind: 'pushed', changes: [change('refs/heads/old', 'deleted')] },
		told: ['~bob deleted old', 'Deleted old'],
	},
	{
		event: {
			kind: 'pushed',
			changes: [change('refs/heads/main'), change('refs/tags/v1', 'created'), change('refs/x')],
		},
		told: ['~bob pushed to main and 2 more', 'Pushed to main and 2 more'],
	},
	{
		event: { kind: 'pushed', changes: [change('refs/tags/v1', 'created'), change('refs/tags/v2', 'created')] },
		told: ['~bob created v1 and 1 more', 'Created v1 and 1 more'],
	},
	{
		event: { kind: 'pushed', changes: [change('refs/heads/a', 'deleted'), change('refs/heads/b', 'deleted')] },
		told: ['~bob deleted a and 1 more', 'Deleted a and 1 more'],
	},
	{
		event: { kind: 'pushed', changes: [change('refs/tags/v1', 'created'), change('refs/heads/a', 'deleted')] },
		told: ['~bob pushed to v1 and 1 more', 'Pushed to v1 and 1 more'],
	},
];

function told(change: Partial<InboxEntry>): string {
	return eventSentence(makeEntry('1', 0, change), plainWords, '~alice');
}

suite('event sentence', () => {
	test('describes each kind of event with and without its actor', () => {
		for (const { event, thing, told: expected } of rows) {
			const about = { event, ...(thing ? { thing } : {}) };
			assert.deepEqual([told({ ...about, by: '~bob' }), told({ ...about, by: undefined })], expected);
		}
		const all: Readonly<Record<InboxEvent['kind'], true>> = {
			ticketCreated: true,
			commented: true,
			statusChanged: true,
			labelled: true,
			unlabelled: true,
			assigned: true,
			unassigned: true,
			namedByTicket: true,
			mailArrived: true,
			patchsetReceived: true,
			patchsetMarked: true,
			pushed: true,
		};
		assert.deepEqual(new Set(rows.map(({ event }) => event.kind)), new Set(Object.keys(all)));
	});

	test('escapes hidden characters in names and texts, and truncates long ones', () => {
		const hostile = '\u202Eevil\nline\u200B';
		const shown = '⟨U+202E⟩evil line⟨U+200B⟩';
		const events: readonly InboxEvent[] = [
			{ kind: 'commented', eventId: 1, excerpt: hostile, moved: undefined },
			{ kind: 'labelled', eventId: 1, labels: [hostile] },
			{ kind: 'assigned', eventId: 1, to: hostile },
			{ kind: 'namedByTicket', eventId: 1, from: hostile },
			{ kind: 'mailArrived', mailId: 9, subject: hostile },
			{ kind: 'pushed', changes: [change(`refs/heads/${hostile}`)] },
		];
		for (const event of events) {
			const sentence = told({ event, by: hostile, thing: event.kind === 'mailArrived' ? thread : patchset });
			assert.equal(sentence.split(shown).length, event.kind === 'assigned' ? 2 : 3, sentence);
			assert.ok(!/[\u202E\u200B\n]/.test(sentence));
			const long = told({
				event: { kind: 'commented', eventId: 1, excerpt: 'x'.repeat(400), moved: undefined },
				by: 'y'.repeat(400),
			});
			assert.ok(long.length < 330, String(long.length));
		}
	});
});
