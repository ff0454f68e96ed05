import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Emitter } from '@forge-desk/base/event.ts';
import type { PageHost, RecentPage } from '../../../../src/editor/pages/pageHost.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { ListStore } from '../../../../src/store/lists/listStore.ts';
import { PathIndexes } from '../../../../src/store/repositories/find/pathIndexes.ts';
import { fakeConnection, fakeConnections, keptNames } from '../../../support/fakeConnection.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { unresting } from '../../../support/fakeFind.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../support/fakeForge.ts';
import { fakeLists, type FakeListWorld } from '../../../support/fakeLists.ts';
import {
	fakeRepositories,
	fakeStore,
	makeRepository,
	type FakeRepositories,
} from '../../../support/fakeRepositories.ts';
import { quietProblems, ticketsParts } from '../../../support/fakeTicketsParts.ts';
import { journalInMemory } from '../../../support/journalInMemory.ts';
import { makeList, makeMail, makePatchset } from '../../../support/makeMail.ts';
import { makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { stubbedWorkspace } from '../../../support/stubbedWorkspace.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../support/vscodeValues.ts';

const { uriOfPlace } = await import('../../../../src/features/repositories/subjects/place.ts');
const { goToFeature } = await import('../../../../src/features/goTo/goTo.ts');
const { knownTickets } = await import('../../../../src/features/tickets/find/knownTickets.ts');
const { knownPosts } = await import('../../../../src/features/lists/goToPosts.ts');
const { knownFiles } = await import('../../../../src/features/repositories/find/findFeature.ts');
const { knownPeople } = await import('../../../../src/features/people/peopleFeature.ts');

const { signal: never } = new AbortController();
const account = 'sample-alice';
const alpha = { owner: '~alice', name: 'alpha' };

interface Desk {
	readonly connection: Connection;
	readonly world: FakeTrackerWorld;
	readonly lists: FakeListWorld;
	/** Subject of the active page. */
	readonly front: { now: unknown };
	readonly recent: RecentPage[];
	/** Fires when the index gets new tickets. */
	readonly news: Emitter<readonly TrackerRef[]>;
	/** Starts the command. A record wraps the promise so that callers don’t await it. */
	readonly start: (subject?: unknown, indexes?: PathIndexes) => { readonly done: Promise<void> };
	readonly git: FakeRepositories['world'];
}

/** URLs of archives that Go to… opened. */
const archives: string[] = [];

/** Go to… over the given accounts. */
function goToOver(
	connections: readonly Connection[],
	front: Desk['front'],
	recent: readonly RecentPage[] = [],
): Desk['start'] {
	const all = fakeConnections(...connections);
	const parts = { ...ticketsParts(all, standFor<PageHost>({})), connections: all };
	const none = new PathIndexes(all, unresting);
	return (subject, indexes = none) => {
		const { commands } = goToFeature({
			connections: all,
			known: [
				knownTickets(parts),
				knownPosts(parts.connections, parts.problems),
				knownFiles(all, quietProblems, indexes),
				knownPeople(parts.connections, parts.problems),
			],
			front: () => front.now,
			openArchive: async (url) => void archives.push(url),
			recent: () => recent,
			clock: fakeClock(),
			problems: quietProblems,
		});
		return { done: commands['forge.goTo']?.(subject, never, []) ?? Promise.reject(new Error('No forge.goTo')) };
	};
}

/** A tracker with three known tickets, a list with a patchset and a thread, and a repository. */
async function desk(): Promise<Desk> {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [
		makeTicket({ id: 3, title: 'Crash at start', labels: ['needs work'] }),
		makeTicket({ id: 2, title: 'Search hangs', labels: ['bug'] }),
		makeTicket({ id: 1, title: 'Crash at the end', status: 'resolved', resolution: 'fixed' }),
	]);
	const lists = fakeLists();
	lists.world.lists.push(makeList({ name: 'alpha-devel' }));
	lists.world.patchsets.set('~alice/alpha-devel', [makePatchset({ id: 7, subject: 'fold: nest markers', version: 2 })]);
	lists.world.posts.set('~alice/alpha-devel', [
		makeMail({ id: 21, subject: 'Release plan' }),
		makeMail({ id: 20, subject: '[PATCH v2] fold: nest markers' }),
	]);
	const git = fakeRepositories();
	git.world.repositories.push(makeRepository('lantern'));
	const connection = fakeConnection(api);
	const news = new Emitter<readonly TrackerRef[]>();
	const repositories = fakeStore(git);
	const found = { kind: 'entry', entry: { name: 'main.c', id: 'b1', type: 'blob', mode: 33_188 } } as const;
	const references = { items: [{ name: 'refs/heads/master' }], completeness: { kind: 'complete' } };
	Object.defineProperties(repositories.folders, { find: { value: async () => found } });
	Object.defineProperties(repositories, {
		references: { value: () => ({ first: async () => references }) },
	});
	Object.defineProperties(connection, {
		index: { value: { ...connection.index, onDidChange: news.event } },
		lists: {
			value: new ListStore({
				journal: journalInMemory(),
				api: lists.api,
				me: '~alice',
				followed: keptNames('~bobby/devel'),
			}),
		},
		repositories: { value: repositories },
	});
	await connection.tickets.ownTrackers(never);
	await connection.tickets.tickets(alpha, never);
	const list = { owner: '~alice', name: 'alpha-devel' };
	await connection.lists.own.first(never);
	await connection.lists.patchsets(list).first(never);
	await connection.lists.posts(list).first(never);
	await connection.repositories.own.first(never);
	const front: { now: unknown } = { now: undefined };
	const recent: RecentPage[] = [];
	return {
		connection,
		world,
		git: git.world,
		lists: lists.world,
		front,
		recent,
		news,
		start: goToOver([connection], front, recent),
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

/** Label and description of each row. */
function rowsOf({ items }: StubbedBox): readonly string[] {
	return items.map(({ label, description }) => `${label} ${description ?? ''}`.trim());
}

setup(resetStub);

suite('Go to', () => {
	const opened = (): unknown => [stubbed.executed.at(-1), stubbed.passed.at(-1)];

	test('finds cached tickets by words without a request', async () => {
		const { world, start } = await desk();
		const before = world.calls.length;
		const { done } = start();
		const open = await typed('crash');
		assert.deepEqual(
			open.items.map(({ label }) => label),
			['#3', '#1'],
		);
		assert.equal(open.prompt, '');
		open.accept();
		await done;
		assert.deepEqual(opened(), [
			'forge.tickets.open',
			{ kind: 'ticket', connectionKey: account, ref: { tracker: alpha, id: 3 } },
		]);
		assert.equal(world.calls.length, before);
	});

	test('opens a ticket by number before the account has loaded it', async () => {
		const { start } = await desk();
		const { done } = start();
		(await typed('99')).accept();
		await done;
		assert.deepEqual(opened(), [
			'forge.tickets.open',
			{ kind: 'ticket', connectionKey: account, ref: { tracker: alpha, id: 99 } },
		]);
	});

	test('ranks the active tracker first for a number, and existing tickets before missing ones', async () => {
		const { connection, world, start, front } = await desk();
		world.trackers.push(makeTracker({ id: 2, name: 'beta' }));
		world.tickets.set('~alice/beta', [makeTicket({ id: 1, tracker: makeTracker({ name: 'beta' }) })]);
		const beta = { owner: '~alice', name: 'beta' };
		await connection.tickets.trackers.renewOwn(never);
		await connection.tickets.tickets(beta, never);
		const wheres = async (text: string): Promise<readonly string[]> => {
			const { done } = start();
			const open = await typed(text);
			const shown = open.items.map(({ description }) => /~alice\/(\w+)/.exec(description ?? '')?.[1] ?? '');
			open.hide();
			await assert.rejects(done, { name: 'AbortError' });
			return shown;
		};
		// Ticket 1 is closed in alpha and open in beta; only alpha has ticket 3.
		assert.deepEqual(await wheres('1'), ['beta', 'alpha']);
		front.now = { kind: 'ticket', connectionKey: account, ref: { tracker: alpha, id: 2 } };
		assert.deepEqual(await wheres('1'), ['alpha', 'beta']);
		front.now = { kind: 'ticket', connectionKey: account, ref: { tracker: beta, id: 1 } };
		assert.deepEqual(await wheres('3'), ['alpha', 'beta'], 'the existing ticket is before the missing one');
		assert.deepEqual(await wheres('9'), ['beta', 'alpha']);
	});

	test('puts a ticket that is read while the box is open before rows that only look its number up', async () => {
		const { connection, world, start, news } = await desk();
		const beta = { owner: '~alice', name: 'beta' };
		world.trackers.push(makeTracker({ id: 2, name: 'beta' }));
		world.tickets.set('~alice/beta', [makeTicket({ id: 3999, tracker: makeTracker({ name: 'beta' }) })]);
		await connection.tickets.trackers.renewOwn(never);
		const { done } = start();
		const open = await typed('3999');
		assert.match(rowsOf(open)[0] ?? '', /look up on/);
		await connection.tickets.tickets(beta, never);
		news.fire([beta]);
		const rows = rowsOf(await box());
		assert.match(rows[0] ?? '', /^#3999 (?!.*look up).*~alice\/beta/);
		assert.match(rows[1] ?? '', /^#3999 ~alice\/alpha · look up/);
		open.hide();
		await assert.rejects(done, { name: 'AbortError' });
	});

	test('opens a URL or reference with the account that can see it', async () => {
		const { api } = fakeTrackers();
		const alice = fakeConnection(api);
		const bob = fakeConnection(api, '~bob', keptNames('~eve/secret'));
		const nothing = {
			lists: {
				value: new ListStore({ journal: journalInMemory(), api: fakeLists().api, me: '~alice', followed: keptNames() }),
			},
			repositories: { value: fakeStore(fakeRepositories()) },
		};
		Object.defineProperties(alice, nothing);
		Object.defineProperties(bob, nothing);
		const start = goToOver([alice, bob], { now: undefined });
		for (const [text, expected] of [
			['~eve/secret#2', 'sample-bob'],
			['~eve/other#2', 'sample-alice'],
			['~bob/own#2', 'sample-bob'],
			['https://todo.forge.test/~eve/secret/2', 'sample-bob'],
			['https://lists.forge.test/~bob/devel', 'sample-bob'],
			['https://git.forge.test/~eve/lib', 'sample-alice'],
		] as const) {
			const done = start(text).done;
			(await box()).accept();
			await done;
			const passed = stubbed.passed.at(-1);
			assert.ok(typeof passed === 'object' && passed !== null && 'connectionKey' in passed);
			assert.equal(passed.connectionKey, expected, text);
		}
	});

	test('opens a list by its email address, and only known lists for other hosts', async () => {
		const { start } = await desk();
		for (const [text, name] of [
			['~alice/alpha-devel@lists.forge.test', 'alpha-devel'],
			['mailto:%7Ealice%2Fother+subscribe@LISTS.forge.test?subject=x', 'other'],
			['u.alice.other@lists.forge.test', 'other'],
			['~alice/alpha-devel@mail.example', 'alpha-devel'],
		] as const) {
			const { done } = start();
			const open = await typed(text);
			assert.deepEqual(rowsOf(open).length, 1, text);
			open.accept();
			await done;
			assert.deepEqual(
				opened(),
				['forge.lists.show', { kind: 'list', connectionKey: account, ref: { owner: '~alice', name } }],
				text,
			);
		}
		const { done } = start();
		const labels = async (text: string): Promise<unknown> => (await typed(text)).items[0]?.label;
		assert.equal(
			await labels('~alice/other@lists.evil.example'),
			'Open on the web: https://lists.evil.example/~alice/other',
		);
		assert.equal(await labels('u.alice.other@mail.example'), 'Person u.alice.other@mail.example');
		(await box()).hide();
		await assert.rejects(done, { name: 'AbortError' });
	});

	test('requires the owner in a reference only for unknown trackers', async () => {
		const { start } = await desk();
		for (const [text, owner, name, id] of [
			['alpha#2', '~alice', 'alpha', 2],
			['~bob/beta#7', '~bob', 'beta', 7],
		] as const) {
			const { done } = start();
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
		['https://lists.forge.test/~alice/alpha', 'forge.lists.show', { kind: 'list', ref: alpha }],
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
			const { done } = start();
			(await typed(address)).accept();
			await done;
			assert.deepEqual(opened(), [command, { connectionKey: account, ...subject }]);
		});
	}

	for (const [text, row] of [
		['https://lore.example/git/20261120.a1-2@forge.test/T/#u', 'Email archive at lore.example'],
		['<20261120.a1-2@forge.test>', 'Message in the email archive lore.kernel.org'],
	] as const) {
		test(`${text} opens in an email archive, without an account`, async () => {
			const { done } = goToOver([], { now: undefined })();
			const box = await typed(text);
			const found = box.items.find(({ label, description }) => [label, description].includes(row));
			box.accept(found?.label);
			await done;
			assert.deepEqual(archives.splice(0), [
				text.startsWith('<') ? 'https://lore.kernel.org/all/20261120.a1-2%40forge.test/' : text,
			]);
		});
	}

	for (const [text, first] of [
		['https://lore.kernel.org/git/', 'Email archive at lore.kernel.org'],
		['https://archive.example/devel/', 'Email archive at archive.example'],
		['https://archive.example/devel/?q=s%3Afold', 'Email archive at archive.example'],
		['https://patch.msgid.link/20261120.a1-2@forge.test', 'Email archive at patch.msgid.link'],
		['https://code.example/ann/project', undefined],
	] as const) {
		test(`${text} has ${first ?? 'the web'} as first row`, async () => {
			const { done } = goToOver([], { now: undefined })();
			const box = await typed(text);
			const isArchive = box.items[0]?.label.startsWith('Email archive') === true;
			assert.deepEqual(isArchive ? box.items[0]?.label : undefined, first);
			box.accept(box.items.find(({ label }) => label.startsWith('Email archive'))?.label);
			await done;
			assert.deepEqual(archives.splice(0), [text]);
		});
	}

	test('completes names of known people, and reads an address as a person or a Message-ID', async () => {
		const { start } = await desk();
		const { done } = start();
		const labels = async (text: string): Promise<readonly string[]> =>
			(await typed(text)).items.map(({ label, description }) => (label === ' ' ? (description ?? '') : label));
		assert.deepEqual(await labels('bobb'), ['Person ~bobby', 'Mailing list ~bobby/devel']);
		assert.deepEqual(await labels('bob@forge.test'), ['Person bob@forge.test', 'Message with this Message-ID']);
		assert.deepEqual(await labels('20261120.a1-2@forge.test'), [
			'Message <20261120.a1-2@forge.test>',
			'Message in the email archive lore.kernel.org',
			'Person with this email address',
		]);
		assert.deepEqual(await labels('<m1@forge.test>'), [
			'Message <m1@forge.test>',
			'Message in the email archive lore.kernel.org',
		]);
		(await typed('ali')).accept();
		await done;
		assert.deepEqual(opened(), ['forge.people.open', { connectionKey: account, kind: 'person', name: '~alice' }]);
	});

	test('finds the owner and their known things for an owner with words', async () => {
		const { start } = await desk();
		const { done } = start();
		assert.deepEqual(rowsOf(await typed('~alice lan')), ['Repository ~alice/lantern', 'Person ~alice Sample']);
		const open = await typed('~eve unheard of');
		assert.deepEqual(rowsOf(open), ['Person ~eve Sample']);
		open.accept();
		await done;
		assert.deepEqual(opened(), ['forge.people.open', { connectionKey: account, kind: 'person', name: '~eve' }]);
	});

	test('finds a person by a pasted message header or mailto link', async () => {
		const { start } = await desk();
		const { done } = start();
		for (const text of ['Bob B. <bob@forge.test>', 'mailto:bob@forge.test']) {
			assert.equal((await typed(text)).items[0]?.label, 'Person bob@forge.test', text);
		}
		(await box()).accept();
		await done;
		assert.deepEqual(opened(), [
			'forge.people.open',
			{ connectionKey: account, kind: 'person', name: 'bob@forge.test' },
		]);
	});

	test('suggests the supported forms for a text without matches', async () => {
		const { start } = await desk();
		const { done } = start();
		for (const text of ['no such words', 'https://', '#0', '<>', '../..', 'x'.repeat(5000)]) {
			const open = await typed(text);
			assert.deepEqual(
				[open.items.length, open.prompt],
				[0, 'Nothing known here matches. Enter a full name, such as ~owner/name#12 or ~person, or a URL.'],
				text,
			);
			open.accept();
		}
		(await box()).hide();
		await assert.rejects(done, { name: 'AbortError' });
		assert.deepEqual(stubbed.executed, []);
	});

	test('asks before it opens a page without a view on the web', async () => {
		const { start } = await desk();
		for (const answer of [undefined, 'Open on the Web']) {
			stubbed.answers.push(answer);
			const { done } = start();
			(await typed('https://todo.forge.test/~alice/alpha/labels')).accept();
			await done;
		}
		assert.deepEqual(stubbed.opened, ['https://todo.forge.test/~alice/alpha/labels']);
	});

	test('reports a URL of an unknown forge, and asks before it opens it', async () => {
		const { start } = await desk();
		stubbed.answers.push(undefined);
		const { done } = start();
		const open = await typed('https://elsewhere.example/~alice/alpha/2');
		assert.equal(open.items[0]?.detail, 'You are not signed in to a forge at this URL.');
		open.accept();
		await done;
		assert.deepEqual(stubbed.opened, []);
	});

	test('waits for the results of the latest text when Enter follows the typing', async () => {
		const { start } = await desk();
		const { done } = start();
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

	test('cancels Enter when the user types again', async () => {
		const { start } = await desk();
		const { done } = start();
		const open = await typed('crash');
		open.value = 'hangs';
		open.accept('#3');
		open.type('crash at');
		assert.equal(await box(), open);
		assert.deepEqual(stubbed.executed, []);
		open.hide();
		await assert.rejects(done, { name: 'AbortError' });
	});

	test('adds new tickets to the results of the open box', async () => {
		const { connection, world, news, start } = await desk();
		const { done } = start();
		const open = await typed('brand new');
		assert.equal(open.items.length, 0);
		world.tickets.get('~alice/alpha')?.unshift(makeTicket({ id: 4, title: 'A brand new one' }));
		await connection.tickets.reads(alpha).reread(undefined, never);
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

	test('finds patchsets, threads, repositories and trackers by words, names first', async () => {
		const { start } = await desk();
		const { done } = start();
		assert.deepEqual(rowsOf(await typed('fold')), ['fold: nest markers · ~alice/alpha-devel · v2 · Proposed']);
		assert.deepEqual(rowsOf(await typed('release')), ['Release plan · ~alice/alpha-devel']);
		assert.deepEqual(rowsOf(await typed('lantern')), ['Repository ~alice/lantern']);
		assert.deepEqual(rowsOf(await typed('alpha')), ['Tracker ~alice/alpha', 'Mailing list ~alice/alpha-devel']);
		(await typed('release')).accept();
		await done;
		const list = { owner: '~alice', name: 'alpha-devel' };
		const subject = { kind: 'mail', connectionKey: account, list, id: 21, messageId: undefined };
		assert.deepEqual(opened(), ['forge.lists.openThread', subject]);
	});

	test('offers a commit in each known repository, the active one first', async () => {
		const { start, front } = await desk();
		front.now = {
			kind: 'entry',
			connectionKey: account,
			ref: { owner: '~eve', name: 'lib' },
			at: { ref: 'main', path: 'a' },
		};
		const { done } = start();
		assert.deepEqual(rowsOf(await typed('4f2a91c')), [
			'Commit 4f2a91c of ~eve/lib Sample',
			'Commit 4f2a91c of ~alice/lantern Sample',
		]);
		(await box()).accept();
		await done;
		const subject = { kind: 'commit', connectionKey: account, ref: { owner: '~eve', name: 'lib' }, id: '4f2a91c' };
		assert.deepEqual(opened(), ['forge.repositories.openCommit', subject]);
	});

	test('finds indexed files of a remote folder by name and path', async () => {
		const { connection, git, start } = await desk();
		git.commit({ owner: '~alice', name: 'lantern' }, 'main', git.grow({ src: { 'fold.c': 'a', 'unfold.c': 'b' } }));
		const ref = { owner: '~alice', name: 'lantern' };
		const at = { ref: 'main', path: '' };
		const indexes = new PathIndexes(fakeConnections(connection), unresting);
		const index = await indexes.of(connection, ref, at, never);
		const held = index.hold();
		await index.settled(never);
		held.dispose();
		const uri = uriOfPlace({ kind: 'entry', connectionKey: account, ref, at });
		stubbedWorkspace.folders.push({ uri, name: 'lantern', index: 0 });
		const { done } = start(undefined, indexes);
		assert.deepEqual(rowsOf(await typed('src/fold')), ['src/fold.c · ~alice/lantern']);
		(await box()).accept();
		await done;
		stubbedWorkspace.folders.pop();
		const subject = { kind: 'file', connectionKey: account, ref, at: { ref: 'main', path: 'src/fold.c' } };
		assert.deepEqual(opened(), ['forge.repositories.openFile', subject]);
	});

	test('lists the pages of this window first for an empty text, then the latest changes', async () => {
		const { start, recent } = await desk();
		recent.push({
			subject: { kind: 'ticket', connectionKey: account, ref: { tracker: alpha, id: 2 } },
			title: '#2 Search hangs',
			icon: 'issues',
		});
		const { done } = start();
		assert.deepEqual(rowsOf(await typed('')), [
			'#2 Search hangs · ~alice/alpha · Reported',
			'Release plan · ~alice/alpha-devel',
			'fold: nest markers · ~alice/alpha-devel · v2 · Proposed',
			'#3 Crash at start · ~alice/alpha · Reported',
			'#1 Crash at the end · ~alice/alpha · Resolved: fixed',
		]);
		(await box()).hide();
		await assert.rejects(done, { name: 'AbortError' });
	});

	test('appends later results to the existing rows', async () => {
		const { connection, world, news, start } = await desk();
		const { done } = start();
		const open = await typed('crash');
		assert.deepEqual(
			rowsOf(open).map((row) => row.slice(0, 2)),
			['#3', '#1'],
		);
		world.tickets.get('~alice/alpha')?.unshift(makeTicket({ id: 4, title: 'Crash', updatedMs: Date.UTC(2030, 0) }));
		await connection.tickets.reads(alpha).reread(undefined, never);
		news.fire([alpha]);
		await box();
		assert.deepEqual(
			rowsOf(open).map((row) => row.slice(0, 2)),
			['#3', '#1', '#4'],
		);
		assert.deepEqual(
			rowsOf(await typed('crash ')).map((row) => row.slice(0, 2)),
			['#4', '#3', '#1'],
		);
		open.hide();
		await assert.rejects(done, { name: 'AbortError' });
	});

	test('names the sign-in and the URLs that work without an account', async () => {
		const { done } = goToOver([], { now: undefined })();
		const open = await typed('a word');
		assert.deepEqual(open.items, []);
		assert.match(open.prompt ?? '', /^Paste the URL of .+ in an email archive\. Sign in to go to tickets/);
		open.hide();
		await assert.rejects(done, { name: 'AbortError' });
	});

	test('accepts an initial text', async () => {
		const { start } = await desk();
		const { done } = start('~alice/alpha#2');
		(await box()).accept();
		await done;
		assert.equal(stubbed.executed.at(-1), 'forge.tickets.open');
	});
});
