import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { ActItem } from '../../../../../src/features/tickets/triage/undo.ts';
import type { ItemOutcome } from '../../../../../src/features/tickets/triage/outcomeTexts.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { partlyDone } from '../../../../../src/store/tickets/writing/writeOutcome.ts';
import { makeTicket } from '../../../../support/makeTicket.ts';

const { changeOf, undoing } = await import('../../../../../src/features/tickets/triage/undo.ts');

const subject = {
	kind: 'ticket',
	connectionKey: 'sample-alice',
	ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 12 },
} as const;
const all = { onlyResolvesAndReopens: false };
const few = { onlyResolvesAndReopens: true };
const changed = { kind: 'leftAlone', reason: 'Not changed: someone has changed the ticket since.' };
const asReported = 'The forge cannot set the earlier status again; an open ticket becomes Reported.';

function item(wish: TicketRequest, before: Partial<Ticket>, after: Partial<Ticket>): ActItem {
	return { subject, wish, before: makeTicket(before), after: makeTicket(after) };
}

function back(act: ActItem, limits = all, now: Partial<Ticket> = {}): unknown {
	return undoing(act, makeTicket({ ...act.after, ...now }), limits);
}

const resolve: TicketRequest = { move: { kind: 'resolve', resolution: 'fixed' } };
const resolved = { status: 'resolved', resolution: 'fixed' } as const;

suite('undo', () => {
	test('reopens a resolved ticket, and resolves a reopened one with the old resolution', () => {
		assert.deepEqual(back(item(resolve, {}, resolved)), {
			kind: 'wish',
			wish: { move: { kind: 'reopen' } },
			notes: [],
		});
		assert.deepEqual(back(item({ move: { kind: 'reopen' } }, { ...resolved, resolution: 'wont_fix' }, {})), {
			kind: 'wish',
			wish: { move: { kind: 'resolve', resolution: 'wont_fix' } },
			notes: [],
		});
	});

	test('restores another open status if the forge can set it, else says so', () => {
		const act = item(resolve, { status: 'in_progress' }, resolved);
		assert.deepEqual(back(act), {
			kind: 'wish',
			wish: { move: { kind: 'set', status: 'in_progress' } },
			notes: [],
		});
		assert.deepEqual(back(act, few), { kind: 'wish', wish: { move: { kind: 'reopen' } }, notes: [asReported] });
	});

	test('cannot restore a status unknown to this version', () => {
		assert.deepEqual(back(item(resolve, { status: 'other:triaged' }, resolved)), {
			kind: 'settled',
			notes: [asReported],
		});
		const unknown = item({ move: { kind: 'reopen' } }, { status: 'resolved', resolution: 'other:moot' }, {});
		assert.deepEqual(back(unknown), { kind: 'settled', notes: [asReported] });
	});

	test('restores only labels that the action changed', () => {
		const wish = { labels: { add: ['new', 'had'], remove: ['gone', 'absent'] } };
		const act = item(wish, { labels: ['had', 'gone'] }, { labels: ['had', 'new', 'theirs'] });
		assert.deepEqual(back(act), { kind: 'wish', wish: { labels: { add: ['gone'], remove: ['new'] } }, notes: [] });
	});

	test('restores only assignees that the action changed, unless others did so since', () => {
		const people = (...names: readonly string[]): Pick<Ticket, 'assignees'> => ({
			assignees: names.map((name) => ({ canonicalName: `~${name}`, name })),
		});
		const wish = { assignees: { add: ['~bob', '~had'], remove: ['~alice', '~absent'] } };
		const act = item(wish, people('alice', 'had'), people('had', 'bob', 'theirs'));
		assert.deepEqual(back(act), {
			kind: 'wish',
			wish: { assignees: { add: ['~alice'], remove: ['~bob'] } },
			notes: [],
		});
		assert.deepEqual(back(act, all, people('had', 'theirs')), changed);
		const outcome = {
			kind: 'done',
			ticket: makeTicket(act.after),
			before: makeTicket(act.before),
			deviations: [],
			wasLost: false,
		} as const;
		assert.ok(changeOf({ item: { subject, wish }, outcome }));
	});

	test('keeps a comment and reverts the rest', () => {
		assert.deepEqual(back(item({ ...resolve, comment: 'Done.' }, {}, resolved)), {
			kind: 'wish',
			wish: { move: { kind: 'reopen' } },
			notes: ["Comments can't be undone."],
		});
		assert.deepEqual(back(item({ comment: 'Done.' }, {}, {})), {
			kind: 'settled',
			notes: ["Comments can't be undone."],
		});
	});

	test('reverts nothing for an action without an effect', () => {
		assert.deepEqual(back(item(resolve, resolved, resolved)), { kind: 'settled', notes: [] });
	});

	test('skips a ticket when others changed the same fields since', () => {
		const act = item(resolve, {}, resolved);
		assert.deepEqual(back(act, all, { status: 'reported' }), changed);
		assert.deepEqual(back(act, all, { resolution: 'invalid' }), changed);
		assert.deepEqual(back(act, all, { labels: ['theirs'] }), {
			kind: 'wish',
			wish: { move: { kind: 'reopen' } },
			notes: [],
		});
		const labels = item({ labels: { add: ['new'], remove: ['old'] } }, { labels: ['old'] }, { labels: ['new'] });
		assert.deepEqual(back(labels, all, { labels: [] }), changed);
		assert.deepEqual(back(labels, all, { labels: ['new', 'old'] }), changed);
		assert.deepEqual(back(labels, all, { ...resolved, labels: ['new'] }), {
			kind: 'wish',
			wish: { labels: { add: ['old'], remove: ['new'] } },
			notes: [],
		});
	});

	test('skips a comment alone, since it leaves nothing to revert', () => {
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
		const said = {
			subject: { kind: 'ticket', connectionKey: 'sample-alice', ref },
			wish: { comment: 'Seen.' },
		} as const;
		const outcome = {
			kind: 'done',
			ticket: makeTicket(),
			before: makeTicket(),
			deviations: [],
			wasLost: false,
		} as const;
		assert.equal(changeOf({ item: said, outcome }), undefined);
	});

	test('covers the labels and assignees that a partly rejected action changed anyway', () => {
		const refused = new ForgeError({ kind: 'notAllowed' });
		const before = makeTicket({ labels: ['old'] });
		const now = makeTicket({ labels: ['new', 'theirs'] });
		const done = { labels: { add: ['new'], remove: ['old'] } };
		const wish = { ...resolve, comment: 'Done.', labels: { add: ['new', 'unknown'], remove: ['old'] } };
		const acted = (part: Parameters<typeof partlyDone>[1]): ActItem | undefined =>
			changeOf({ item: { subject, wish }, outcome: { kind: 'refused', error: partlyDone(refused, part) } });
		const act = acted({ done, before, now });
		assert.ok(act);
		assert.deepEqual(undoing(act, now, all), {
			kind: 'wish',
			wish: { labels: { add: ['old'], remove: ['new'] } },
			notes: [],
		});
		assert.equal(acted({ done, before: undefined, now }), undefined);
		assert.equal(acted({ done, before: now, now }), undefined);
	});

	test('covers only changed tickets', () => {
		const done = {
			kind: 'done',
			ticket: makeTicket(resolved),
			before: makeTicket(),
			deviations: [],
			wasLost: true,
		} as const;
		const bulkItem = { subject, wish: resolve };
		const outcomes: readonly ItemOutcome[] = [
			done,
			{ ...done, before: undefined },
			{ kind: 'notTried' },
			{ kind: 'refused', error: new Error('no') },
		];
		assert.deepEqual(
			outcomes.map((outcome) => changeOf({ item: bulkItem, outcome }) !== undefined),
			[true, false, false, false],
		);
	});
});
