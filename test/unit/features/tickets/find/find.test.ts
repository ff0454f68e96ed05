import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Emitter } from '../../../../../src/base/event.ts';
import type { TrackerRef } from '../../../../../src/forge/tracker.ts';
import type { CommandTable } from '../../../../../src/editor/commands/feature.ts';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import type { TicketsParts } from '../../../../../src/features/tickets/parts/ticketsParts.ts';
import type { Connection } from '../../../../../src/state/connection.ts';
import { fakeConnection, fakeConnections, keptNames } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../../support/fakeForge.ts';
import { ticketsParts } from '../../../../support/fakeTicketsParts.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { ListStore } from '../../../../../src/state/lists/listStore.ts';
import { fakeLists } from '../../../../support/fakeLists.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';
import { journalInMemory } from '../../../../support/journalInMemory.ts';

const { filterCommands } = await import('../../../../../src/features/tickets/find/filterCommands.ts');

const { signal: never } = new AbortController();
const account = 'sample-alice';
const alpha = { owner: '~alice', name: 'alpha' };
const row = { kind: 'tracker', connectionKey: account, ref: alpha } as const;

interface Desk {
	readonly parts: TicketsParts;
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
	const found = { kind: 'entry', entry: { name: 'main.c', id: 'b1', type: 'blob', mode: 33_188 } } as const;
	const references = { items: [{ name: 'refs/heads/master' }], completeness: { kind: 'complete' } };
	const repositories = standFor<Connection['repositories']>({
		find: async () => found,
		references: async () => references,
	});
	Object.defineProperty(connection, 'repositories', { value: repositories });
	await connection.tickets.ownTrackers(never);
	await connection.tickets.tickets(alpha, never);
	const front: { now: unknown } = { now: undefined };
	const pages = standFor<PageHost>({ inFront: () => front.now });
	const parts = ticketsParts(fakeConnections(connection), pages);
	const opened: string[] = [];
	const commands = filterCommands(parts, { openList: (tracker) => void opened.push(tracker?.ref.name ?? 'all') });
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

suite('Go to', () => {
	const opened = (): unknown => [stubbed.executed.at(-1), stubbed.passed.at(-1)];

	test('words find known tickets without asking the forge', async () => {
		const { world, start } = await desk();
		const before = world.calls.length;
		const { done } = start('forge.goTo');
		const open = await typed('crash');
		assert.deepEqual(
			open.items.map(({ label }) => label),
			['#3', '#1'],
		);
		assert.match(open.prompt, /^Matching tickets/);
		open.accept();
		await done;
		assert.deepEqual(opened(), [
			'forge.tickets.open',
			{ kind: 'ticket', connectionKey: account, ref: { tracker: alpha, id: 3 } },
		]);
		assert.equal(world.calls.length, before);
	});

	test('a number that nobody has read yet opens all the same', async () => {
		const { start } = await desk();
		const { done } = start('forge.goTo');
		(await typed('99')).accept();
		await done;
		assert.deepEqual(opened(), [
			'forge.tickets.open',
			{ kind: 'ticket', connectionKey: account, ref: { tracker: alpha, id: 99 } },
		]);
	});

	test('a number means the tracker in front before all others, known there or not', async () => {
		const { parts, world, start, front } = await desk();
		world.trackers.push(makeTracker({ id: 2, name: 'beta' }));
		world.tickets.set('~alice/beta', [makeTicket({ id: 1, tracker: makeTracker({ name: 'beta' }) })]);
		const beta = { owner: '~alice', name: 'beta' };
		const [connection] = parts.connections.all();
		await connection?.tickets.renewOwnTrackers(never);
		await connection?.tickets.tickets(beta, never);
		const wheres = async (text: string): Promise<readonly string[]> => {
			const { done } = start('forge.goTo');
			const open = await typed(text);
			const shown = open.items.map(({ description }) => /~alice\/(\w+)/.exec(description ?? '')?.[1] ?? '');
			open.hide();
			await assert.rejects(done, { name: 'AbortError' });
			return shown;
		};
		// Ticket 1 is closed in alpha and open in beta; 3 is known in alpha alone.
		assert.deepEqual(await wheres('1'), ['beta', 'alpha']);
		front.now = { kind: 'ticket', connectionKey: account, ref: { tracker: alpha, id: 2 } };
		assert.deepEqual(await wheres('1'), ['alpha', 'beta']);
		front.now = { kind: 'ticket', connectionKey: account, ref: { tracker: beta, id: 1 } };
		assert.deepEqual(await wheres('3'), ['beta', 'alpha']);
	});

	test('of several accounts of a forge the one that sees it opens it', async () => {
		const { api } = fakeTrackers();
		const alice = fakeConnection(api);
		const bob = fakeConnection(api, '~bob', keptNames('~eve/secret'));
		const parts = ticketsParts(fakeConnections(alice, bob), standFor<PageHost>({ inFront: () => undefined }));
		const commands = filterCommands(parts, { openList: () => undefined });
		for (const [text, expected] of [
			['~eve/secret#2', 'sample-bob'],
			['~eve/other#2', 'sample-alice'],
			['~bob/own#2', 'sample-bob'],
			['https://todo.forge.test/~eve/secret/2', 'sample-bob'],
			['https://lists.forge.test/~bob/devel', 'sample-bob'],
			['https://git.forge.test/~eve/lib', 'sample-alice'],
		] as const) {
			const done = commands['forge.goTo']?.(text, never, []);
			(await box()).accept();
			await done;
			const passed = stubbed.passed.at(-1);
			assert.ok(typeof passed === 'object' && passed !== null && 'connectionKey' in passed);
			assert.equal(passed.connectionKey, expected, text);
		}
	});

	test('a reference needs its owner only where the tracker is not known', async () => {
		const { start } = await desk();
		for (const [text, owner, name, id] of [
			['alpha#2', '~alice', 'alpha', 2],
			['~bob/beta#7', '~bob', 'beta', 7],
		] as const) {
			const { done } = start('forge.goTo');
			(await typed(text)).accept();
			await done;
			assert.deepEqual(stubbed.passed.at(-1), {
				kind: 'ticket',
				connectionKey: account,
				ref: { tracker: { owner, name }, id },
			});
		}
	});

	for (const [address, command, subject] of [
		[
			'https://todo.forge.test/~alice/alpha/2',
			'forge.tickets.open',
			{ kind: 'ticket', ref: { tracker: alpha, id: 2 } },
		],
		['https://lists.forge.test/~alice/alpha', 'forge.lists.openThread', { kind: 'list', ref: alpha }],
		['https://lists.forge.test/~bob', 'forge.people.open', { kind: 'person', name: '~bob' }],
		['~bob', 'forge.people.open', { kind: 'person', name: '~bob' }],
		[
			'https://lists.forge.test/~alice/alpha/patches/7',
			'forge.patchsets.open',
			{ kind: 'patchset', ref: { list: alpha, id: 7 } },
		],
		[
			'https://todo.forge.test/~alice/alpha/12#event-345',
			'forge.tickets.open',
			{ kind: 'ticket', ref: { tracker: alpha, id: 12 }, event: 345 },
		],
		[
			'https://git.forge.test/~alice/alpha/log/master',
			'forge.repositories.openCommit',
			{ kind: 'reference', ref: alpha, revision: 'master' },
		],
		[
			'https://git.forge.test/~alice/alpha/log/master/item/src/main.c',
			'forge.repositories.fileHistory',
			{ kind: 'file', ref: alpha, at: { ref: 'master', path: 'src/main.c' } },
		],
		['https://git.forge.test/~alice/alpha', 'forge.repositories.open', { kind: 'repository', ref: alpha }],
		[
			'https://git.forge.test/~alice/alpha/tree/master/item/src/main.c#L3',
			'forge.repositories.openFile',
			{ kind: 'file', ref: alpha, at: { ref: 'master', path: 'src/main.c' }, lines: { first: 3, last: 3 } },
		],
		[
			'https://git.forge.test/~alice/alpha/commit/4f2a91c',
			'forge.repositories.openCommit',
			{ kind: 'commit', ref: alpha, id: '4f2a91c' },
		],
	] as const) {
		test(`${address.replace('https://', '')} opens with ${command}`, async () => {
			const { start } = await desk();
			const { done } = start('forge.goTo');
			(await typed(address)).accept();
			await done;
			assert.deepEqual(opened(), [command, { connectionKey: account, ...subject }]);
		});
	}

	test('people who were met are offered by the beginning of their names, and an address may be a mail or somebody', async () => {
		const { parts, start } = await desk();
		const [connection] = parts.connections.all();
		Object.defineProperty(connection, 'lists', {
			value: new ListStore({
				journal: journalInMemory(),
				api: fakeLists().api,
				me: '~alice',
				followed: keptNames('~bobby/devel'),
			}),
		});
		Object.defineProperty(connection, 'repositories', { value: { followedRepositories: () => [] } });
		const { done } = start('forge.goTo');
		const labels = async (text: string): Promise<readonly string[]> =>
			(await typed(text)).items.map(({ label }) => label);
		assert.deepEqual(await labels('bobb'), ['Person ~bobby']);
		assert.deepEqual(await labels('bob@forge.test'), ['Person bob@forge.test', 'Mail with this Message-ID']);
		assert.deepEqual(await labels('20261120.a1-2@forge.test'), [
			'Mail <20261120.a1-2@forge.test>',
			'Person with this address',
		]);
		assert.deepEqual(await labels('<m1@forge.test>'), ['Mail <m1@forge.test>']);
		(await typed('ali')).accept();
		await done;
		assert.deepEqual(opened(), ['forge.people.open', { connectionKey: account, kind: 'person', name: '~alice' }]);
	});

	test('what has no view of its own opens on the web after asking', async () => {
		const { start } = await desk();
		for (const answer of [undefined, 'Open on the Web']) {
			stubbed.answers.push(answer);
			const { done } = start('forge.goTo');
			(await typed('https://todo.forge.test/~alice/alpha/labels')).accept();
			await done;
		}
		assert.deepEqual(stubbed.opened, ['https://todo.forge.test/~alice/alpha/labels']);
	});

	test('an address of no known forge says so, and is opened only after asking', async () => {
		const { start } = await desk();
		stubbed.answers.push(undefined);
		const { done } = start('forge.goTo');
		const open = await typed('https://elsewhere.example/~alice/alpha/2');
		assert.equal(open.items[0]?.detail, 'You are not signed in to a forge at this address.');
		open.accept();
		await done;
		assert.deepEqual(stubbed.opened, []);
	});

	test('Enter right after typing waits for what the text finds', async () => {
		const { start } = await desk();
		const { done } = start('forge.goTo');
		const open = await typed('crash');
		open.value = 'hangs';
		open.accept('#3');
		await done;
		assert.deepEqual(stubbed.passed.at(-1), {
			kind: 'ticket',
			connectionKey: account,
			ref: { tracker: alpha, id: 2 },
		});
	});

	test('Enter is for the text that stood there, and not for what is typed after it', async () => {
		const { start } = await desk();
		const { done } = start('forge.goTo');
		const open = await typed('crash');
		open.value = 'hangs';
		open.accept('#3');
		open.type('crash at');
		assert.equal(await box(), open);
		assert.deepEqual(stubbed.executed, []);
		open.hide();
		await assert.rejects(done, { name: 'AbortError' });
	});

	test('what becomes known while the box is open is found without typing again', async () => {
		const { parts, world, news, start } = await desk();
		const { done } = start('forge.goTo');
		const open = await typed('brand new');
		assert.equal(open.items.length, 0);
		world.tickets.get('~alice/alpha')?.unshift(makeTicket({ id: 4, title: 'A brand new one' }));
		const [connection] = parts.connections.all();
		await connection?.tickets.rereadTickets(alpha, undefined, never);
		news.fire([alpha]);
		await box();
		assert.deepEqual(
			open.items.map(({ label }) => label),
			['#4'],
		);
		open.accept('#4');
		await done;
		assert.equal(stubbed.executed.at(-1), 'forge.tickets.open');
	});

	test('with nothing typed the known tickets are there, open ones first', async () => {
		const { start } = await desk();
		const { done } = start('forge.goTo');
		const open = await typed('');
		assert.deepEqual(
			open.items.map(({ label }) => label),
			['#3', '#2', '#1'],
		);
		open.hide();
		await assert.rejects(done, { name: 'AbortError' });
	});

	test('a text can be handed over to begin with', async () => {
		const { start } = await desk();
		const { done } = start('forge.goTo', '~alice/alpha#2');
		(await box()).accept();
		await done;
		assert.equal(stubbed.executed.at(-1), 'forge.tickets.open');
	});
});
