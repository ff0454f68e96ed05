import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PageDrafts } from '../../../../src/features/tickets/page/pageDrafts.ts';
import { fake } from '../../../support/fake.ts';
import type { DraftSubject } from '../../../../src/store/drafts/drafts.ts';
import type { TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { isInDoubt } from '../../../../src/store/shared/sentOnce.ts';
import { counts, seed } from '../../../support/counts.ts';
import { withAssigning } from '../../../support/fakeAssigning.ts';
import { withEditing } from '../../../support/fakeEditing.ts';
import { withMaking, withRepositoryMaking } from './support/fakeMaking.ts';
import { makeRepository } from '../../../support/fakeRepositories.ts';
import {
	alpha,
	killingMachine,
	ref,
	someTurns,
	type KilledWindow,
	type Machine,
	type WindowFault,
} from '../../../support/killedWindows.ts';
import { makeList, makePatchset } from '../../../support/makeMail.ts';
import { makeComment, makeEvent, makeLabel, makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { testInBoth } from '../../../support/parts.ts';
import { randomFrom } from '../../../support/randomFrom.ts';
import { stubbed, stubbedTabs, TabInputText } from '../../../support/vscodeValues.ts';
import { keepProofTable } from '../../../support/proofTable.ts';

const { subscribeTickets } = await import('../../../../src/features/tickets/triage/subscribeTickets.ts');
const { editComment } = await import('../../../../src/features/tickets/page/commentEditing.ts');
const { editText, textStartOf } = await import('../../../../src/features/tickets/page/ticketPage.ts');
const { draftUri } = await import('../../../../src/features/tickets/drafts/draftUri.ts');

const { withWhatWasDone } = await import('../../../../src/editor/ask/problems.ts');

/** Adds the product's note on whether a failed write may be done. */
const problems: typeof quietProblems = {
	...quietProblems,
	explain: (error) => ({ message: withWhatWasDone(quietProblems.explain(error).message, error), action: undefined }),
};
const never = new AbortController().signal;
const connectionKey = 'sample-alice';
const subject = { kind: 'ticket', connectionKey, ref } as const;
const devel = { list: { owner: '~alice', name: 'devel' }, id: 1 };
const own = makeComment('Before', { id: 5 });
const event = makeEvent({ id: 3, kinds: ['comment'], comment: own });
const newTicket = { kind: 'newTicket', connectionKey, tracker: alpha, name: 'a1' } as const;

/** One kind of write. */
interface Kind {
	readonly name: string;
	/** Draft that the user typed. */
	readonly draft?: { readonly about: DraftSubject; readonly text: string };
	/** Draft that a missing text without a draft becomes. */
	readonly becomes?: DraftSubject;
	readonly act: (window: KilledWindow) => Promise<unknown>;
	/** Number of copies on the forge. */
	readonly count: (machine: Machine) => number;
}

function machine(): Machine {
	return killingMachine((fake, lists, repositories) => {
		const { world } = fake;
		world.trackers.push(makeTracker());
		world.labels.set('~alice/alpha', [makeLabel('old')]);
		repositories.world.repositories.push(makeRepository('lamp', { id: 1 }));
		repositories.world.heads.set('~alice/lamp', 'main');
		Object.assign(repositories.api, withRepositoryMaking(repositories));
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1, title: 'Old title', labels: ['old'] })]);
		world.events.set('~alice/alpha#1', [event]);
		Object.assign(fake.api, withEditing(fake), withAssigning(fake, ['~alice', '~bob']), withMaking(fake), {
			async editComment(_: unknown, __: unknown, text: string) {
				const comment = makeComment(text, { id: 6 });
				world.events.set('~alice/alpha#1', [{ ...event, comment }]);
				return comment;
			},
			async removeTicket() {
				world.tickets.set('~alice/alpha', []);
			},
		});
		lists.world.lists.push(makeList());
		lists.world.patchsets.set('~alice/devel', [makePatchset({ id: 1 })]);
	});
}

const lamp = { owner: '~alice', name: 'lamp' };
const labelsNamed = ({ fake }: Machine, name: string) =>
	(fake.world.labels.get('~alice/alpha') ?? []).filter((label) => label.name === name);
const ticketNow = ({ fake }: Machine) => fake.world.tickets.get('~alice/alpha')?.find(({ id }) => id === 1);
const commented = ({ fake }: Machine, text: string, id = 1): number =>
	(fake.world.events.get(`~alice/alpha#${id}`) ?? []).filter(({ comment }) => comment?.text === text).length;

function job(wish: TicketRequest): (window: KilledWindow) => Promise<void> {
	return ({ triage }) =>
		triage.bulk.carryOut(
			{ heading: '', undoing: 'Undo', result: (tickets) => tickets, items: [{ subject, wish }] },
			never,
		);
}

const comment = { about: { kind: 'comment', connectionKey, ref }, text: 'It smokes.' } as const;
const kinds: readonly Kind[] = [
	{
		name: 'a comment',
		draft: comment,
		act: ({ sending }) => sending.send({ comment: comment.text, move: undefined }),
		count: (on) => commented(on, comment.text),
	},
	{
		name: 'a comment with a status',
		draft: comment,
		act: ({ sending }) => sending.send({ comment: comment.text, move: 'resolve:fixed' }),
		count: (on) => (ticketNow(on)?.status === 'resolved' ? commented(on, comment.text) : 0),
	},
	{
		name: 'an edited comment',
		draft: { about: { kind: 'editedEntry', connectionKey, ref, eventId: 3 }, text: 'After' },
		act: ({ connection }) => editComment(connection, quietProblems, { ref, event, comment: own, text: 'After' }, never),
		count: (on) => commented(on, 'After'),
	},
	{
		name: 'a title and description',
		draft: { about: { kind: 'ticketText', connectionKey, ref }, text: 'New title\n\nAnd a text.' },
		async act({ connection, pageDrafts }) {
			await connection.tickets.renewTicket(ref, never);
			const { from } = textStartOf(connection, ref, fake<PageDrafts>({ text: () => undefined }));
			const typed = pageDrafts.text();
			return typed && editText(connection, problems, ref, { ...typed, from }, never);
		},
		count: (on) => (ticketNow(on)?.title === 'New title' ? 1 : 0),
	},
	{
		name: 'a new ticket',
		draft: { about: newTicket, text: 'The lamp is dark\n\nAt night.' },
		act: ({ sender }) => sender(newTicket, never),
		count: ({ fake }) =>
			(fake.world.tickets.get('~alice/alpha') ?? []).filter(({ title }) => title === 'The lamp is dark').length,
	},
	{
		name: 'a status',
		act: job({ move: { kind: 'resolve', resolution: 'fixed' } }),
		count: (on) => (ticketNow(on)?.status === 'resolved' ? 1 : 0),
	},
	{
		name: 'labels',
		act: job({ labels: { add: ['new'], remove: ['old'] } }),
		count: (on) => (ticketNow(on)?.labels.join(' ') === 'new' ? 1 : 0),
	},
	{
		name: 'assignees',
		act: job({ assignees: { add: ['~bob'], remove: [] } }),
		count: (on) => ticketNow(on)?.assignees.length ?? 0,
	},
	{
		name: 'a comment without a draft',
		becomes: comment.about,
		act: ({ connection }) => connection.writes.write(ref, { comment: comment.text }, never),
		count: (on) => commented(on, comment.text),
	},
	{
		name: 'a deleted ticket',
		act: async ({ connection }) => connection.writes.removeTicket?.(ref, never),
		count: (on) => (ticketNow(on) ? 0 : 1),
	},
	{
		name: 'the description of a tracker',
		act: ({ connection }) => connection.writes.trackers.describe(alpha, 'Lamps', never),
		count: ({ fake }) => (fake.world.trackers[0]?.description === 'Lamps' ? 1 : 0),
	},
	{
		name: 'the status of a patchset',
		act: ({ lists }) => lists.setStatus(devel, 'applied', never),
		count: ({ lists }) => (lists.world.patchsets.get('~alice/devel')?.[0]?.status === 'applied' ? 1 : 0),
	},
	{
		name: 'a subscription to a list',
		act: ({ lists }) => lists.subscribe(devel.list, never),
		count: ({ lists }) => lists.world.subscriptions.length,
	},
	{
		name: 'a subscription to a ticket',
		act: async ({ connection }) => connection.writes.subscriptions?.set({ kind: 'ticket', ref }, true, never),
		count: ({ fake }) => fake.world.calls.filter((call) => call === 'subscribe ~alice/alpha#1').length,
	},
	{
		name: 'a new label',
		act: async ({ connection }) => connection.writes.labels?.create(alpha, makeLabel('new'), never),
		count: (on) => labelsNamed(on, 'new').length,
	},
	{
		name: 'a changed label',
		act: async ({ connection }) => connection.writes.labels?.change(alpha, 'old', makeLabel('new', '#00cc00'), never),
		count: (on) => labelsNamed(on, 'new').filter(({ colors }) => colors.background === '#00cc00').length,
	},
	{
		name: 'a removed label',
		act: async ({ connection }) => connection.writes.labels?.remove(alpha, 'old', never),
		count: (on) => 1 - labelsNamed(on, 'old').length,
	},
	{
		name: 'a new tracker',
		act: ({ connection }) => connection.writes.trackers.create({ name: 'beta' }, never),
		count: ({ fake }) => fake.world.trackers.filter(({ name }) => name === 'beta').length,
	},
	{
		name: 'a removed tracker',
		act: ({ connection }) => connection.writes.trackers.remove(alpha, never),
		count: ({ fake }) => 1 - fake.world.trackers.length,
	},
	{
		name: 'a new list',
		act: ({ lists }) => lists.writes.create({ name: 'beta' }, never),
		count: ({ lists }) => lists.world.lists.filter(({ name }) => name === 'beta').length,
	},
	{
		name: 'the description of a list',
		act: ({ lists }) => lists.writes.describe(devel.list, 'Lamps', never),
		count: ({ lists }) => Number(lists.world.lists[0]?.description === 'Lamps'),
	},
	{
		name: 'a removed list',
		act: async ({ lists }) => lists.writes.remove?.(devel.list, never),
		count: ({ lists }) => 1 - lists.world.lists.length,
	},
	{
		name: 'a new repository',
		act: ({ repositories }) => repositories.writes.create({ name: 'beta' }, never),
		count: ({ repositories }) => repositories.world.repositories.filter(({ name }) => name === 'beta').length,
	},
	{
		name: 'a renamed repository',
		act: ({ repositories }) => repositories.writes.change(lamp, { name: 'torch', visibility: 'private' }, never),
		count: ({ repositories }) => Number(repositories.world.repositories[0]?.name === 'torch'),
	},
	{
		name: 'a removed repository',
		act: ({ repositories }) => repositories.writes.remove(lamp, never),
		count: ({ repositories }) => 1 - repositories.world.repositories.length,
	},
	{
		name: 'a default branch',
		act: async ({ repositories }) => repositories.writes.setDefaultBranch?.(lamp, 'next', never),
		count: ({ repositories }) => Number(repositories.world.heads.get('~alice/lamp') === 'next'),
	},
];

/** Starts a write and ignores its error. */
async function done(window: KilledWindow, act: Kind['act']): Promise<void> {
	void act(window).catch(() => undefined);
	await someTurns();
}

async function typed({ draft }: Kind, on: Machine): Promise<void> {
	await (draft && on.drafts.keep(draft.about, { text: draft.text, atMs: 5 }));
}

const isThere = /Checked: it (?:was done|is ~)/;
const isNotThere = /Checked: it (?:is not there|was not done)/;

/** Notices must match the forge, and a delivered text must have no draft. */
function assertTold(kind: Kind, on: Machine, window: KilledWindow, about: string): void {
	const shown = stubbed.shown.filter((text) => text.includes('when the window closed'));
	const arrived = kind.count(on);
	assert.ok(arrived <= 1, `${about}: doubled`);
	if (window.isKilled()) {
		return;
	}
	for (const text of shown) {
		assert.match(text, arrived === 1 ? isThere : isNotThere, about);
	}
	const subjectOf = kind.draft?.about ?? kind.becomes;
	if (subjectOf && (kind.draft || shown.length > 0)) {
		assert.equal(on.drafts.draft(subjectOf)?.text === undefined, arrived === 1, `${about}: the draft`);
	}
	assert.equal(on.hasEntries(), false, `${about}: an entry is left`);
}

/** Kills the window of a write, and the next windows, at these steps. */
async function survives(kind: Kind, kills: readonly number[]): Promise<void> {
	const about = `${kind.name}, killed at ${kills.join(' and ')}`;
	const on = machine();
	await typed(kind, on);
	const [first = Infinity, ...others] = kills;
	await done(await on.open(first), kind.act);
	const hadEntries = on.hasEntries();
	for (const at of others) {
		await on.open(at);
		await someTurns();
	}
	const last = await on.open();
	if (hadEntries && others.length === 0) {
		assert.notEqual(
			stubbed.shown.filter((text) => text.includes('when the window closed')).length,
			0,
			`${about}: nothing is said of what was in doubt`,
		);
	}
	assertTold(kind, on, last, about);
	if (hadEntries && kind.count(on) === 0 && kind.becomes) {
		assert.ok(on.drafts.draft(kind.becomes), `${about}: the text is lost`);
	}
	if (kind.count(on) === 0) {
		await done(last, kind.act);
		assert.equal(kind.count(on), 1, `${about}: lost`);
		assert.equal(kind.draft && on.drafts.draft(kind.draft.about), undefined, `${about}: the draft after it was sent`);
		assert.equal(on.hasEntries(), false, about);
	}
}

/** Number of steps of an undisturbed write. */
async function stepsOf(kind: Kind): Promise<number> {
	const on = machine();
	await typed(kind, on);
	const window = await on.open();
	await done(window, kind.act);
	assert.equal(kind.count(on), 1, `${kind.name}: ${window.steps.join(', ')}`);
	return window.steps.length;
}

suite('writes in a killed window', () => {
	/** Rows of the proof's table. A failed test adds none. */
	const survived: (readonly (string | number)[])[] = [];

	for (const kind of kinds) {
		test(`${kind.name}: never lost, doubled or misreported`, async () => {
			const steps = await stepsOf(kind);
			assert.ok(steps >= 4, 'A write has a journal and a request');
			let kills = 0;
			for (let at = 1; at <= steps; at += 1) {
				await survives(kind, [at]);
				kills += 1;
			}
			const random = randomFrom(seed());
			while (kills < counts({ small: steps + 10, full: 60 })) {
				// Also kills the window that does the lookup.
				await survives(kind, [1 + Math.floor(random() * steps), 1 + Math.floor(random() * 5)]);
				kills += 1;
			}
			survived.push([kind.name, steps, kills, 0, 0, 0]);
		});
	}

	suiteTeardown(() =>
		keepProofTable('Killed writes', [['write', 'steps', 'kills', 'lost', 'doubled', 'misreported'], ...survived]),
	);
});

/** Report of a write to its user. */
function reportOf(ended: PromiseSettledResult<unknown> | undefined): 'done' | 'failed' | 'unknown' | 'queued' {
	const error: unknown = ended?.status === 'rejected' ? ended.reason : undefined;
	const value: unknown = ended?.status === 'fulfilled' ? ended.value : undefined;
	const said = [JSON.stringify(value) ?? '', ...stubbed.shown.filter((text) => !text.includes('write down'))].join(' ');
	if (isInDoubt(error) || /may or may not|may have|not known|"unclear"/.test(said)) {
		return 'unknown';
	}
	if (/"queued"|in the outbox/.test([said, ...stubbed.passing.map(({ text }) => text)].join(' '))) {
		return 'queued';
	}
	const isRefused =
		/"(?:missing|failed|refused|unread)"|was not made|was not submitted|not all of it|The forge said/.test(said);
	return error !== undefined || isRefused ? 'failed' : 'done';
}

/** Runs a write with a fault at one step, repeats it if it is missing, then opens a new window. */
async function withstands(kind: Kind, fault: WindowFault): Promise<ReturnType<typeof reportOf>> {
	const on = machine();
	await typed(kind, on);
	const window = await on.open(fault);
	let ended: PromiseSettledResult<unknown> | undefined;
	void Promise.allSettled([kind.act(window)]).then(([result]) => (ended = result));
	await someTurns();
	const about = `${kind.name}, step ${fault.at} (${window.steps[fault.at - 1]}) ${fault.way}`;
	assert.ok(ended, `${about}: it hangs`);
	const report = reportOf(ended);
	const arrived = kind.count(on);
	assert.ok(arrived <= 1, `${about}: doubled`);
	if (report === 'queued') {
		const next = await on.open();
		on.isAway = false;
		await sendAll(next);
		assert.equal(kind.count(on), 1, `${about}: sent once from the outbox`);
		assert.deepEqual(next.connection.outbox.items(), [], about);
		return report;
	}
	assert.ok(report === 'unknown' || report === (arrived === 1 ? 'done' : 'failed'), `${about}: reported as ${report}`);
	const draftNow = (): string | undefined => kind.draft && on.drafts.draft(kind.draft.about)?.text;
	if (arrived === 0) {
		assert.equal(draftNow(), kind.draft?.text, `${about}: the draft is lost`);
	}
	if (window.steps.slice(0, fault.at).some((name) => name.endsWith(' answered'))) {
		assert.ok(!stubbed.shown.some((text) => text.includes('is being sent')), `${about}: told as unsent`);
	}
	on.isAway = false;
	on.disk.isFull = false;
	if (arrived === 0) {
		await done(window, kind.act);
		assert.equal(kind.count(on), 1, `${about}: lost`);
	}
	await on.open();
	const shown = stubbed.shown.filter((text) => text.includes('when the window closed'));
	shown.forEach((text) => assert.match(text, isThere, about));
	assert.deepEqual([kind.count(on), draftNow(), on.hasEntries()], [1, undefined, false], `${about}: after a restart`);
	return report;
}

suite('writes with a failing step', () => {
	const withstood: (readonly (string | number)[])[] = [];

	for (const kind of kinds) {
		test(`${kind.name}: never lost, doubled or misreported, whichever step fails`, async () => {
			const steps = await stepsOf(kind);
			const reports = { done: 0, failed: 0, unknown: 0, queued: 0 };
			for (let at = 1; at <= steps; at += 1) {
				for (const way of ['failed', 'cut', 'full'] as const) {
					reports[await withstands(kind, { at, way })] += 1;
				}
			}
			withstood.push([kind.name, steps, ...Object.values(reports), 0, 0, 0]);
		});
	}

	suiteTeardown(() =>
		keepProofTable('Failed steps of writes', [
			['write', 'steps', 'told as done', 'as failed', 'as unknown', 'queued', 'lost', 'doubled', 'misreported'],
			...withstood,
		]),
	);
});

suite('writes that queue in a window that dies', () => {
	for (const kind of kinds.filter(({ name }) =>
		['a comment', 'a comment with a status', 'a new ticket'].includes(name),
	)) {
		test(`${kind.name}: never lost or doubled, whichever step is the last`, async () => {
			let steps = 0;
			for (let at = 1; ; at += 1) {
				const on = machine();
				await typed(kind, on);
				const window = await on.open(at);
				on.isAway = true;
				void Promise.allSettled([kind.act(window)]);
				await someTurns();
				steps = window.steps.length;
				// The next window ends this one in any case.
				const isDead = window.isKilled();
				const about = `${kind.name}, step ${at} (${window.steps[at - 1]})`;
				await on.open();
				on.isAway = false;
				const next = await on.open();
				const wasQueued = next.connection.outbox.items().length > 0;
				await sendAll(next);
				assert.equal(kind.count(on), wasQueued ? 1 : 0, about);
				assert.equal(
					kind.draft && on.drafts.draft(kind.draft.about)?.text,
					wasQueued ? undefined : kind.draft?.text,
					about,
				);
				assert.deepEqual([next.connection.outbox.items(), on.hasEntries()], [[], false], about);
				if (!isDead) {
					break;
				}
			}
			assert.ok(steps >= 4, `the write went through both records: ${steps}`);
		});
	}
});

/** Sends the outbox. The windows have not read the tickets, so their status is unknown, and the user decides. */
async function sendAll(window: KilledWindow): Promise<void> {
	const { outbox } = window.connection;
	await window.sendOutbox();
	for (const { id, progress } of outbox.items()) {
		assert.ok(progress.kind === 'conflict' && progress.now);
		const held = outbox.hold(id);
		await held?.change({ progress: { kind: 'waiting' }, basis: progress.now });
		held?.release();
	}
	await window.sendOutbox();
}

/** A bulk change of eight tickets. */
interface BulkKind {
	readonly name: string;
	readonly act: (window: KilledWindow) => Promise<void>;
	/** Number of changed tickets. */
	readonly changed: (machine: Machine) => Promise<number>;
	/** Notice of the next window. */
	readonly stopped: (tickets: string) => string;
}

const eight = Array.from({ length: 8 }, (_, at) => ({ tracker: alpha, id: at + 1 }));

function machineOfEight(): Machine {
	return killingMachine((fake) => {
		fake.world.trackers.push(makeTracker());
		fake.world.tickets.set('~alice/alpha', eight.map(({ id }) => makeTicket({ id, labels: ['old'] })).toReversed());
		Object.assign(fake.api, withMaking(fake));
	});
}

const bulkKinds: readonly BulkKind[] = [
	{
		name: 'labels',
		async act({ triage }) {
			const wish: TicketRequest = { labels: { add: ['new'], remove: [] } };
			const items = eight.map((each) => ({ subject: { ...subject, ref: each }, wish }));
			await triage.bulk.carryOut({ heading: '', undoing: 'Undo', result: (tickets) => tickets, items }, never);
		},
		changed: async ({ fake }) =>
			(fake.world.tickets.get('~alice/alpha') ?? []).filter(({ labels }) => labels.includes('new')).length,
		stopped: (tickets) => `Labels were changed on ${tickets} when the window closed.`,
	},
	{
		name: 'subscriptions',
		async act({ triage }) {
			stubbed.answers.push('Subscribe');
			await subscribeTickets(
				triage,
				eight.map((each) => ({ ...subject, ref: each })),
				never,
			);
		},
		async changed({ fake: { api } }) {
			const all = await Promise.all(
				eight.map(async (each) => api.subscriptions?.isSubscribed({ kind: 'ticket', ref: each }, never)),
			);
			return all.filter((isSubscribed) => isSubscribed === true).length;
		},
		stopped: (tickets) => `You were subscribed to ${tickets} when the window closed.`,
	},
];

suite('bulk action in a killed window', () => {
	for (const { name, act, changed, stopped } of bulkKinds) {
		for (const [answer, left] of [
			['Continue', 8],
			['Undo', 0],
		] as const) {
			test(`${name}: reports its progress, and ${answer} leaves ${left} of 8 changed`, async () => {
				const undisturbed = machineOfEight();
				const window = await undisturbed.open();
				await done(window, act);
				assert.equal(await changed(undisturbed), 8);
				assert.equal(undisturbed.hasEntries(), false);
				const steps = window.steps.length;
				const every = counts({ small: 7, full: 1 });
				for (let at = 1; at <= steps; at += every) {
					const on = machineOfEight();
					await done(await on.open(at), act);
					const reached = await changed(on);
					const hadEntries = on.hasEntries();
					await on.open(undefined, [answer]);
					const about = `killed at ${at} of ${steps}`;
					if (!hadEntries) {
						assert.deepEqual([stubbed.shown, [0, 8].includes(reached)], [[], true], about);
						continue;
					}
					const count = reached === 8 ? '8 tickets' : `${reached} of 8 tickets`;
					assert.equal(stubbed.shown[0], stopped(count), about);
					const offered = [...(reached < 8 ? ['Continue'] : []), ...(reached > 0 ? ['Undo'] : [])];
					assert.deepEqual(stubbed.buttons[0], offered, about);
					assert.equal(await changed(on), offered.includes(answer) ? left : reached, about);
					assert.equal(on.hasEntries(), false, about);
				}
			});
		}
	}

	testInBoth('Continue doubles no comment, wherever the disk fills up and the window dies', async () => {
		const items = eight.map((each) => ({ subject: { ...subject, ref: each }, wish: { comment: comment.text } }));
		const act: Kind['act'] = ({ triage }) =>
			triage.bulk.carryOut({ heading: '', result: (tickets) => tickets, items }, never);
		const undisturbed = await machineOfEight().open();
		await done(undisturbed, act);
		const steps = undisturbed.steps.length;
		const every = counts({ first: 12, small: 5, full: 1 });
		for (let at = 1; at <= steps; at += every) {
			for (let killedAt = at + 1; killedAt <= steps + every; killedAt += every) {
				for (const isFull of [false, true]) {
					const on = machineOfEight();
					await done(await on.open({ at, way: 'full', killedAt }), act);
					on.disk.isFull = isFull;
					await on.open({ at: killedAt, way: 'killed' }, ['Continue']);
					await on.open(undefined, ['Continue']);
					const about = `full at ${at}, killed at ${killedAt} of ${steps}${isFull ? ', still full' : ''}`;
					for (const { id } of eight) {
						assert.ok(commented(on, comment.text, id) <= 1, `${about}: the comment on ${id} is doubled`);
					}
				}
			}
		}
	}).timeout(600_000);

	test('warns that it cannot record the rest when the disk fills up halfway', async () => {
		const [{ act, changed } = assert.fail()] = bulkKinds;
		const on = machineOfEight();
		await done(await on.open({ at: 7, way: 'full' }), act);
		assert.equal(await changed(on), 8);
		assert.deepEqual(
			stubbed.warned.map((text) => text.slice(0, 44)),
			["Couldn't write down the outcome of what was ", "Couldn't write down what is being sent. If t"],
		);
	});

	test('reports again when the next window dies before the user answers', async () => {
		const [{ act, changed, stopped } = assert.fail()] = bulkKinds;
		const on = machineOfEight();
		await done(await on.open(40), act);
		const text = stopped(`${await changed(on)} of 8 tickets`);
		await on.open(undefined, [new Promise<string>(() => undefined)]);
		assert.deepEqual(stubbed.shown, [text]);
		await on.open(undefined, ['Continue']);
		assert.equal(stubbed.shown[0], text);
		assert.equal(await changed(on), 8);
	});

	test('keeps the comment text as a draft when the user closes the notice', async () => {
		const on = machineOfEight();
		const window = await on.open(10);
		const items = eight.map((each) => ({ subject: { ...subject, ref: each }, wish: { comment: comment.text } }));
		await done(window, ({ triage }) =>
			triage.bulk.carryOut({ heading: '', result: (tickets) => tickets, items }, never),
		);
		await on.open();
		assert.match(stubbed.shown[0] ?? '', /^A comment was posted on \d of 8 tickets when the window closed\.$/);
		assert.deepEqual(
			on.drafts.all().map(({ draft }) => draft.text),
			[comment.text],
		);
		assert.equal(on.hasEntries(), false);
	});
});

suite('write in doubt', () => {
	const [first = assert.fail(), , , , ticket = assert.fail()] = kinds;

	for (const isThere of [true, false]) {
		test(`reports doubt offline, and online finds that a comment is ${isThere ? 'there' : 'missing'}`, async () => {
			const on = machine();
			await typed(first, on);
			const at = (await stepNamed(first, isThere ? 'update answered' : 'update')) + 1;
			await done(await on.open(at), first.act);
			assert.equal(first.count(on), isThere ? 1 : 0);
			on.isAway = true;
			const window = await on.open();
			assert.match(stubbed.shown[0] ?? '', /It may have arrived\. Check before you send it again\.$/);
			assert.deepEqual(stubbed.buttons[0], ['Check Again', 'Open']);
			assert.equal(window.sending.open()?.answer?.kind, 'unclear');
			const answer = await window.sending.send({ comment: comment.text, move: undefined });
			assert.equal(answer.kind, 'unclear');
			on.isAway = false;
			const sent = await window.sending.send({ comment: comment.text, move: undefined });
			assert.equal(sent.kind, isThere ? 'arrived' : 'done');
			assert.deepEqual([first.count(on), on.drafts.draft(comment.about), on.hasEntries()], [1, undefined, false]);
		});

		test(`reports doubt offline, and online finds that a new ticket is ${isThere ? 'there' : 'missing'}`, async () => {
			const on = machine();
			await typed(ticket, on);
			const at = (await stepNamed(ticket, isThere ? 'submit answered' : 'submit')) + 1;
			await done(await on.open(at), ticket.act);
			on.isAway = true;
			const window = await on.open();
			assert.match(stubbed.shown[0] ?? '', /It may have arrived\. Check before you send it again\.$/);
			stubbed.answers.push(undefined);
			await done(window, ticket.act);
			assert.match(stubbed.shown.at(-1) ?? '', /may have been submitted to ~alice\/alpha already/);
			on.isAway = false;
			await done(window, ticket.act);
			assert.deepEqual([ticket.count(on), on.drafts.draft(newTicket), on.hasEntries()], [1, undefined, false]);
		});
	}

	test('shows a missing comment on its page, and a resend posts it once', async () => {
		const on = machine();
		await typed(first, on);
		await done(await on.open((await stepNamed(first, 'update')) + 1), first.act);
		const window = await on.open();
		assert.deepEqual(window.sending.open(), {
			send: { comment: comment.text, move: undefined },
			answer: {
				kind: 'missing',
				text: 'This may not have arrived. Checked: it is not on the ticket.',
				isCommentThere: false,
			},
		});
		await window.sending.send({ comment: comment.text, move: undefined });
		assert.deepEqual([first.count(on), window.sending.open(), on.hasEntries()], [1, undefined, false]);
	});

	test('reports only the missing part of a comment with labels', async () => {
		const on = machine();
		await typed(first, on);
		const both = ({ connection }: KilledWindow): Promise<unknown> =>
			connection.writes.write(ref, { comment: comment.text, labels: { add: ['new'], remove: [] } }, never);
		await done(await on.open((await stepNamed(first, 'update')) + 1), both);
		const user = { kind: 'user', canonicalName: '~alice', name: 'alice' } as const;
		const posted = makeComment(comment.text, { id: 9, submitter: user });
		on.fake.world.events.set('~alice/alpha#1', [
			makeEvent({ id: 9, kinds: ['comment'], comment: posted, user }),
			event,
		]);
		await on.open();
		assert.deepEqual(stubbed.shown, [
			'~alice/alpha#1 was being changed when the window closed. Checked: it was not done. You can try again.',
		]);
		assert.equal(on.drafts.draft(comment.about), undefined);
	});

	test('a later try that arrives settles an earlier one in doubt', async () => {
		const on = machine();
		Object.assign(on.fake.api, {
			async editComment() {
				on.isAway = true;
				throw new ForgeError({ kind: 'serverError', status: 502 });
			},
		});
		const change = { ref, event, comment: own, text: 'After' };
		const window = await on.open();
		await done(window, ({ connection }) => editComment(connection, quietProblems, change, never));
		assert.equal(on.hasEntries(), true);
		on.isAway = false;
		const { journal } = window.connection;
		const [open] = journal.open();
		assert.ok(open);
		const retry = journal.begin(open.entry.write);
		await retry.persist();
		await retry.arrived();
		assert.deepEqual([on.hasEntries(), journal.open()], [false, []]);
	});

	test('keeps a missing comment without a draft beside the draft of its ticket', async () => {
		const kind = kinds.find(({ becomes }) => becomes) ?? assert.fail();
		const on = machine();
		await on.drafts.keep(comment.about, { text: 'My own words.', atMs: 5 });
		await done(await on.open((await stepNamed(kind, 'update')) + 1), kind.act);
		await on.open(undefined, ['Show Drafts']);
		assert.equal(on.drafts.draft(comment.about)?.text, 'My own words.');
		assert.deepEqual(
			on.drafts
				.all()
				.map(({ draft }) => draft.text)
				.toSorted(),
			[comment.text, 'My own words.'],
		);
		assert.match(stubbed.shown[0] ?? '', /it is not there\. Its text is kept beside your other draft\.$/);
		assert.deepEqual([stubbed.executed, on.hasEntries()], [['forge.drafts.show'], false]);
	});

	test('keeps a draft that grew after it was sent', async () => {
		const on = machine();
		await typed(first, on);
		await done(await on.open((await stepNamed(first, 'update answered')) + 1), first.act);
		await on.drafts.keep(comment.about, { text: `${comment.text} A lot.`, atMs: 6 });
		await on.open();
		assert.equal(on.drafts.draft(comment.about)?.text, `${comment.text} A lot.`);
	});

	test('a page restored from before the sending finds the time of the sent draft', async () => {
		const on = machine();
		await typed(first, on);
		await done(await on.open(), first.act);
		const window = await on.open();
		assert.equal(window.pageDrafts.commentSentMs(), 5);
	});

	test('a full disk blocks no write, and one warning says that a crash would leave it in doubt', async () => {
		for (const kind of kinds) {
			const on = machine();
			await typed(kind, on);
			on.disk.isFull = true;
			const window = await on.open();
			await done(window, kind.act);
			assert.equal(kind.count(on), 1, kind.name);
			const said = stubbed.warned.filter((text) => text.startsWith("Couldn't write down what is being sent."));
			assert.equal(said.length, 1, kind.name);
			assert.equal(kind.draft && on.drafts.draft(kind.draft.about), undefined, kind.name);
		}
	});

	test('two open windows adopt the entry of a third one once', async () => {
		const on = machine();
		await typed(first, on);
		const one = await on.open();
		const third = await on.beside((await stepNamed(first, 'update answered')) + 1);
		await done(third, first.act);
		const two = await on.beside();
		assert.equal(first.count(on), 1);
		const shown = stubbed.shown.filter((text) => text.includes('when the window closed'));
		assert.equal(shown.length, 1);
		assert.deepEqual(
			[one, two].map(({ connection }) => connection.journal.adopted()),
			[[], []],
		);
	});
});

suite('request that a proxy repeats', () => {
	test('an edited comment counts as saved although the second request finds it missing, however old it is', async () => {
		const on = machine();
		const { world, api } = on.fake;
		world.pageSize = 2;
		const newer = [9, 8, 7, 6].map((id) =>
			makeEvent({ id, kinds: ['comment'], comment: makeComment('Newer', { id }) }),
		);
		const edit = api.editComment;
		Object.assign(api, {
			async editComment(...args: Parameters<NonNullable<typeof edit>>) {
				await edit?.(...args);
				world.events.set('~alice/alpha#1', [...newer, ...(world.events.get('~alice/alpha#1') ?? [])]);
				throw new ForgeError({ kind: 'notFound' });
			},
		});
		const { connection } = await on.open();
		await connection.tickets.events(ref, never);
		const change = { ref, event, comment: own, text: 'After' };
		assert.deepEqual(await editComment(connection, quietProblems, change, never), { kind: 'done' });
	});

	test('a deletion counts as done when the ticket is gone, and is in doubt when the lookup fails', async () => {
		const on = machine();
		const remove = on.fake.api.removeTicket;
		Object.assign(on.fake.api, {
			async removeTicket(...args: Parameters<NonNullable<typeof remove>>) {
				await remove?.(...args);
				throw new ForgeError({ kind: 'notFound' });
			},
		});
		const window = await on.open();
		await window.connection.writes.removeTicket?.(ref, never);
		assert.equal(ticketNow(on), undefined);
		Object.assign(on.fake.api, {
			async removeTicket() {
				on.isAway = true;
				throw new ForgeError({ kind: 'notFound' });
			},
		});
		const { connection } = await on.open();
		await assert.rejects(async () => connection.writes.removeTicket?.(ref, never), isInDoubt);
		assert.equal(on.hasEntries(), true);
	});

	test('reports an edit as possibly saved when the lookup fails', async () => {
		const on = machine();
		Object.assign(on.fake.api, {
			async editComment() {
				on.isAway = true;
				throw new ForgeError({ kind: 'notFound' });
			},
		});
		const { connection } = await on.open();
		const change = { ref, event, comment: own, text: 'After' };
		const answer = await editComment(connection, quietProblems, change, never);
		assert.match(answer.kind === 'failed' ? answer.text : '', /may or may not have been saved/);
	});
});

suite('new ticket that the editor restores', () => {
	const tab = (): void => {
		const uri = draftUri(newTicket);
		stubbedTabs.push({ label: 'New ticket', isActive: true, input: new TabInputText(uri) });
	};

	for (const [about, text] of [
		['is empty', ''],
		['has a part of the text that was sent', 'The lamp '],
		['has the text that was sent', 'The lamp is dark\n\nAt night.'],
	] as const) {
		test(`closes after its submission when it ${about}`, async () => {
			const kind = kinds.find(({ name }) => name === 'a new ticket') ?? assert.fail();
			const on = machine();
			await typed(kind, on);
			await done(await on.open(), kind.act);
			await (text === '' ? undefined : on.drafts.keep(newTicket, { text, atMs: 7 }));
			const window = await on.open(undefined, [], tab);
			assert.deepEqual(window.closed, [newTicket]);
			await on.drafts.keep(newTicket, { text: 'Something else', atMs: 8 });
			assert.deepEqual((await on.open(undefined, [], tab)).closed, []);
		});
	}

	test('closes after an unconfirmed submission when it has a part of the text', async () => {
		const kind = kinds.find(({ name }) => name === 'a new ticket') ?? assert.fail();
		const on = machine();
		await typed(kind, on);
		await done(await on.open((await stepNamed(kind, 'submit answered')) + 1), kind.act);
		await on.drafts.keep(newTicket, { text: 'The lamp ', atMs: 7 });
		assert.deepEqual((await on.open(undefined, [], tab)).closed, [newTicket]);
	});

	test('stays open when it was never submitted', async () => {
		const on = machine();
		assert.deepEqual((await on.open(undefined, [], tab)).closed, []);
	});
});

/** Number of the first step of this name in an undisturbed write, counted from 0. */
async function stepNamed(kind: Kind, name: string): Promise<number> {
	const on = machine();
	await typed(kind, on);
	const window = await on.open();
	await done(window, kind.act);
	const at = window.steps.indexOf(name);
	assert.notEqual(at, -1, window.steps.join(', '));
	return at;
}
