import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CommandId } from '../../../../src/commands/table.ts';
import type { InboxAge } from '../../../../src/features/inbox/inboxAge.ts';
import { fake } from '../../../support/fake.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { InboxEvent, InboxThing, ReferenceChange } from '../../../../src/store/inbox/inboxEntry.ts';
import { fakeRepositories, fakeStore, idOf, makeCommit } from '../../../support/fakeRepositories.ts';
import { inboxWorld, type InboxWorld } from './support/inboxWorld.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { standFor } from '../../../support/standFor.ts';
import { makeTicket } from '../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { inboxCommands } = await import('../../../../src/features/inbox/inboxFeature.ts');
const { eventOf } = await import('../../../../src/features/tickets/subjects/subjects.ts');
const { inboxFront } = await import('../../../../src/features/inbox/inboxFront.ts');
const { doneShown } = await import('../../../../src/features/inbox/inboxTree.ts');

const never = new AbortController().signal;
const connectionKey = 'sample-alice';
const list = { owner: '~alice', name: 'devel' };

const entry = (id: string): unknown => ({ kind: 'inboxEntry', connectionKey, id });
const thing = (id: number): unknown => ({ kind: 'inboxThing', connectionKey, thing: `ticket ~alice/alpha#${id}` });

interface Commanded extends InboxWorld {
	readonly run: (command: CommandId, ...rows: readonly unknown[]) => Promise<void>;
	readonly isDoneShown: () => boolean;
}

/** Ticket 7 with `a` and `b`, ticket 8 with `c`. */
function commanded(...names: readonly string[]): Commanded {
	const world = inboxWorld(...names);
	const done = doneShown(world.parts);
	const { commands } = inboxCommands(
		world.parts,
		done,
		fake<InboxAge>({ refresh: () => Promise.resolve() }),
		inboxFront(world.parts),
	);
	world.arrive([makeEntry('a', 0), makeEntry('b', 10), makeEntry('c', 20, { ticket: 8 })]);
	return {
		...world,
		run: async (command, ...rows) => commands[command]?.(rows[0], never, rows),
		isDoneShown: () => done.now(),
	};
}

suite('inbox commands', () => {
	setup(() => resetStub());

	test('mark entries or all entries of a thing, and move them back', async () => {
		const { run, states } = commanded();
		await run('forge.inbox.markRead', entry('a'));
		assert.deepEqual(states(), { a: 'read', b: 'unread', c: 'unread' });
		await run('forge.inbox.markUnread', thing(7));
		assert.deepEqual(states(), { a: 'unread', b: 'unread', c: 'unread' });
		await run('forge.inbox.done', thing(7), entry('c'));
		assert.deepEqual(states(), { a: 'done', b: 'done', c: 'done' });
		await run('forge.inbox.markRead', entry('a'));
		await run('forge.inbox.markUnread', entry('a'));
		assert.deepEqual(states(), { a: 'done', b: 'done', c: 'done' });
		await run('forge.inbox.moveBack', entry('b'), thing(8));
		assert.deepEqual(states(), { a: 'done', b: 'read', c: 'read' });
		assert.deepEqual([stubbed.asked, stubbed.shown], [[], []]);
	});

	test('clear the mark of a ticket row only without unread entries and later changes', async () => {
		const { run, connections, arrive } = commanded();
		const [account] = connections.all();
		assert.ok(account);
		const ref = { owner: '~alice', name: 'alpha' };
		const ticketAt = (id: number, minutes: number) =>
			makeTicket({ id, updatedMs: Date.UTC(2026, 10, 20, 12, minutes) });
		// The newest entries of 7, 8 and 9 are of 12:10, 12:20 and 12:30.
		const [seven, eight, nine] = [ticketAt(7, 10), ticketAt(8, 21), ticketAt(9, 30)];
		arrive([makeEntry('d', 30, { ticket: 9 })]);
		account.readMarks.see(ref, () => [ticketAt(7, -60), ticketAt(8, -60)]);
		for (const value of [seven, eight, nine]) {
			account.tickets.apply({ kind: 'ticketChanged', ticket: value });
		}
		const marks = (): readonly unknown[] => [seven, eight, nine].map((ticket) => account.readMarks.mark(ticket));
		assert.deepEqual(marks(), ['changed', 'changed', 'new']);
		await run('forge.inbox.markRead', entry('a'));
		assert.deepEqual(marks(), ['changed', 'changed', 'new']);
		await run('forge.inbox.done', entry('b'));
		assert.deepEqual(marks(), [undefined, 'changed', 'new']);
		await run('forge.inbox.markAllRead');
		assert.deepEqual(marks(), [undefined, 'changed', undefined]);
		await run('forge.inbox.markUnread', thing(9));
		assert.deepEqual(marks(), [undefined, 'changed', undefined]);
	});

	test('undo restores the marks of ticket rows, but not of a ticket opened since', async () => {
		const { run, connections, arrive } = commanded();
		const [account] = connections.all();
		assert.ok(account);
		const ref = { owner: '~alice', name: 'alpha' };
		const ticketAt = (id: number, minutes: number) =>
			makeTicket({ id, updatedMs: Date.UTC(2026, 10, 20, 12, minutes) });
		const [seven, eight, nine] = [ticketAt(7, 10), ticketAt(8, 20), ticketAt(9, 30)];
		arrive([makeEntry('d', 30, { ticket: 9 })]);
		account.readMarks.see(ref, () => [ticketAt(7, -60), ticketAt(8, -60)]);
		for (const value of [seven, eight, nine]) {
			account.tickets.apply({ kind: 'ticketChanged', ticket: value });
		}
		const marks = (): readonly unknown[] => [seven, eight, nine].map((ticket) => account.readMarks.mark(ticket));
		const seen = account.readMarks.seenMs({ tracker: ref, id: 7 });
		for (const command of ['markAllRead', 'done'] as const) {
			await run(`forge.inbox.${command}`, thing(7), thing(8), thing(9));
			assert.deepEqual(marks(), [undefined, undefined, undefined]);
			await run('forge.inbox.undo');
			assert.deepEqual(marks(), ['changed', 'changed', 'new']);
			assert.equal(account.readMarks.seenMs({ tracker: ref, id: 7 }), seen);
		}
		await run('forge.inbox.markAllRead');
		account.readMarks.look(eight, 5);
		await run('forge.inbox.undo');
		assert.deepEqual(marks(), ['changed', undefined, 'new']);
	});

	test('change all selected entries of an account with one event', async () => {
		const { run, connections } = commanded();
		let changes = 0;
		connections.all()[0]?.inbox.onDidChange(() => (changes += 1));
		await run('forge.inbox.done', thing(7), thing(8), entry('a'));
		assert.equal(changes, 1);
	});

	test('mark all entries of all accounts as read, and keep done entries done', async () => {
		const { run, states, arrive, connections } = commanded('~alice', '~bob');
		arrive([makeEntry('z', 0)], 1);
		await run('forge.inbox.done', entry('a'));
		await run('forge.inbox.markAllRead');
		assert.deepEqual(states(), { a: 'done', b: 'read', c: 'read' });
		assert.equal(connections.all()[1]?.inbox.unreadCount(), 0);
		assert.deepEqual(stubbed.shown, ['Marked everything in the inbox as read.']);
	});

	test('undo the last change once, for one entry and for Mark All as Read', async () => {
		const { run, states, arrive, connections } = commanded('~alice', '~bob');
		arrive([makeEntry('z', 0)], 1);
		await run('forge.inbox.done', entry('a'));
		await run('forge.inbox.markAllRead');
		stubbed.shown.length = 0;
		await run('forge.inbox.undo');
		assert.deepEqual(states(), { a: 'done', b: 'unread', c: 'unread' });
		assert.equal(connections.all()[1]?.inbox.unreadCount(), 1);
		await run('forge.inbox.undo');
		await run('forge.inbox.done', entry('b'));
		await run('forge.inbox.undo');
		assert.deepEqual(states(), { a: 'done', b: 'unread', c: 'unread' });
		await run('forge.inbox.done', entry('b'));
		await run('forge.inbox.mute', thing(8));
		await run('forge.inbox.undo');
		assert.deepEqual(states(), { a: 'done', b: 'done', c: 'unread' });
		assert.equal(connections.all()[0]?.inbox.choice('ticket ~alice/alpha#8'), 'usual');
		assert.deepEqual(
			stubbed.shown.filter((text) => /undo|Undid/i.test(text)),
			[
				'Undid the last change in the inbox.',
				'There is nothing to undo in the inbox.',
				'Undid the last change in the inbox.',
				'Undid the last change in the inbox.',
			],
		);
	});

	test('mute and unmute the thing of an entry', async () => {
		const { run, states, connections, arrive } = commanded();
		await run('forge.inbox.mute', entry('a'), thing(7));
		const inbox = connections.all()[0]?.inbox;
		assert.equal(inbox?.choice('ticket ~alice/alpha#7'), 'nothing');
		assert.deepEqual(states(), { a: 'done', b: 'done', c: 'unread' });
		arrive([makeEntry('d', 30)]);
		assert.equal(states()['d'], 'done');
		await run('forge.inbox.unmute', thing(7));
		assert.equal(inbox?.choice('ticket ~alice/alpha#7'), 'usual');
		await run('forge.inbox.mute', thing(7), thing(8));
		assert.deepEqual(stubbed.shown, ['Muted "Ticket 7".', 'Unmuted "Ticket 7".', 'Muted 2 items.']);
	});

	test('ask for a thing without a selection, and offer only applicable ones', async () => {
		const { run, states } = commanded();
		await run('forge.inbox.markRead', entry('c'));
		stubbed.answers.push('Ticket 7');
		await run('forge.inbox.markRead');
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[['Ticket 7', '~alice/alpha#7 · you submitted this']],
		);
		assert.deepEqual(states(), { a: 'read', b: 'read', c: 'read' });
		await run('forge.inbox.markRead');
		stubbed.answers.push('Ticket 8');
		await run('forge.inbox.mute');
		stubbed.answers.push('Ticket 8');
		await run('forge.inbox.unmute');
		await run('forge.inbox.unmute');
		stubbed.answers.push('Ticket 8');
		await run('forge.inbox.moveBack');
		assert.deepEqual(states(), { a: 'read', b: 'read', c: 'read' });
		assert.deepEqual(stubbed.shown, [
			'Nothing in the inbox is unread.',
			'Muted "Ticket 8".',
			'Unmuted "Ticket 8".',
			'Nothing is muted.',
		]);
	});

	test('say that the inbox is empty or that no entry applies', async () => {
		const { run, connections } = commanded();
		connections.replace();
		for (const command of ['open', 'done', 'mute', 'markUnread', 'moveBack'] as const) {
			await run(`forge.inbox.${command}`);
		}
		assert.deepEqual(stubbed.shown, [
			'The inbox is empty.',
			'The inbox is empty.',
			'The inbox is empty.',
			'Nothing in the inbox is read.',
			'Nothing in the inbox is snoozed or done.',
		]);
	});

	test('show and hide done entries', async () => {
		const { run, isDoneShown } = commanded();
		await run('forge.inbox.showDone');
		assert.ok(isDoneShown());
		await run('forge.inbox.hideDone');
		assert.ok(!isDoneShown());
	});

	test('ignore removed entries, and fail for a signed-out account', async () => {
		const { run, states, connections } = commanded();
		await run('forge.inbox.done', entry('nothing'), thing(99));
		await run('forge.inbox.open', entry('nothing'));
		assert.deepEqual([states(), stubbed.executed], [{ a: 'unread', b: 'unread', c: 'unread' }, []]);
		connections.replace();
		await assert.rejects(
			run('forge.inbox.done', thing(7)),
			(error) => isForgeError(error) && error.problem.kind === 'notSignedIn',
		);
	});
});

suite('opening from the inbox', () => {
	setup(() => resetStub());

	/** The executed command and its arguments after an entry opens. */
	async function opened(about: InboxThing, event: InboxEvent): Promise<readonly unknown[]> {
		resetStub();
		const { arrive, run, states } = commanded();
		arrive([makeEntry('x', 40, { thing: about, event })]);
		await run('forge.inbox.open', entry('x'));
		assert.deepEqual(states(), { a: 'unread', b: 'unread', c: 'unread', x: 'read' });
		return [stubbed.executed, stubbed.passed];
	}

	const ticket: InboxThing = { kind: 'ticket', ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 3 }, title: '' };
	const thread: InboxThing = { kind: 'thread', list, id: 5, subject: '' };
	const patchset: InboxThing = { kind: 'patchset', ref: { list, id: 6 }, subject: '' };
	const mail: InboxEvent = { kind: 'mailArrived', mailId: 8, subject: '' };

	test('shows the exact event, message, patchset or repository', async () => {
		assert.deepEqual(await opened(ticket, { kind: 'assigned', eventId: 77, to: '~alice' }), [
			['forge.tickets.open'],
			[{ kind: 'ticket', connectionKey, ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 3 }, event: 77 }],
		]);
		assert.deepEqual(await opened(ticket, { kind: 'assigned', eventId: undefined, to: '~alice' }), [
			['forge.tickets.open'],
			[{ kind: 'ticket', connectionKey, ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 3 } }],
		]);
		const openedMail = [
			['forge.lists.openThread'],
			[{ kind: 'mail', connectionKey, list, id: 8, messageId: undefined }],
		];
		assert.deepEqual(await opened(thread, mail), openedMail);
		assert.deepEqual(await opened(patchset, mail), openedMail);
		assert.deepEqual(await opened(patchset, { kind: 'patchsetReceived', version: 2 }), [
			['forge.patchsets.open'],
			[{ kind: 'patchset', connectionKey, ref: { list, id: 6 } }],
		]);
		const ref = { owner: '~alice', name: 'lantern' };
		assert.deepEqual(await opened({ kind: 'repository', ref }, { kind: 'pushed', changes: [] }), [
			['forge.repositories.open'],
			[{ kind: 'repository', connectionKey, ref }],
		]);
	});

	/** Like `opened`, for a push. The history is 4, 3, 2, 1, newest first; the tag points to 4. */
	async function openedPush(...changes: readonly Partial<ReferenceChange>[]): Promise<readonly unknown[]> {
		resetStub();
		const { arrive, run, states, connections } = commanded();
		const fake = fakeRepositories();
		const { world } = fake;
		const history = [4, 3, 2, 1].map((at) => makeCommit(at, { parents: at === 1 ? [] : [idOf(at - 1)] }));
		world.logs.set('~alice/lantern refs/heads/main', history);
		world.logs.set(`~alice/lantern ${tagId}`, history);
		world.before = (call) => {
			if (call.includes(idOf(9))) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		const [connection] = connections.all();
		const store = fakeStore(fake);
		connections.replace(standFor(Object.create(connection ?? null, { repositories: { value: store } })));
		const whole = changes.map((change) => ({
			name: 'refs/heads/main',
			old: undefined,
			now: undefined,
			isAnnotatedTag: false,
			...change,
		}));
		const about: InboxThing = { kind: 'repository', ref: { owner: '~alice', name: 'lantern' } };
		arrive([makeEntry('x', 40, { thing: about, event: { kind: 'pushed', changes: whole } })]);
		await run('forge.inbox.open', entry('x'));
		assert.equal(states()['x'], 'read');
		return [...stubbed.executed, ...stubbed.passed.map(shownSubject)];
	}

	const tagId = 'ab'.repeat(20);
	const shownSubject = (subject: unknown): string =>
		Object.entries<unknown>(typeof subject === 'object' ? { ...subject } : {})
			.filter(([key]) => key !== 'connectionKey' && key !== 'ref')
			.map(([key, value]) => `${key} ${String(value)}`)
			.join(', ');
	const commitPage = (id: number): readonly string[] => [
		'forge.repositories.openCommit',
		`kind commit, id ${idOf(id)}`,
	];
	const wholeRepository = ['forge.repositories.open', 'kind repository'];

	test('shows a pushed commit, or the comparison for several commits', async () => {
		assert.deepEqual(await openedPush({ old: idOf(1), now: idOf(2) }), commitPage(2));
		assert.deepEqual(await openedPush({ old: idOf(2), now: idOf(4) }), [
			'forge.repositories.compare',
			`kind comparison, before ${idOf(2)}, after ${idOf(4)}`,
		]);
	});

	test('shows the commit of a new branch or tag, and the repository for a deleted one', async () => {
		assert.deepEqual(await openedPush({ now: idOf(3) }), commitPage(3));
		assert.deepEqual(await openedPush({ name: 'refs/tags/v1', now: tagId }), commitPage(4));
		assert.deepEqual(await openedPush({ name: 'refs/tags/v1', old: idOf(1), now: tagId }), commitPage(4));
		assert.deepEqual(await openedPush({ old: idOf(3) }), wholeRepository);
		assert.deepEqual(await openedPush({ name: 'refs/heads/old', old: idOf(3) }, { now: idOf(3) }), commitPage(3));
	});

	test('shows the remaining commit or the repository when commits of a push are missing', async () => {
		assert.deepEqual(await openedPush({ old: idOf(9), now: idOf(4) }), commitPage(4));
		assert.deepEqual(await openedPush({ old: idOf(1), now: idOf(9) }), wholeRepository);
	});

	test('opens the oldest unread entry of a thing, else the newest, and marks them all read', async () => {
		const { run, states } = commanded();
		const event = (): unknown => stubbed.passed.map(eventOf);
		await run('forge.inbox.open', thing(7));
		assert.deepEqual(states(), { a: 'read', b: 'read', c: 'unread' });
		await run('forge.inbox.markUnread', entry('b'));
		await run('forge.inbox.open', thing(7));
		await run('forge.inbox.open', thing(7));
		assert.deepEqual(event(), [100, 110, 110]);
		await run('forge.inbox.open', entry('a'));
		assert.deepEqual(event(), [100, 110, 110, 100]);
	});

	test('skips done entries of a thing', async () => {
		const { run } = commanded();
		await run('forge.inbox.done', entry('b'));
		await run('forge.inbox.markRead', entry('a'));
		await run('forge.inbox.open', thing(7));
		assert.deepEqual(stubbed.passed.map(eventOf), [100]);
	});

	test('keeps a done entry done', async () => {
		const { run, states } = commanded();
		await run('forge.inbox.done', thing(7));
		await run('forge.inbox.open', entry('a'));
		assert.deepEqual(states(), { a: 'done', b: 'done', c: 'unread' });
	});
});
