import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import type { CommandHandler } from '../../../../src/editor/commands/feature.ts';
import type { CommandId } from '../../../../src/commands/table.ts';
import type { InboxContext, WatchedSubject } from '../../../../src/features/inbox/inboxContext.ts';
import type { InboxAge } from '../../../../src/features/inbox/inboxAge.ts';
import { fake } from '../../../support/fake.ts';
import { inboxWorld, type InboxWorld } from './support/inboxWorld.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { inboxCommands } = await import('../../../../src/features/inbox/inboxFeature.ts');
const { inboxFront } = await import('../../../../src/features/inbox/inboxFront.ts');
const { doneShown } = await import('../../../../src/features/inbox/inboxTree.ts');
const { watchedSubject } = await import('../../../../src/app/windowInbox.ts');
const { actHistory } = await import('../../../../src/editor/bulk/actHistory.ts');

const never = new AbortController().signal;
const connectionKey = 'sample-alice';
const list = { owner: '~alice', name: 'devel' };
const tracker = { owner: '~alice', name: 'alpha' };
const entry = (id: string): unknown => ({ kind: 'inboxEntry', connectionKey, id });
const thing = (id: number): unknown => ({ kind: 'inboxThing', connectionKey, thing: `ticket ~alice/alpha#${id}` });
const ticket = (id: number): unknown => ({ kind: 'ticket', connectionKey, ref: { tracker, id } });

interface Walk extends InboxWorld {
	/** Runs a command for the given rows as a key in the view does, or for the active page without rows. */
	readonly run: (command: CommandId, ...rows: readonly unknown[]) => Promise<void>;
	/** Undo on a ticket page. */
	readonly undo: () => Promise<void>;
	/** Snooze on a page of a patchset. */
	readonly snooze: (row?: unknown) => Promise<void>;
	readonly show: (subject: unknown) => void;
	readonly front: () => unknown;
	/** Undone ticket changes. */
	readonly undone: string[];
}

/** Newest first: a thread, ticket 9, ticket 8, and ticket 7 with two entries. */
function walk(): Walk {
	const world = inboxWorld();
	let front: unknown;
	const changedFront = new Emitter<void>();
	const parts: InboxContext = {
		...world.parts,
		// The message’s page knows its thread.
		watchedOf: (subject: unknown): WatchedSubject | undefined =>
			subject !== undefined && JSON.stringify(subject) === JSON.stringify(mail)
				? { connectionKey, watched: { kind: 'thread', list, id: 5 } }
				: watchedSubject(world.connections, subject),
		pageInFront: () => front,
		onDidChangeFront: changedFront.event,
	};
	const bring = (subject: unknown): void => {
		front = subject;
		changedFront.fire();
	};
	const done = doneShown(parts);
	const { commands, undoOr, snoozeOr } = inboxCommands(
		parts,
		done,
		fake<InboxAge>({ refresh: () => Promise.resolve() }),
		inboxFront(parts),
	);
	const undone: string[] = [];
	const other: CommandHandler = async () => void undone.push('ticket change');
	world.arrive([
		makeEntry('a', 0),
		makeEntry('b', 10),
		makeEntry('c', 20, { ticket: 8 }),
		makeEntry('d', 30, { ticket: 9 }),
		makeEntry('e', 40, {
			thing: { kind: 'thread', list, id: 5, subject: 'Talk' },
			event: { kind: 'mailArrived', mailId: 6, subject: 'Re: Talk' },
		}),
	]);
	const follow = async (work: () => Promise<void> | undefined): Promise<void> => {
		const opened = stubbed.passed.length;
		await work();
		bring(stubbed.passed.length > opened ? withoutEvent(stubbed.passed.at(-1)) : front);
	};
	return {
		...world,
		run: (command, ...rows) => follow(() => commands[command]?.(rows[0], never, rows)),
		undo: () => follow(() => undoOr(other)(undefined, never, [])),
		snooze: (row) => follow(() => snoozeOr(other)(row, never, [])),
		show: bring,
		front: () => front,
		undone,
	};
}

/** The subject as a page has it: without the event. */
function withoutEvent(subject: unknown): unknown {
	return JSON.parse(JSON.stringify(subject, (key, value: unknown) => (key === 'event' ? undefined : value)));
}

const mail = { kind: 'mail', connectionKey, list, id: 6 };

suite('Inbox keys on pages', () => {
	setup(() => resetStub());

	test('Done removes the row and opens the next page until the last one', async () => {
		const on = walk();
		await on.run('forge.inbox.open', { kind: 'inboxThing', connectionKey, thing: 'thread ~alice/devel 5' });
		assert.deepEqual(on.front(), mail);
		await on.run('forge.inbox.done');
		assert.deepEqual([on.states()['e'], on.front()], ['done', ticket(9)]);
		await on.run('forge.inbox.done');
		await on.run('forge.inbox.done');
		assert.deepEqual([on.states(), on.front()], [{ a: 'read', b: 'read', c: 'done', d: 'done', e: 'done' }, ticket(7)]);
		await on.run('forge.inbox.done');
		assert.deepEqual(on.states(), { a: 'done', b: 'done', c: 'done', d: 'done', e: 'done' });
		assert.deepEqual(stubbed.shown, [
			'Marked "Talk" as done.',
			'Marked "Ticket 9" as done.',
			'Marked "Ticket 8" as done.',
			'Marked "Ticket 7" as done. The inbox is empty.',
		]);
		await on.run('forge.inbox.done');
		assert.equal(stubbed.shown.at(-1), 'The inbox is empty.');
	});

	test('menus of a page offer the commands while the Inbox has a row of it', async () => {
		const on = walk();
		const isOffered = (): unknown => stubbed.contexts.get('forge.inbox.inFront') ?? false;
		assert.equal(isOffered(), false);
		on.show(ticket(8));
		assert.equal(isOffered(), true);
		await on.run('forge.inbox.done');
		assert.equal(isOffered(), false);
		// Its page has the message, not the thread.
		await on.run('forge.inbox.open', { kind: 'inboxThing', connectionKey, thing: 'thread ~alice/devel 5' });
		assert.equal(isOffered(), true);
		on.show(ticket(10));
		assert.equal(isOffered(), false);
		on.show(ticket(9));
		assert.equal(isOffered(), true);
		on.show(undefined);
		assert.equal(isOffered(), false);
	});

	test('Done for one entry keeps the other entries of its thing and opens them next', async () => {
		const on = walk();
		await on.run('forge.inbox.open', entry('a'));
		await on.run('forge.inbox.done');
		assert.deepEqual([on.states()['a'], on.states()['b'], on.front()], ['done', 'read', ticket(7)]);
		await on.run('forge.inbox.done');
		// The first row follows the last one.
		assert.deepEqual([on.states()['b'], on.front()], ['done', mail]);
	});

	test('Done on a page opened elsewhere removes its row and opens no other page', async () => {
		const on = walk();
		on.show(ticket(8));
		await on.run('forge.inbox.done');
		assert.deepEqual([on.states()['c'], on.front(), stubbed.executed], ['done', ticket(8), []]);
	});

	test('Done in the view applies to the selected row, and the page stays', async () => {
		const on = walk();
		await on.run('forge.inbox.open', thing(8));
		await on.run('forge.inbox.done', thing(9));
		assert.deepEqual([on.states()['c'], on.states()['d'], on.front()], ['read', 'done', ticket(8)]);
	});

	test('Done on a page without an entry asks for a thing, and changes nothing when the user cancels', async () => {
		const on = walk();
		on.show(ticket(99));
		stubbed.answers.push(undefined);
		await assert.rejects(on.run('forge.inbox.done'), { name: 'AbortError' });
		assert.ok(Object.values(on.states()).every((state) => state === 'unread'));
	});

	test('Mute on a page of the Inbox opens the next page, and Undo brings the page back', async () => {
		const on = walk();
		await on.run('forge.inbox.open', thing(8));
		await on.run('forge.inbox.mute');
		const [account] = on.connections.all();
		assert.equal(account?.inbox.choice('ticket ~alice/alpha#8'), 'nothing');
		assert.deepEqual([on.states()['c'], on.front(), stubbed.shown], ['done', ticket(7), ['Muted "Ticket 8".']]);
		await on.undo();
		assert.equal(account?.inbox.choice('ticket ~alice/alpha#8'), 'usual');
		assert.deepEqual([on.states()['c'], on.front()], ['read', ticket(8)]);
	});

	test('Mute and Unmute on a page opened elsewhere apply to its thing and keep the page open', async () => {
		const on = walk();
		on.show(ticket(8));
		await on.run('forge.inbox.mute');
		const [account] = on.connections.all();
		assert.equal(account?.inbox.choice('ticket ~alice/alpha#8'), 'nothing');
		assert.deepEqual([on.states()['c'], on.front()], ['done', ticket(8)]);
		await on.run('forge.inbox.unmute');
		assert.equal(account?.inbox.choice('ticket ~alice/alpha#8'), 'usual');
	});

	test('Snooze on a page of the Inbox opens the next page, and Undo brings the page back', async () => {
		const on = walk();
		await on.run('forge.inbox.open', entry('a'));
		stubbed.answers.push('Tomorrow');
		await on.run('forge.inbox.snooze');
		// Also the entry that another row shows.
		assert.deepEqual([on.states()['a'], on.states()['b'], on.front()], ['snoozed', 'snoozed', mail]);
		assert.match(String(stubbed.shown.at(-1)), /^Snoozed "Ticket 7" until .*2026/);
		await on.undo();
		assert.deepEqual([on.states()['a'], on.states()['b'], on.front()], ['read', 'unread', ticket(7)]);
	});

	test('Snooze in the view applies to all selected rows, and Move Back ends it', async () => {
		const on = walk();
		stubbed.answers.push('Enter a Date or a Duration…', '3d');
		await on.run('forge.inbox.snooze', thing(8), thing(9));
		assert.deepEqual([on.states()['c'], on.states()['d'], on.front()], ['snoozed', 'snoozed', undefined]);
		assert.match(String(stubbed.shown.at(-1)), /^Snoozed 2 items until /);
		await on.run('forge.inbox.moveBack', thing(8));
		assert.deepEqual([on.states()['c'], on.states()['d']], ['read', 'snoozed']);
		await on.run('forge.inbox.undo', thing(7));
		assert.deepEqual([on.states()['c'], on.states()['d']], ['snoozed', 'snoozed']);
	});

	test('Snooze covers all open entries of its things, and none that is done', async () => {
		const on = walk();
		const [account] = on.connections.all();
		on.arrive([makeEntry('f', 50, { reason: 'mentioned' }), makeEntry('g', 60)]);
		account?.inbox.setState(['f'], 'read');
		account?.inbox.setState(['g'], 'done');
		stubbed.answers.push('Tomorrow', 'Tomorrow');
		await on.run('forge.inbox.snooze', entry('a'));
		assert.deepEqual(
			['a', 'b', 'f', 'g'].map((id) => on.states()[id]),
			['snoozed', 'snoozed', 'snoozed', 'done'],
		);
		await on.run('forge.inbox.snooze', thing(8), thing(9));
		assert.deepEqual(stubbed.asked, ['How long to snooze "Ticket 7"', 'How long to snooze 2 items']);
		await on.run('forge.inbox.moveBack', thing(7));
		assert.deepEqual(
			['a', 'b', 'f', 'g'].map((id) => on.states()[id]),
			['read', 'read', 'read', 'done'],
		);
		await on.run('forge.inbox.done', thing(8));
		assert.equal(on.states()['c'], 'done');
	});

	test('Snooze on a page means its row in the Inbox, otherwise the patchset of the page', async () => {
		const on = walk();
		on.show(ticket(8));
		stubbed.answers.push('Tomorrow');
		await on.snooze();
		assert.deepEqual([on.states()['c'], on.front(), on.undone], ['snoozed', ticket(8), []]);
		on.show(ticket(99));
		await on.snooze();
		assert.deepEqual(on.undone, ['ticket change']);
		on.connections.all()[0]?.inbox.setState(['d'], 'done');
		on.show(ticket(9));
		await on.snooze();
		assert.deepEqual([on.states()['d'], on.undone.length], ['done', 2]);
		on.show(ticket(7));
		await on.snooze(thing(8));
		assert.deepEqual([on.states()['a'], on.undone.length], ['unread', 3]);
	});

	test('Snooze changes nothing when the user cancels', async () => {
		const on = walk();
		await on.run('forge.inbox.open', thing(8));
		stubbed.answers.push(undefined);
		await assert.rejects(on.run('forge.inbox.snooze'), { name: 'AbortError' });
		assert.deepEqual([on.states()['c'], on.front()], ['read', ticket(8)]);
	});

	test('the last page of the walk says that the inbox is empty', async () => {
		const on = walk();
		on.connections.all()[0]?.inbox.setState(['a', 'b', 'd', 'e'], 'done');
		await on.run('forge.inbox.open', thing(8));
		await on.run('forge.inbox.mute');
		assert.deepEqual([on.front(), stubbed.shown], [ticket(8), ['Muted "Ticket 8". The inbox is empty.']]);
	});

	test('Undo on a page reverts the last Inbox change and reopens the page', async () => {
		const on = walk();
		await on.run('forge.inbox.open', thing(9));
		await on.run('forge.inbox.done');
		assert.deepEqual(on.front(), ticket(8));
		await on.undo();
		assert.deepEqual([on.states()['d'], on.front(), on.undone], ['read', ticket(9), []]);
		await on.undo();
		assert.deepEqual(on.undone, ['ticket change']);
	});

	test('Undo in the view reverts a change made on a page without opening the page', async () => {
		const on = walk();
		await on.run('forge.inbox.open', thing(9));
		await on.run('forge.inbox.done');
		on.show(undefined);
		await on.run('forge.inbox.undo', thing(7));
		assert.deepEqual([on.states()['d'], on.front()], ['read', undefined]);
	});

	test('Undo skips Inbox changes of another page, of the view, or older than the last ticket change', async () => {
		const on = walk();
		await on.run('forge.inbox.open', thing(9));
		await on.run('forge.inbox.done');
		on.show(ticket(7));
		await on.undo();
		assert.deepEqual([on.states()['d'], on.undone.length], ['done', 1]);
		on.show(ticket(8));
		await on.run('forge.inbox.done', thing(8));
		await on.undo();
		assert.deepEqual([on.states()['c'], on.undone.length], ['done', 2]);
		on.show(ticket(7));
		await on.run('forge.inbox.done');
		actHistory<string, { readonly subject: string }>((subject) => subject).record('Undoing…', [{ subject: 'x' }]);
		await on.undo();
		assert.deepEqual([on.states()['a'], on.undone.length], ['done', 3]);
	});
});
