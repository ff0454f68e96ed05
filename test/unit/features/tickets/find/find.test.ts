import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketTree } from '../../../../../src/features/tickets/tree/ticketTree.ts';
import { fake } from '../../../../support/fake.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { CommandTable } from '../../../../../src/editor/commands/feature.ts';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import type { TicketsDesk } from '../../../../../src/features/tickets/desk/ticketsDesk.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../../support/fakeForge.ts';
import { ticketsParts } from '../../../../support/fakeTicketsParts.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';

const { filterCommands } = await import('../../../../../src/features/tickets/find/filterCommands.ts');

const { signal: never } = new AbortController();
const account = 'sample-alice';
const alpha = { owner: '~alice', name: 'alpha' };
const row = { kind: 'tracker', connectionKey: account, ref: alpha } as const;

interface Desk {
	readonly parts: TicketsDesk;
	readonly world: FakeTrackerWorld;
	/** Subject of the page in front. */
	readonly front: { now: unknown };
	/** What the index tells. */
	readonly news: Emitter<readonly TrackerRef[]>;
	/** What was opened in the view: the name of a tracker, or `all`. */
	readonly opened: string[];
	/** Starts a command and answers its promise in a record, so that it is not waited for. */
	readonly start: (command: keyof CommandTable, subject?: unknown) => { readonly done: Promise<void> };
}

/** A tracker whose three tickets are known already. */
async function desk(): Promise<Desk> {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [
		makeTicket({ id: 3, title: 'Crash at start', labels: ['needs work'] }),
		makeTicket({ id: 2, title: 'Search hangs', labels: ['bug'] }),
		makeTicket({ id: 1, title: 'Crash at the end', status: 'resolved', resolution: 'fixed' }),
	]);
	const connection = fakeConnection(api);
	const news = new Emitter<readonly TrackerRef[]>();
	Object.defineProperty(connection, 'index', { value: { ...connection.index, onDidChange: news.event } });
	await connection.tickets.ownTrackers(never);
	await connection.tickets.tickets(alpha, never);
	const front: { now: unknown } = { now: undefined };
	const pages = standFor<PageHost>({ inFront: () => front.now });
	const parts = ticketsParts(fakeConnections(connection), pages);
	const opened: string[] = [];
	const commands = filterCommands(
		parts,
		fake<TicketTree>({ openList: (tracker) => void opened.push(tracker?.ref.name ?? 'all') }),
	);
	return {
		parts,
		opened,
		front,
		world,
		news,
		start: (command, subject) => ({
			done: commands[command]?.(subject, never, []) ?? Promise.reject(new Error(`No ${command}`)),
		}),
	};
}

/** The box that was opened last, once it has come to rest. */
async function box(): Promise<StubbedBox> {
	for (let turns = 0; turns < 20; turns++) {
		await turn();
	}
	const last = stubbed.boxes.at(-1);
	assert.ok(last?.isShown, 'a box is open');
	return last;
}

async function typed(text: string): Promise<StubbedBox> {
	(await box()).type(text);
	return box();
}

setup(resetStub);

suite('filtering tickets', () => {
	test('typed words are applied to the tracker of the row, and their matches are counted while typing', async () => {
		const { parts, start, opened } = await desk();
		const { done } = start('forge.filters.apply', row);
		const open = await typed('crash');
		assert.match(open.items[0]?.description ?? '', /^1 of (the )?3 tickets/);
		assert.match((await typed('crash status:any')).items[0]?.description ?? '', /^2 of (the )?3 tickets/);
		open.accept();
		await done;
		assert.equal(parts.filters.onTracker(account, alpha), 'crash status:any');
		assert.equal(parts.filters.onAll(), undefined);
		assert.deepEqual(opened, ['alpha']);
	});

	test('without a row the filter is applied to all trackers', async () => {
		const { parts, start, opened } = await desk();
		const { done } = start('forge.filters.apply');
		(await typed('label:bug')).accept();
		await done;
		assert.equal(parts.filters.onAll(), 'label:bug');
		assert.deepEqual(opened, ['all']);
	});

	test('a wrong term is told with its name, and Enter mends it instead of applying', async () => {
		const { parts, start } = await desk();
		const { done } = start('forge.filters.apply', row);
		const open = await typed('crash lable:bug');
		assert.equal(open.prompt, 'Unknown filter "lable:". Did you mean "label:"?');
		assert.equal(open.items[0]?.detail, 'Press Enter to change to: crash label:bug');
		open.accept();
		assert.equal((await box()).value, 'crash label:bug');
		assert.equal(parts.filters.onTracker(account, alpha), undefined);
		open.accept();
		await done;
		assert.equal(parts.filters.onTracker(account, alpha), 'crash label:bug');
	});

	test('where it is not clear what was meant, Enter does nothing and the box stays', async () => {
		const { parts, start } = await desk();
		const { done } = start('forge.filters.apply', row);
		const open = await typed('http://x');
		open.accept();
		await box();
		open.hide();
		await assert.rejects(done, { name: 'AbortError' });
		assert.equal(parts.filters.onTracker(account, alpha), undefined);
	});

	test('labels and people of the tickets are offered, and choosing one goes on writing', async () => {
		const { start } = await desk();
		const { done } = start('forge.filters.apply', row);
		const open = await typed('label:nee');
		open.accept('"needs work"');
		assert.equal((await box()).value, 'label:"needs work" ');
		open.accept();
		await done;
	});

	test('Enter right after typing means the text, even before its rows are there', async () => {
		const { parts, start } = await desk();
		const { done } = start('forge.filters.apply', row);
		const open = await typed('sta');
		const stale = open.items.find(({ label }) => label === 'status:');
		open.value = 'start';
		open.selectedItems = stale ? [stale] : [];
		open.accept('status:');
		await done;
		assert.equal(parts.filters.onTracker(account, alpha), 'start');
	});

	test('what is applied is there to be changed, and can be taken off', async () => {
		const { parts, start, opened } = await desk();
		await parts.filters.setOnTracker(account, alpha, 'crash');
		const { done } = start('forge.filters.apply', row);
		assert.equal((await box()).value, 'crash');
		(await typed('')).accept('Show All Tickets');
		await done;
		assert.equal(parts.filters.onTracker(account, alpha), undefined);
		assert.deepEqual(opened, []);
	});

	test('a choice stays chosen when more becomes known meanwhile', async () => {
		const { start, news } = await desk();
		const { done } = start('forge.filters.apply', row);
		const open = await typed('s');
		const second = open.items[1];
		assert.ok(second);
		open.activeItems = [second];
		const before = open.items;
		// The count that stands in the first row differs, and so the rows are made anew.
		open.items = before.map((each, at) => (at === 0 ? { ...each, description: 'counting…' } : each));
		open.activeItems = [second];
		news.fire([alpha]);
		await box();
		assert.notEqual(open.items[1], second);
		assert.equal(open.activeItems[0], open.items[1]);
		open.hide();
		await assert.rejects(done, { name: 'AbortError' });
	});

	test('closing the box changes nothing', async () => {
		const { parts, start } = await desk();
		await parts.filters.setOnTracker(account, alpha, 'crash');
		const { done } = start('forge.filters.apply', row);
		(await typed('bug')).hide();
		await assert.rejects(done, { name: 'AbortError' });
		assert.equal(parts.filters.onTracker(account, alpha), 'crash');
	});

	test('a saved filter is chosen by its name', async () => {
		const { parts, start } = await desk();
		await parts.filters.save('user', { name: 'Nobody', filter: 'no:assignee' }, 'Nobody');
		const { done } = start('forge.filters.apply');
		(await box()).accept('Nobody');
		await done;
		assert.equal(parts.filters.onAll(), 'no:assignee');
	});

	test('clearing takes off the filter of the row, and without a row every one', async () => {
		const { parts, start } = await desk();
		await parts.filters.setOnTracker(account, alpha, 'crash');
		await parts.filters.setOnAll('bug');
		await start('forge.filters.clear', row).done;
		assert.deepEqual([parts.filters.onTracker(account, alpha), parts.filters.onAll()], [undefined, 'bug']);
		await start('forge.filters.clear').done;
		assert.equal(parts.filters.onAll(), undefined);
	});
});

suite('saving filters', () => {
	test('what is applied is saved under a name, for oneself or for the folder', async () => {
		const { parts, start } = await desk();
		await parts.filters.setOnAll('no:assignee');
		stubbed.answers.push('Nobody', 'Workspace settings');
		await start('forge.filters.save').done;
		assert.deepEqual(parts.filters.saved(), [{ name: 'Nobody', filter: 'no:assignee', where: 'workspace' }]);
	});

	test('a name that is taken is replaced only after asking', async () => {
		const { parts, start } = await desk();
		await parts.filters.save('user', { name: 'A', filter: 'old' }, 'A');
		await parts.filters.setOnAll('new');
		stubbed.answers.push('A', 'User settings', undefined);
		await assert.rejects(start('forge.filters.save').done, { name: 'AbortError' });
		assert.equal(parts.filters.saved()[0]?.filter, 'old');
		stubbed.answers.push('A', 'User settings', 'Replace');
		await start('forge.filters.save').done;
		assert.equal(parts.filters.saved()[0]?.filter, 'new');
	});

	test('editing changes filter and name in the place where it stands', async () => {
		const { parts, start } = await desk();
		await parts.filters.save('workspace', { name: 'A', filter: 'old' }, 'A');
		stubbed.answers.push('B');
		const { done } = start('forge.filters.edit', { kind: 'filter', name: 'A', where: 'workspace' });
		assert.equal((await box()).value, 'old');
		(await typed('new')).accept();
		await done;
		assert.deepEqual(parts.filters.saved(), [{ name: 'B', filter: 'new', where: 'workspace' }]);
	});

	test('editing gives no name that is taken in that place', async () => {
		const { parts, start } = await desk();
		await parts.filters.save('user', { name: 'A', filter: 'a' }, 'A');
		await parts.filters.save('user', { name: 'B', filter: 'b' }, 'B');
		await parts.filters.save('workspace', { name: 'C', filter: 'c' }, 'C');
		const before = parts.filters.saved();
		stubbed.answers.push('B');
		const { done } = start('forge.filters.edit', { kind: 'filter', name: 'A', where: 'user' });
		(await box()).accept();
		await assert.rejects(done, { name: 'AbortError' });
		assert.match(stubbed.shown.at(-1) ?? '', /^A filter named B already exists/);
		assert.deepEqual(parts.filters.saved(), before);
		stubbed.answers.push('C');
		const again = start('forge.filters.edit', { kind: 'filter', name: 'A', where: 'user' });
		(await box()).accept();
		await again.done;
		assert.equal(parts.filters.saved()[0]?.name, 'C');
	});

	test('deleting asks first', async () => {
		const { parts, start } = await desk();
		await parts.filters.save('user', { name: 'A', filter: 'x' }, 'A');
		const subject = { kind: 'filter', name: 'A', where: 'user' };
		stubbed.answers.push(undefined);
		await assert.rejects(start('forge.filters.delete', subject).done, { name: 'AbortError' });
		assert.equal(parts.filters.saved().length, 1);
		stubbed.answers.push('Delete');
		await start('forge.filters.delete', subject).done;
		assert.deepEqual(parts.filters.saved(), []);
	});
});
