import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketTree } from '../../../../../src/features/tickets/tree/ticketTree.ts';
import { fake } from '../../../../support/fake.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { CommandTable } from '../../../../../src/editor/commands/feature.ts';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
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
	readonly parts: TicketsContext;
	readonly world: FakeTrackerWorld;
	/** Subject of the page in front. */
	readonly front: { now: unknown };
	/** Change events of the index. */
	readonly news: Emitter<readonly TrackerRef[]>;
	/** Lists opened in the view: a tracker's name, or `all`. */
	readonly opened: string[];
	/** Starts a command. The record keeps `await` from waiting for the promise. */
	readonly start: (command: keyof CommandTable, subject?: unknown) => { readonly done: Promise<void> };
}

/** A desk with a cached tracker and its three tickets. */
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

/** The last opened box, after all pending work. */
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
	test('applies typed words to the row’s tracker, and counts matches while the user types', async () => {
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

	test('applies the filter to all trackers without a row', async () => {
		const { parts, start, opened } = await desk();
		const { done } = start('forge.filters.apply');
		(await typed('label:bug')).accept();
		await done;
		assert.equal(parts.filters.onAll(), 'label:bug');
		assert.deepEqual(opened, ['all']);
	});

	test('names an unknown term, and Enter corrects it instead of applying the filter', async () => {
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

	test('Enter does nothing when the intended term is unclear', async () => {
		const { parts, start } = await desk();
		const { done } = start('forge.filters.apply', row);
		const open = await typed('http://x');
		open.accept();
		await box();
		open.hide();
		await assert.rejects(done, { name: 'AbortError' });
		assert.equal(parts.filters.onTracker(account, alpha), undefined);
	});

	test('offers labels of the tickets, and choosing one continues the text', async () => {
		const { start } = await desk();
		const { done } = start('forge.filters.apply', row);
		const open = await typed('label:nee');
		open.accept('"needs work"');
		assert.equal((await box()).value, 'label:"needs work" ');
		open.accept();
		await done;
	});

	test('Enter right after typing applies the text, even before its rows appear', async () => {
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

	test('starts with the applied filter, which the user can remove', async () => {
		const { parts, start, opened } = await desk();
		await parts.filters.setOnTracker(account, alpha, 'crash');
		const { done } = start('forge.filters.apply', row);
		assert.equal((await box()).value, 'crash');
		(await typed('')).accept('Show All Tickets');
		await done;
		assert.equal(parts.filters.onTracker(account, alpha), undefined);
		assert.deepEqual(opened, []);
	});

	test('keeps the active row when the index changes', async () => {
		const { start, news } = await desk();
		const { done } = start('forge.filters.apply', row);
		const open = await typed('s');
		const second = open.items[1];
		assert.ok(second);
		open.activeItems = [second];
		const before = open.items;
		// Another count in the first row makes the box rebuild its rows.
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

	test('applies a saved filter by name', async () => {
		const { parts, start } = await desk();
		await parts.filters.save('user', { name: 'Nobody', filter: 'no:assignee' }, 'Nobody');
		const { done } = start('forge.filters.apply');
		(await box()).accept('Nobody');
		await done;
		assert.equal(parts.filters.onAll(), 'no:assignee');
	});

	test('clears the filter of the row, and without a row the rest', async () => {
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
	test('saves the applied filter under a name in the chosen settings', async () => {
		const { parts, start } = await desk();
		await parts.filters.setOnAll('no:assignee');
		stubbed.answers.push('Nobody', 'Workspace settings');
		await start('forge.filters.save').done;
		assert.deepEqual(parts.filters.saved(), [{ name: 'Nobody', filter: 'no:assignee', where: 'workspace' }]);
	});

	test('asks before it replaces a filter of the same name', async () => {
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

	test('editing changes filter and name in the same settings', async () => {
		const { parts, start } = await desk();
		await parts.filters.save('workspace', { name: 'A', filter: 'old' }, 'A');
		stubbed.answers.push('B');
		const { done } = start('forge.filters.edit', { kind: 'filter', name: 'A', where: 'workspace' });
		assert.equal((await box()).value, 'old');
		(await typed('new')).accept();
		await done;
		assert.deepEqual(parts.filters.saved(), [{ name: 'B', filter: 'new', where: 'workspace' }]);
	});

	test('editing rejects a name that the same settings already have', async () => {
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
