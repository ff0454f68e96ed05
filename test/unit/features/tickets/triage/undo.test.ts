import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Ticket } from '../../../../../src/forge/port/ticket.ts';
import type { TicketRequest } from '../../../../../src/forge/port/ticketRequest.ts';
import { actHistory, actOf, undoing, type ActItem } from '../../../../../src/features/tickets/triage/undo.ts';
import { ForgeError } from '../../../../../src/forge/port/forgeError.ts';
import { partlyDone } from '../../../../../src/store/tickets/writing/writeOutcome.ts';
import { makeTicket } from '../../../../support/makeTicket.ts';

const subject = {
	kind: 'ticket',
	connectionKey: 'sample-alice',
	ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 12 },
} as const;
const all = { onlyResolvesAndReopens: false };
const few = { onlyResolvesAndReopens: true };

function item(wish: TicketRequest, before: Partial<Ticket>, after: Partial<Ticket>): ActItem {
	return { subject, wish, before: makeTicket(before), after: makeTicket(after) };
}

function back(act: ActItem, limits = all, now: Partial<Ticket> = {}): unknown {
	return undoing(act, makeTicket({ ...act.after, ...now }), limits);
}

const resolve: TicketRequest = { move: { kind: 'resolve', resolution: 'fixed' } };
const resolved = { status: 'resolved', resolution: 'fixed' } as const;

suite('undoing', () => {
	test('resolving is undone by reopening, reopening by resolving with the old resolution', () => {
		assert.deepEqual(back(item(resolve, {}, resolved)), { kind: 'wish', wish: { move: { kind: 'reopen' } }, left: [] });
		assert.deepEqual(back(item({ move: { kind: 'reopen' } }, { ...resolved, resolution: 'wont_fix' }, {})), {
			kind: 'wish',
			wish: { move: { kind: 'resolve', resolution: 'wont_fix' } },
			left: [],
		});
	});

	test('another open status comes back where the forge sets it, and is told where it does not', () => {
		const act = item(resolve, { status: 'in_progress' }, resolved);
		assert.deepEqual(back(act), {
			kind: 'wish',
			wish: { move: { kind: 'set', status: 'in_progress' } },
			left: [],
		});
		assert.deepEqual(back(act, few), { kind: 'wish', wish: { move: { kind: 'reopen' } }, left: ['status'] });
	});

	test('a status that this version does not know cannot come back', () => {
		assert.deepEqual(back(item(resolve, { status: 'other:triaged' }, resolved)), { kind: 'nothing', left: ['status'] });
		const unknown = item({ move: { kind: 'reopen' } }, { status: 'resolved', resolution: 'other:moot' }, {});
		assert.deepEqual(back(unknown), { kind: 'nothing', left: ['status'] });
	});

	test('only the labels that the act changed come back', () => {
		const wish = { labels: { add: ['new', 'had'], remove: ['gone', 'absent'] } };
		const act = item(wish, { labels: ['had', 'gone'] }, { labels: ['had', 'new', 'theirs'] });
		assert.deepEqual(back(act), { kind: 'wish', wish: { labels: { add: ['gone'], remove: ['new'] } }, left: [] });
	});

	test('only who was assigned or unassigned by the act is so again, unless others have done it since', () => {
		const people = (...names: readonly string[]): Pick<Ticket, 'assignees'> => ({
			assignees: names.map((name) => ({ canonicalName: `~${name}`, name })),
		});
		const wish = { assignees: { add: ['~bob', '~had'], remove: ['~alice', '~absent'] } };
		const act = item(wish, people('alice', 'had'), people('had', 'bob', 'theirs'));
		assert.deepEqual(back(act), { kind: 'wish', wish: { assignees: { add: ['~alice'], remove: ['~bob'] } }, left: [] });
		assert.deepEqual(back(act, all, people('had', 'theirs')), { kind: 'changed' });
		const outcome = {
			kind: 'done',
			ticket: makeTicket(act.after),
			before: makeTicket(act.before),
			deviations: [],
			wasLost: false,
		} as const;
		assert.equal(actOf('Assigning', [{ item: { subject, wish }, outcome }]).items.length, 1);
	});

	test('a comment stays, and the rest is undone', () => {
		assert.deepEqual(back(item({ ...resolve, comment: 'Done.' }, {}, resolved)), {
			kind: 'wish',
			wish: { move: { kind: 'reopen' } },
			left: ['comment'],
		});
		assert.deepEqual(back(item({ comment: 'Done.' }, {}, {})), { kind: 'nothing', left: ['comment'] });
	});

	test('what changed nothing has nothing to undo', () => {
		assert.deepEqual(back(item(resolve, resolved, resolved)), { kind: 'nothing', left: [] });
	});

	test('a ticket that was changed since is left alone, in what the act changed', () => {
		const act = item(resolve, {}, resolved);
		assert.deepEqual(back(act, all, { status: 'reported' }), { kind: 'changed' });
		assert.deepEqual(back(act, all, { resolution: 'invalid' }), { kind: 'changed' });
		assert.deepEqual(back(act, all, { labels: ['theirs'] }), {
			kind: 'wish',
			wish: { move: { kind: 'reopen' } },
			left: [],
		});
		const labels = item({ labels: { add: ['new'], remove: ['old'] } }, { labels: ['old'] }, { labels: ['new'] });
		assert.deepEqual(back(labels, all, { labels: [] }), { kind: 'changed' });
		assert.deepEqual(back(labels, all, { labels: ['new', 'old'] }), { kind: 'changed' });
		assert.deepEqual(back(labels, all, { ...resolved, labels: ['new'] }), {
			kind: 'wish',
			wish: { labels: { add: ['old'], remove: ['new'] } },
			left: [],
		});
	});

	test('the last twenty acts are kept, newest first, and those that changed nothing are not', () => {
		const history = actHistory();
		history.record({ undoing: 'Nothing', items: [] });
		for (let at = 0; at < 25; at += 1) {
			history.record({ undoing: String(at), items: [item(resolve, {}, resolved)] });
		}
		const taken: string[] = [];
		for (let act = history.takeNewest([]); act; act = history.takeNewest([])) {
			taken.push(act.undoing);
		}
		assert.deepEqual([taken.length, taken[0], taken.at(-1)], [20, '24', '5']);
	});

	test('what was taken out and is put back stands where it stood, and so does what is left of it', () => {
		const history = actHistory();
		const about = item(resolve, {}, resolved);
		const acts = ['oldest', 'middle', 'newest'].map((undoing) => ({ undoing, items: [about, about] }));
		acts.forEach((act) => history.record(act));
		const [oldest, middle] = acts;
		assert.ok(oldest && middle && history.take(oldest) && history.take(middle));
		history.putBack(middle, { undoing: 'rest of the middle', items: [about] });
		history.putBack(oldest, { ...oldest, items: [] });
		history.record({ undoing: 'later', items: [about] });
		const taken = Array.from({ length: 4 }, () => history.takeNewest([])?.undoing);
		assert.deepEqual(taken, ['later', 'newest', 'rest of the middle', undefined]);
	});

	test('a comment alone is no act: there is nothing to take back, and it costs no press', () => {
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
		assert.deepEqual(actOf('Comment', [{ item: said, outcome }]).items, []);
	});

	test('of what was refused in part an act holds the labels and assignees that were changed all the same', () => {
		const refused = new ForgeError({ kind: 'notAllowed' });
		const before = makeTicket({ labels: ['old'] });
		const now = makeTicket({ labels: ['new', 'theirs'] });
		const done = { labels: { add: ['new'], remove: ['old'] } };
		const wish = { ...resolve, comment: 'Done.', labels: { add: ['new', 'unknown'], remove: ['old'] } };
		const acted = (part: Parameters<typeof partlyDone>[1]): readonly ActItem[] =>
			actOf('Labels', [{ item: { subject, wish }, outcome: { kind: 'refused', error: partlyDone(refused, part) } }])
				.items;
		const [act] = acted({ done, before, now });
		assert.ok(act);
		assert.deepEqual(undoing(act, now, all), {
			kind: 'wish',
			wish: { labels: { add: ['old'], remove: ['new'] } },
			left: [],
		});
		assert.deepEqual(acted({ done, before: undefined, now }), []);
		assert.deepEqual(acted({ done, before: now, now }), []);
	});

	test('an act holds the tickets that were changed, and no other', () => {
		const done = {
			kind: 'done',
			ticket: makeTicket(resolved),
			before: makeTicket(),
			deviations: [],
			wasLost: true,
		} as const;
		const bulkItem = { subject, wish: resolve };
		const { items } = actOf('Resolve', [
			{ item: bulkItem, outcome: done },
			{ item: bulkItem, outcome: { ...done, before: undefined } },
			{ item: bulkItem, outcome: { kind: 'notTried' } },
			{ item: bulkItem, outcome: { kind: 'refused', error: new Error('no') } },
		]);
		assert.equal(items.length, 1);
	});
});
