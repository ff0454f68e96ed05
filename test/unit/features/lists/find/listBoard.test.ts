import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { labelText, titleIn } from '../../../../support/labelInName.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { ShowMoreSubject } from '../../../../../src/editor/commands/subjects.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { ListTree } from '../../../../../src/features/lists/tree/listTree.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { PatchsetStatus } from 'sourcehut/port/list.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import type { LateText } from '../../../../../src/store/shared/keptReadings.ts';
import { keptMails, type KeptMails } from '../../../../../src/store/lists/keptMails.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections, keptNames, type ForgeConnection } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../../support/makeMail.ts';
import { makeUser } from '../../../../support/makeTicket.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { standFor } from '../../../../support/standFor.ts';

const { listTree } = await import('../../../../../src/features/lists/tree/listTree.ts');
const { listFinder } = await import('../../../../../src/features/lists/find/listFinder.ts');

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };

const diff = [
	'---',
	' src/a.c | 2 +-',
	' 2 files changed, 1 insertion(+), 1 deletion(-)',
	'',
	'diff --git a/src/a.c b/src/a.c',
	'index 1111111..2222222 100644',
	'--- a/src/a.c',
	'+++ b/src/a.c',
	'@@ -1,2 +1,2 @@',
	'-old',
	'+new',
	' same',
	'diff --git a/run b/tools/run',
	'old mode 100644',
	'new mode 100755',
	'similarity index 100%',
	'rename from run',
	'rename to tools/run',
	'-- ',
	'2.40',
].join('\r\n');

interface Scene {
	readonly world: FakeListWorld;
	readonly connection: ForgeConnection;
	readonly tree: ListTree;
	readonly redrawn: (TreeNode | undefined)[];
	readonly clock: FakeClock;
}

function scene(disk?: KeptMails, served = (api: ListApi): ListApi => api): Scene {
	const { world, api } = fakeLists();
	world.lists.push(makeList());
	world.subscriptions.push(makeSubscription(makeList(), 1));
	world.users.push({
		...makeUser('alice'),
		email: 'alice@forge.test',
		url: undefined,
		location: undefined,
		bio: undefined,
	});
	const statuses: readonly PatchsetStatus[] = [
		'proposed',
		'needs_revision',
		'approved',
		'applied',
		'superseded',
		'other:on hold',
	];
	world.patchsets.set('~alice/devel', [
		...statuses.map((status, at) => makePatchset({ id: 10 - at, subject: `Set ${10 - at}`, status })),
		makePatchset({ id: 4, subject: 'Mine', submitter: 'Alice <alice@forge.test>' }),
	]);
	const connection = listConnection(served(api), '~alice', keptNames(), world.users, disk);
	const clock = fakeClock();
	const parts = listsParts(fakeConnections(connection), clock);
	const tree = listTree(parts);
	const redrawn: (TreeNode | undefined)[] = [];
	tree.onDidChange((node) => redrawn.push(node));
	return { world, connection, tree, redrawn, clock };
}

async function below(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
	return (await node?.children?.(never)) ?? [];
}

async function group(tree: ListTree, at: 0 | 1 = 0): Promise<TreeNode | undefined> {
	const [list] = await tree.roots(never);
	return (await below(list))[at];
}

function named(rows: readonly TreeNode[], label: string): TreeNode | undefined {
	return rows.find(({ item }) => titleIn(item.label) === label);
}

/** Sections with the labels of their rows. */
async function board(tree: ListTree): Promise<readonly unknown[]> {
	const sections = await below(await group(tree));
	return Promise.all(
		sections.map(async (section) => [
			titleIn(section.item.label),
			(await below(section)).map(({ item }) => titleIn(item.label)),
		]),
	);
}

function labels(rows: readonly TreeNode[]): readonly unknown[] {
	return rows.map(({ item }) => titleIn(item.label));
}

/** Alice has replied to two patchsets. The sender of the second one has replied since. */
function answer(world: FakeListWorld): void {
	const set = (id: number, mailId: number): void => {
		const all = world.patchsets.get('~alice/devel') ?? [];
		const messageId = `<m${mailId}@forge.test>`;
		world.patchsets.set(
			'~alice/devel',
			all.map((each) => (each.id === id ? { ...each, messageId } : each)),
		);
	};
	const alice = makeUser('alice');
	set(10, 22);
	set(5, 32);
	world.mails.push(
		makeMail({ id: 21, subject: '[PATCH 0/1] Set 10' }),
		makeMail({ id: 22, threadId: 21, parentId: 21, subject: '[PATCH 1/1] Whatever' }),
		makeMail({ id: 23, threadId: 21, parentId: 22, subject: 'Re: Whatever', sender: alice, list: makeList() }),
		// Alice replied, and then the sender wrote again.
		makeMail({ id: 31, subject: '[PATCH 0/1] Set 5' }),
		makeMail({ id: 32, threadId: 31, parentId: 31, subject: '[PATCH 1/1] More' }),
		makeMail({ id: 33, threadId: 31, parentId: 32, subject: 'Re: More', sender: alice, list: makeList() }),
		makeMail({ id: 34, threadId: 31, parentId: 33, subject: 'Re: More' }),
		makeMail({ id: 41, sender: alice, list: makeList({ name: 'users' }), threadId: 40 }),
	);
}

/** Alice has replied to `count` patchsets, and no one has written since. */
function answerMany(world: FakeListWorld, count: number): void {
	const ids = Array.from({ length: count }, (_, at) => 100 + count - at);
	world.patchsets.set(
		'~alice/devel',
		ids.map((id) => makePatchset({ id, subject: `Set ${id}`, messageId: `<m${id * 10}@forge.test>` })),
	);
	for (const id of ids) {
		const first = { id: id * 10, subject: `[PATCH] Set ${id}`, list: makeList() };
		const reply = { id: id * 10 + 1, threadId: id * 10, parentId: id * 10, sender: makeUser('alice') };
		world.mails.push(makeMail(first), makeMail({ ...reply, subject: `Re: [PATCH] Set ${id}`, list: makeList() }));
	}
}

/** The number of patchsets to review, and of those that need revision. */
function groupSizes(rows: readonly TreeNode[]): Promise<readonly number[]> {
	return Promise.all(
		['Needs my review', 'Waiting for the author'].map(async (label) => (await below(named(rows, label))).length),
	);
}

const answered: readonly unknown[] = [
	['Needs my review', ['Set 5']],
	['Mine, waiting for review', ['Mine']],
	['Waiting for the author', ['Set 10', 'Set 9']],
];

suite('list board', () => {
	test('groups patchsets by their relation to the account, and unknown statuses as new', async () => {
		const { tree } = scene();
		assert.deepEqual(await board(tree), [
			['Needs my review', ['Set 10', 'Set 5']],
			['Mine, waiting for review', ['Mine']],
			['Waiting for the author', ['Set 9']],
			['Approved', ['Set 8']],
			['Done', ['Set 7', 'Set 6']],
		]);
	});

	test('shows own patchsets as others’ if the account’s address is unknown', async () => {
		const { tree, world } = scene();
		world.users.length = 0;
		assert.deepEqual((await board(tree))[0], ['Needs my review', ['Set 10', 'Set 5', 'Mine']]);
	});

	test('moves an earlier version that needs revision to Done after the next version was applied', async () => {
		const { tree, world } = scene();
		const version = { subject: 'Set 9', submitter: 'Bob <bob@forge.test>' };
		world.patchsets.set('~alice/devel', [
			makePatchset({ id: 11, ...version, version: 2, status: 'applied', createdMs: 2000 }),
			makePatchset({ id: 9, ...version, version: 1, status: 'needs_revision', createdMs: 1000 }),
			makePatchset({ id: 8, subject: 'Set 8', status: 'needs_revision' }),
		]);
		assert.deepEqual(await board(tree), [
			['Waiting for the author', ['Set 8']],
			['Done', ['Set 9']],
		]);
	});

	test('asks for a review of the newest unanswered version only, with the earlier ones below it', async () => {
		const { tree, world } = scene();
		const version = { subject: 'Set 9', submitter: 'Bob <bob@forge.test>', status: 'proposed' } as const;
		const other = { ...version, submitter: 'Mallory <mallory@forge.test>' };
		world.patchsets.set('~alice/devel', [
			makePatchset({ id: 12, ...other, version: 4, createdMs: 4000 }),
			makePatchset({ id: 11, ...version, version: 3, createdMs: 3000 }),
			makePatchset({ id: 10, ...version, version: 2, createdMs: 2000 }),
			makePatchset({ id: 9, ...version, version: 1, createdMs: 1000 }),
		]);
		const sections = await below(await group(tree));
		const numbers = async (label: string): Promise<readonly (string | undefined)[]> =>
			(await below(named(sections, label))).map(({ id }) => id?.split('/').at(-1));
		assert.deepEqual(await numbers('Needs my review'), ['12', '11'], 'that of somebody else stands for none of them');
		assert.deepEqual(
			sections.map(({ item }) => item.label),
			['Needs my review'],
		);
		const [, newest] = await below(named(sections, 'Needs my review'));
		assert.deepEqual(
			(await below(newest)).slice(-2).map(({ id }) => id.split('/').at(-1)),
			['10', '9'],
		);
	});

	test('has rows of versions right before a thread was opened, without a request for it', async () => {
		const { tree, world, connection } = scene();
		const version = { subject: 'Set 9', status: 'proposed', prefix: undefined } as const;
		world.patchsets.set('~alice/devel', [
			makePatchset({ id: 11, ...version, submitter: 'Bob via devel <devel@x.test>', version: 2, createdMs: 2000 }),
			makePatchset({ id: 9, ...version, submitter: 'Bob <bob@home.test>', version: 1, createdMs: 1000 }),
		]);
		const rowsOf = async (): Promise<readonly unknown[]> => await board(tree);
		assert.deepEqual(await rowsOf(), [['Needs my review', ['Set 9']]]);
		assert.deepEqual(
			world.calls.filter((call) => /thread|series|patches/.test(call)),
			[],
		);
		// The newer row alone is no link, and the user may say that they are none.
		assert.deepEqual(connection.reviews.earlierVersions({ list: devel, id: 11 }), []);
		await connection.reviews.unlinkVersions({ list: devel, id: 9 }, { list: devel, id: 11 });
		assert.deepEqual(await rowsOf(), [['Needs my review', ['Set 9', 'Set 9']]]);
	});

	test('shows a count per section, also for screen readers, and folds only Done', async () => {
		const { tree } = scene();
		const [first, , , , done] = await below(await group(tree));
		assert.deepEqual(
			[first?.item.description, first?.item.accessibilityInformation?.label, first?.item.collapsibleState],
			['2', 'Needs my review, patchsets: 2', 2],
		);
		assert.equal(done?.item.collapsibleState, 1);
	});

	test('redraws the board when a status changes, and keeps the id of the moved row', async () => {
		const { tree, connection, redrawn } = scene();
		await board(tree);
		const sections = await below(await group(tree));
		const before = (await below(sections[0]))[0]?.id;
		redrawn.splice(0);
		await connection.lists.setStatus({ list: devel, id: 10 }, 'approved', never);
		assert.deepEqual(
			redrawn.map((node) => node?.id),
			['sample-alice/~alice/devel/patchsets'],
		);
		const after = await below(named(await below(redrawn[0]), 'Approved'));
		assert.deepEqual(
			after.map(({ id, item }) => [id, titleIn(item.label)]),
			[
				[before, 'Set 10'],
				['sample-alice/~alice/devel/patchsets/8', 'Set 8'],
			],
		);
	});

	test('shows a version sent as a reply in its own row, and in a new window too', async () => {
		const { api, world } = patchsetWorld('~alice', { laterInThread: true });
		const all = world.patchsets.get('~alice/devel') ?? [];
		world.patchsets.set(
			'~alice/devel',
			all.map((each) => (each.id === 3 ? { ...each, status: 'superseded' } : each)),
		);
		const disk = keptMails(textsInMemory(), fakeClock());
		const opened = (connection: ForgeConnection): ListTree => {
			const parts = listsParts(fakeConnections(connection));
			return listTree(parts);
		};
		const connection = listConnection(api, '~alice', keptNames(), [], disk);
		const first = opened(connection);
		const open = async (tree = first): Promise<readonly unknown[]> => {
			const rows = await below(named(await below(await group(tree)), 'Needs my review'));
			return rows.map(({ id, item }) => [
				id.split('/').at(-1),
				labelText(item.label).startsWith('v5 ') && /came as a reply/.test(String(item.description)),
			]);
		};
		assert.deepEqual(await open(), []);
		await connection.reviews.read({ list: devel, id: 2 }, never);
		const fifth = [[String(formedPatchsetId(31)), true]];
		assert.deepEqual(await open(), fifth);
		await eventually(async () => (await disk.places(devel))?.get(formedPatchsetId(31)), 'needsMyReview');
		const next = opened(listConnection(api, '~alice', keptNames(), [], disk));
		await eventually(() => open(next), fifth);
	});

	test('moves a snoozed patchset to a group of its own, and back in this window and the next', async () => {
		const disk = keptMails(textsInMemory(), fakeClock());
		const { connection, tree, redrawn } = scene(disk);
		await board(tree);
		redrawn.length = 0;
		const ref = { list: devel, id: 10 };
		await connection.snoozes.put([{ ref, snooze: { version: 1 } }]);
		assert.equal(redrawn.length > 0, true);
		const rows = await board(tree);
		assert.deepEqual(
			rows.find((row) => Array.isArray(row) && row[0] === 'Snoozed'),
			['Snoozed', ['Set 10']],
		);
		const [row] = await below(named(await below(await group(tree)), 'Snoozed'));
		assert.match(String(row?.item.description), /^snoozed until a new version/);
		assert.match(String(row?.item.contextValue), /\.snoozed\b/);
		const next = scene(disk);
		assert.equal(
			(await board(next.tree)).some((each) => Array.isArray(each) && each[0] === 'Snoozed'),
			false,
			'a stored group never outlives the snooze',
		);
		await connection.snoozes.put([{ ref }]);
		assert.deepEqual((await board(tree))[0], ['Needs my review', ['Set 10', 'Set 5']]);
	});

	test('moves a patchset right after a reply, and back when someone else writes', async () => {
		const { connection, tree, world, redrawn } = scene();
		answer(world);
		world.mails.splice(2, 1);
		world.series.set(10, world.mails.slice(1, 2));
		assert.deepEqual((await board(tree))[0], ['Needs my review', ['Set 10', 'Set 5']]);
		await connection.reviews.read({ list: devel, id: 10 }, never);
		world.calls.length = redrawn.length = 0;
		connection.lists.answered({ list: devel, id: 10 });
		assert.ok(redrawn.length > 0);
		assert.deepEqual((await board(tree)).slice(0, 3), answered);
		assert.deepEqual(world.calls, []);
		world.mails.push(
			makeMail({ id: 24, threadId: 21, parentId: 22, subject: 'Re: Whatever', createdMs: 2_000_000_000_000 }),
		);
		tree.forget(undefined);
		await connection.reviews.read({ list: devel, id: 10 }, never);
		assert.deepEqual((await board(tree))[0], ['Needs my review', ['Set 10', 'Set 5']]);
	});

	test('remembers a reply for later windows while the forge doesn’t list it', async () => {
		const texts = textsInMemory();
		const first = scene(keptMails(texts, fakeClock()));
		assert.deepEqual((await board(first.tree))[0], ['Needs my review', ['Set 10', 'Set 5']]);
		first.connection.lists.answered({ list: devel, id: 10 });
		for (const refused of [/^(?:emails|thread)/, /^/]) {
			const next = scene(keptMails(texts, fakeClock()));
			next.world.before = (call) => {
				if (refused.test(call)) {
					throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' });
				}
			};
			const list = named(await next.tree.roots(never), 'devel');
			const sections = await below((await below(list))[0]);
			assert.deepEqual(labels(await below(named(sections, 'Needs my review'))), ['Set 5'], String(refused));
			assert.deepEqual(
				labels(await below(named(sections, 'Waiting for the author'))),
				['Set 10', 'Set 9'],
				String(refused),
			);
		}
	});

	test('recognizes own patchsets by a stored address while the forge doesn’t return one', async () => {
		const { connection, tree, world } = scene();
		world.before = (call) => {
			if (call.startsWith('user')) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		world.users.length = 0;
		Object.assign(connection.people, { ownAddress: () => 'alice@forge.test' });
		assert.deepEqual((await board(tree)).slice(0, 2), [
			['Needs my review', ['Set 10', 'Set 5']],
			['Mine, waiting for review', ['Mine']],
		]);
	});

	test('finds replies of the account in a new window without expanded rows', async () => {
		const { tree, world } = scene();
		answer(world);
		assert.deepEqual((await board(tree)).slice(0, 3), answered);
		const asked = (): readonly string[] => world.calls.filter((call) => /^(emails|thread)/.test(call));
		assert.deepEqual(asked(), ['emails (own) 0', 'thread 31', 'thread 21']);
		await board(tree);
		assert.equal(asked().length, 3, 'a board that is drawn again asks nothing');
	});

	test('knows the writers of an archive, which has no accounts, by their addresses', async () => {
		const { tree, world } = scene(undefined, (api) => ({
			...api,
			thread: async (id, signal) =>
				(await api.thread(id, signal)).map((mail) => {
					const from = mail.sender?.canonicalName === '~alice' ? 'Alice <Alice@forge.test>' : 'Bob <bob@forge.test>';
					return { ...mail, sender: undefined, from };
				}),
		}));
		answer(world);
		assert.deepEqual((await board(tree)).slice(0, 3), answered);
	});

	test('finds replies of the account on disk while the forge is unreachable', async () => {
		const texts = textsInMemory();
		const first = scene(keptMails(texts, fakeClock()));
		answer(first.world);
		assert.deepEqual((await board(first.tree)).slice(0, 3), answered);
		const next = scene(keptMails(texts, fakeClock()));
		next.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' });
		};
		const list = named(await next.tree.roots(never), 'devel');
		const sections = await below((await below(list))[0]);
		assert.deepEqual(labels(await below(named(sections, 'Needs my review'))), ['Set 5']);
		assert.deepEqual(labels(await below(named(sections, 'Waiting for the author'))), ['Set 10', 'Set 9']);
	});

	test('shows the board of an earlier window until the forge responds, and then updates', async () => {
		const texts = textsInMemory();
		const first = scene(keptMails(texts, fakeClock()));
		answer(first.world);
		const before = await board(first.tree);
		assert.deepEqual(before.slice(0, 3), answered);
		const next = scene(keptMails(texts, fakeClock()));
		answer(next.world);
		const all = next.world.patchsets.get('~alice/devel') ?? [];
		next.world.patchsets.set('~alice/devel', [makePatchset({ id: 11, subject: 'Set 11' }), ...all]);
		const came = Promise.withResolvers<void>();
		next.world.before = () => came.promise;
		assert.deepEqual(await board(next.tree), before);
		came.resolve();
		await eventually(async () => next.tree.note?.text(), '');
		const [needsReview, ...others] = await board(next.tree);
		assert.deepEqual(needsReview, ['Needs my review', ['Set 11', 'Set 5']]);
		assert.deepEqual(others, before.slice(1), 'what was answered is known by then');
	});

	test('writes to disk only if a patchset changes its section', async () => {
		const texts = textsInMemory();
		const written: string[] = [];
		const counting = {
			...texts,
			keep(name: string, content: LateText) {
				written.push(name);
				texts.keep(name, content);
			},
		};
		const { tree, world, connection } = scene(keptMails(counting, fakeClock()));
		const writes = (): number => written.filter((name) => name.startsWith('places ')).length;
		await board(tree);
		await board(tree);
		assert.equal(writes(), 1);
		const [first] = world.patchsets.get('~alice/devel') ?? [];
		assert.ok(first);
		connection.lists.apply({
			kind: 'patchsetChanged',
			list: { owner: '~alice', name: 'devel' },
			patchset: { ...first, status: 'applied' },
		});
		await board(tree);
		assert.equal(writes(), 2);
	});

	test('computes the section of a patchset without a stored one', async () => {
		const texts = textsInMemory();
		const first = scene(keptMails(texts, fakeClock()));
		const before = await board(first.tree);
		for (const [name, text] of texts.texts) {
			if (name.startsWith('places ')) {
				texts.texts.set(name, text.replace('[8,"approved"]', '[8,"nowhere"]').replace(/\[9,"\w+"\],?/, ''));
			}
		}
		const next = scene(keptMails(texts, fakeClock()));
		next.world.before = () => new Promise(() => undefined);
		assert.deepEqual(await board(next.tree), before);
	});

	test('combines own messages on disk with the newest ones from the forge', async () => {
		const texts = textsInMemory();
		const first = scene(keptMails(texts, fakeClock()));
		answer(first.world);
		await board(first.tree);
		const next = scene(keptMails(texts, fakeClock()));
		answer(next.world);
		for (let id = 100; id < 100 + next.world.pageSize; id += 1) {
			next.world.mails.push(
				makeMail({ id, sender: makeUser('alice'), list: makeList({ name: 'users' }), threadId: 99 }),
			);
		}
		assert.deepEqual((await board(next.tree)).slice(0, 3), answered);
	});

	test('continues a cancelled load with the next draw', async () => {
		const { tree, world } = scene();
		answer(world);
		const giving = new AbortController();
		world.before = (call) => {
			if (call.startsWith('thread ')) {
				giving.abort();
			}
		};
		await assert.rejects(Promise.resolve((await group(tree))?.children?.(giving.signal)), isAbort);
		world.before = () => undefined;
		assert.deepEqual((await board(tree)).slice(0, 3), answered);
	});

	test('shares a running load between draws, and ignores changes during the load', async () => {
		const { tree, world, connection } = scene();
		answer(world);
		const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		world.before = (call) => {
			if (call === 'thread 21') {
				reached.resolve();
				return goOn.promise;
			}
			return undefined;
		};
		const first = board(tree);
		await reached.promise;
		const second = board(tree);
		await new Promise(setImmediate);
		const patchset = makePatchset({ id: 9, subject: 'Set 9', status: 'needs_revision' });
		connection.lists.apply({ kind: 'patchsetChanged', list: devel, patchset });
		goOn.resolve();
		assert.deepEqual((await second).slice(0, 3), answered);
		assert.deepEqual((await first).slice(0, 3), answered);
		assert.equal(world.calls.filter((call) => call === 'thread 21').length, 1);
	});

	test('gives a draw the final result after a refresh during a load', async () => {
		const { tree, world } = scene();
		answer(world);
		const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const reached = gates.map(() => Promise.withResolvers<void>());
		let asked = 0;
		world.before = (call) => {
			if (call !== 'thread 21') {
				return undefined;
			}
			reached[asked]?.resolve();
			asked += 1;
			return gates[asked - 1]?.promise;
		};
		const first = board(tree);
		await reached[0]?.promise;
		tree.forget(undefined);
		const second = board(tree);
		await reached[1]?.promise;
		gates[0]?.resolve();
		await new Promise(setImmediate);
		gates[1]?.resolve();
		assert.deepEqual((await second).slice(0, 3), answered);
		assert.deepEqual((await first).slice(0, 3), answered);
	});

	test('requests own messages again after a refresh during their load', async () => {
		const { tree, world } = scene();
		answer(world);
		const mails = world.mails.splice(0);
		const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const reached = Promise.withResolvers<void>();
		let asked = 0;
		world.before = (call) => {
			if (!call.startsWith('emails')) {
				return undefined;
			}
			reached.resolve();
			asked += 1;
			return gates[asked - 1]?.promise;
		};
		const first = board(tree);
		await reached.promise;
		tree.forget(undefined);
		const second = board(tree);
		await new Promise(setImmediate);
		gates[0]?.resolve();
		await new Promise(setImmediate);
		world.mails.push(...mails);
		gates[1]?.resolve();
		assert.deepEqual((await second).slice(0, 3), answered);
		assert.deepEqual((await first).slice(0, 3), answered);
		assert.equal(asked, 2);
	});

	test('stays unchanged without own messages, and requests none if no patchset is open', async () => {
		const { tree, world } = scene();
		world.before = (call) => {
			if (call.startsWith('emails')) {
				throw new ForgeError({ kind: 'missingScope', scope: 'emails:read', asWritten: 'emails:read' });
			}
		};
		assert.deepEqual((await board(tree))[0], ['Needs my review', ['Set 10', 'Set 5']]);
		const quiet = scene();
		quiet.world.patchsets.set('~alice/devel', [makePatchset({ id: 1, status: 'applied' })]);
		await board(quiet.tree);
		assert.ok(quiet.world.calls.every((call) => !call.startsWith('emails')));
	});

	test('loads the newest twelve threads, and skips failed ones', async () => {
		const { tree, world } = scene();
		for (let id = 101; id <= 120; id += 1) {
			world.mails.push(makeMail({ id: id * 10, sender: makeUser('alice'), list: makeList(), threadId: id }));
		}
		world.before = (call) => {
			if (call === 'thread 120') {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		await board(tree);
		const threads = world.calls.filter((call) => call.startsWith('thread'));
		assert.deepEqual(
			threads,
			Array.from({ length: 12 }, (_, at) => `thread ${120 - at}`),
		);
	});

	test('loads threads of open patchsets before newer other threads', async () => {
		const { tree, world } = scene();
		const all = world.patchsets.get('~alice/devel') ?? [];
		const cover = makeMail({ id: 21, subject: '[PATCH 0/1] Set 10' });
		world.patchsets.set(
			'~alice/devel',
			all.map((each) => (each.id === 10 ? { ...each, coverLetter: cover } : each)),
		);
		const mine = { sender: makeUser('alice'), list: makeList() };
		world.mails.push(cover, makeMail({ ...mine, id: 22, threadId: 21, parentId: 21, subject: 'Re: a new subject' }));
		world.mails.push(makeMail({ ...mine, id: 42, threadId: 41, subject: 'Re: [PATCH] something' }));
		for (let id = 101; id <= 120; id += 1) {
			world.mails.push(makeMail({ ...mine, id: id * 10, threadId: id, subject: 'Re: lunch' }));
		}
		const sections = await board(tree);
		assert.deepEqual(sections.slice(0, 3), answered);
		const threads = world.calls.filter((call) => call.startsWith('thread'));
		assert.deepEqual(threads.slice(0, 3), ['thread 21', 'thread 41', 'thread 120']);
		assert.equal(threads.length, 12);
	});

	test('loads further threads with own replies on each refresh, and counts the remaining ones', async () => {
		const texts = textsInMemory();
		const { tree, world, clock, redrawn } = scene(keptMails(texts, fakeClock()));
		answerMany(world, 40);
		const counts = async (): Promise<readonly unknown[]> => {
			const rows = await below(await group(tree));
			const more = named(rows, 'Show More')?.item.description;
			return [...(await groupSizes(rows)), more];
		};
		assert.deepEqual(await counts(), [28, 12, 'threads with your replies not loaded: 28']);
		clock.advance(1000);
		tree.forget(undefined);
		assert.deepEqual(await counts(), [16, 24, 'threads with your replies not loaded: 16']);
		const asked = world.calls.filter((call) => call.startsWith('thread'));
		assert.deepEqual(
			asked,
			Array.from({ length: 24 }, (_, at) => `thread ${1400 - 10 * at}`),
		);
		const more = named(await below(await group(tree)), 'Show More');
		redrawn.splice(0);
		await standFor<ShowMoreSubject>(more?.subject).run(never);
		assert.equal(redrawn.length, 1);
		assert.deepEqual(await counts(), [4, 36, 'threads with your replies not loaded: 4']);
		clock.advance(1000);
		const next = scene(keptMails(texts, fakeClock()));
		answerMany(next.world, 40);
		await board(next.tree);
		await eventually(async () => next.tree.note?.text(), '');
		const rows = await below(await group(next.tree));
		assert.deepEqual([...(await groupSizes(rows)), named(rows, 'Show More')], [0, 40, undefined]);
		const first = next.world.calls.filter((call) => call.startsWith('thread'));
		assert.deepEqual(first.slice(0, 4), ['thread 1040', 'thread 1030', 'thread 1020', 'thread 1010']);
		assert.equal(first.length, 12);
	});

	test('reloads the oldest threads first, and a new reply moves its patchset', async () => {
		const { tree, world, clock } = scene();
		answerMany(world, 14);
		await board(tree);
		clock.advance(1000);
		tree.forget(undefined);
		await board(tree);
		const reply = { threadId: 1100, parentId: 1101, createdMs: makeMail({}).createdMs + 9_000 };
		world.mails.push(makeMail({ id: 9000, ...reply, subject: 'Re: [PATCH] Set 110' }));
		assert.deepEqual(await groupSizes(await below(await group(tree))), [0, 14]);
		clock.advance(1000);
		tree.forget(undefined);
		assert.deepEqual((await board(tree))[0], ['Needs my review', ['Set 110']]);
	});

	test('moves no row when a patchset is expanded, but does on the next refresh', async () => {
		const { tree, world, connection, redrawn } = scene();
		const first = makeMail({ id: 21, subject: '[PATCH proj] Set 10', isPatch: true });
		world.series.set(10, [first]);
		const mine = { id: 22, parentId: 21, threadId: 21, sender: makeUser('alice') };
		world.mails.push(first, makeMail({ ...mine, subject: 'Re: [PATCH proj] Set 10', text: 'Please rename it.' }));
		const before = await board(tree);
		redrawn.splice(0);
		const standing = await connection.reviews.read({ list: devel, id: 10 }, never);
		assert.equal(standing.mails.length, 2);
		assert.deepEqual(await board(tree), before);
		assert.ok(redrawn.every((node) => node?.id === 'sample-alice/~alice/devel/patchsets/10'));
		tree.forget(undefined);
		assert.deepEqual((await board(tree)).slice(0, 3), answered);
	});

	test('switches one list to a flat order, and redraws it immediately', async () => {
		const { tree, connection, redrawn } = scene();
		await connection.listChoices.choose(devel, { filter: '', patchsets: 'newest' });
		assert.deepEqual(
			redrawn.map((node) => node?.id),
			['sample-alice/~alice/devel'],
		);
		assert.deepEqual(labels(await below(await group(tree))), [
			'Set 10',
			'Set 9',
			'Set 8',
			'Set 7',
			'Set 6',
			'Set 5',
			'Mine',
		]);
	});
});

suite('list filter', () => {
	test('shows only matches, and the list row shows the filter and the count', async () => {
		const { tree, connection, redrawn } = scene();
		await connection.listChoices.choose(devel, {
			filter: 'status:proposed !from:alice@forge.test',
			patchsets: 'board',
		});
		assert.deepEqual(await board(tree), [['Needs my review', ['Set 10']]]);
		const row = redrawn.at(-1);
		assert.equal(row?.item.description, '~alice · filtered: status:proposed !from:alice@forge.test · 1 of 7');
		assert.equal(row?.item.contextValue, 'forge.list.subscribed.mine.filtered');
		assert.ok(row?.item.accessibilityInformation?.label.endsWith('1 of 7'));
	});

	test('accepts statuses that only this list uses', async () => {
		const { tree, connection } = scene();
		await tree.roots(never);
		await connection.lists.patchsets(devel).first(never);
		await connection.listChoices.choose(devel, { filter: 'status:"on hold"', patchsets: 'newest' });
		assert.deepEqual(labels(await below(await group(tree))), ['Set 5']);
	});

	test('removes a patchset that no longer matches, and adds one that does', async () => {
		const { tree, connection, redrawn } = scene();
		await connection.listChoices.choose(devel, { filter: 'status:rejected', patchsets: 'board' });
		assert.deepEqual(labels(await below(await group(tree))), ['No patchset matches the filter']);
		await connection.lists.setStatus({ list: devel, id: 8 }, 'rejected', never);
		assert.equal(redrawn.at(-1)?.item.description, '~alice · filtered: status:rejected · 1 of 7');
		assert.deepEqual(await board(tree), [['Done', ['Set 8']]]);
		await connection.lists.setStatus({ list: devel, id: 8 }, 'applied', never);
		assert.equal(redrawn.at(-1)?.item.description, '~alice · filtered: status:rejected · 0 of 7');
	});

	test('shows a row if no patchset matches', async () => {
		const { tree, connection } = scene();
		await connection.listChoices.choose(devel, { filter: 'prefix:nothing', patchsets: 'board' });
		assert.deepEqual(labels(await below(await group(tree))), ['No patchset matches the filter']);
	});

	test('shows everything if it is invalid, and the list row has the reason', async () => {
		const { tree, connection } = scene();
		await connection.listChoices.choose(devel, { filter: 'status:propsed', patchsets: 'newest' });
		assert.equal((await below(await group(tree))).length, 7);
		const [list] = await tree.roots(never);
		assert.match(
			String(list?.item.description),
			/The filter is invalid: "propsed" is not a value of "status:"\. Did you mean "proposed"\?/,
		);
	});

	test('for an account loads patches of uncertain patchsets in batches', async () => {
		const { tree, world, connection } = scene();
		world.patchsets.set(
			'~alice/devel',
			Array.from({ length: 60 }, (_, at) => makePatchset({ id: 60 - at, subject: `Set ${60 - at}` })),
		);
		world.pageSize = 100;
		for (let id = 1; id <= 60; id += 1) {
			const sender = makeUser(id === 3 || id === 60 ? 'carol' : 'bob');
			world.series.set(id, [makeMail({ id: 100 + id, subject: `[PATCH] Set ${id}`, isPatch: true, sender })]);
		}
		await connection.listChoices.choose(devel, { filter: 'from:~carol', patchsets: 'newest' });
		const rows = await below(await group(tree));
		assert.deepEqual(labels(rows), ['Set 60', 'Show More']);
		assert.equal(rows[1]?.item.description, 'not loaded for this filter: 10');
		await standFor<ShowMoreSubject>(rows[1]?.subject).run(never);
		assert.deepEqual(labels(await below(await group(tree))), ['Set 60', 'Set 3']);
	});

	test('loads more only on request, and retries a rejected request last', async () => {
		const { tree, world, connection } = scene();
		const ids = Array.from({ length: 120 }, (_, at) => 120 - at);
		world.patchsets.set(
			'~alice/devel',
			ids.map((id) => makePatchset({ id, subject: `Set ${id}` })),
		);
		world.pageSize = 200;
		world.before = (call) => {
			if (call === 'patches 120 0') {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const reads = (): number => world.calls.filter((call) => call.startsWith('patches ')).length;
		await connection.listChoices.choose(devel, { filter: 'from:~carol', patchsets: 'newest' });
		await below(await group(tree));
		assert.equal(reads(), 50);
		const drawn = await below(await group(tree));
		assert.equal(reads(), 50);
		const wish = async (): Promise<void> => standFor<ShowMoreSubject>(drawn.at(-1)?.subject).run(never);
		await wish();
		await below(await group(tree));
		assert.equal(reads(), 100);
		await wish();
		await below(await group(tree));
		assert.equal(reads(), 120);
		await wish();
		assert.deepEqual(world.calls.filter((call) => call.startsWith('patches ')).slice(120), ['patches 120 0']);
		await connection.listChoices.choose(devel, { filter: 'from:~dora', patchsets: 'newest' });
		await below(await group(tree));
		assert.equal(reads(), 122, 'another filter begins anew');
	});

	test('shows threads with a matching message, and threads of patchsets by status', async () => {
		const { tree, world, connection } = scene();
		world.posts.set('~alice/devel', [
			makeMail({ id: 52, subject: '[PATCH proj] Set 10' }),
			makeMail({ id: 51, subject: 'A question on lanterns' }),
		]);
		await connection.lists.patchsets(devel).first(never);
		await connection.listChoices.choose(devel, { filter: 'lanterns', patchsets: 'board' });
		assert.deepEqual(labels(await below(await group(tree, 1))), ['A question on lanterns']);
		await connection.listChoices.choose(devel, { filter: 'status:proposed', patchsets: 'board' });
		assert.deepEqual(labels(await below(await group(tree, 1))), ['[PATCH proj] Set 10']);
		await connection.listChoices.choose(devel, { filter: 'is:reply', patchsets: 'board' });
		assert.deepEqual(labels(await below(await group(tree, 1))), ['No thread matches the filter']);
	});
});

suite('a large list', () => {
	test('recomputes once for several changes', async () => {
		const { world, connection } = scene();
		const parts = listsParts(fakeConnections(connection));
		const finder = listFinder(parts.clock, () => undefined);
		let looks = 0;
		const tree = listTree({
			...parts,
			finder: {
				...finder,
				board(seen, patchsets) {
					looks += 1;
					return finder.board(seen, patchsets);
				},
			},
		});
		await board(tree);
		for (const { id } of world.patchsets.get('~alice/devel') ?? []) {
			world.series.set(id, [makeMail({ id: 100 + id, subject: `[PATCH proj] Set ${id}`, isPatch: true })]);
			await connection.reviews.read({ list: devel, id }, never);
		}
		looks = 0;
		const told: number[] = [];
		connection.reviews.onDidChange(({ id }) => told.push(id));
		connection.lists.forget(devel);
		assert.deepEqual([told.length, looks], [7, 1]);
		await Promise.resolve();
		world.patchsets.get('~alice/devel')?.unshift(makePatchset({ id: 11, subject: 'Set 11' }));
		await connection.lists.patchsets(devel).first(never);
		connection.lists.apply({
			kind: 'patchsetChanged',
			list: devel,
			patchset: makePatchset({ id: 10, subject: 'Set 10', status: 'applied' }),
		});
		assert.deepEqual((await board(tree))[0], ['Needs my review', ['Set 11', 'Set 5']]);
	});

	test('shares one parent row between threads, and caps a long thread with a count', async () => {
		const { world, tree } = scene();
		world.posts.set('~alice/devel', [makeMail({ id: 51, subject: 'Long' }), makeMail({ id: 52, subject: 'Short' })]);
		world.mails.push(
			makeMail({ id: 51, subject: 'Long' }),
			...Array.from({ length: 1002 }, (_, at) => makeMail({ id: 100 + at, threadId: 51, parentId: 51, subject: 'x' })),
		);
		const threads = await below(await group(tree, 1));
		assert.equal(new Set(threads.map(({ parent }) => parent)).size, 1);
		const mails = await below(named(threads, 'Long'));
		assert.deepEqual([mails.length, mails.at(-1)?.item.label], [1001, 'and 3 more']);
	});

	test('requests the account’s address once, and not again after the forge rejects it', async () => {
		const { connection, tree } = scene();
		const asked: string[] = [];
		let problem: Problem = { kind: 'unreachable', reason: 'offline', host: 'forge.test' };
		Object.assign(connection.forge.users, {
			user: async (area: string) => {
				asked.push(area);
				await new Promise(setImmediate);
				throw new ForgeError(problem);
			},
		});
		const drawn = async (): Promise<unknown> => Promise.all([below(await group(tree)), below(await group(tree))]);
		await drawn();
		assert.equal(asked.length, 1);
		problem = { kind: 'notAllowed' };
		await drawn();
		await drawn();
		assert.equal(asked.length, 2);
	});
});

suite('a patchset in the tree', () => {
	async function patchset(
		change: (world: FakeListWorld) => void,
	): Promise<Scene & { readonly row: TreeNode | undefined }> {
		const made = scene();
		const { world, tree, connection } = made;
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1, subject: 'Two parts', messageId: '<m22@forge.test>' })]);
		world.posts.set('~alice/devel', [makeMail({ id: 20, subject: '[PATCH proj 0/2] Two parts' })]);
		const part = (at: number, text: string): ReturnType<typeof makeMail> =>
			makeMail({
				id: 20 + at,
				subject: `[PATCH proj ${at}/2] Part ${at}`,
				parentId: 20,
				threadId: 20,
				isPatch: true,
				text,
			});
		world.series.set(1, [part(1, diff), part(2, diff)]);
		world.mails.push(
			makeMail({ id: 20, subject: '[PATCH proj 0/2] Two parts' }),
			part(1, diff),
			part(2, diff),
			makeMail({ id: 23, subject: 'Re: [PATCH proj 1/2] Part 1', parentId: 21, threadId: 20, text: 'Fine.' }),
		);
		change(world);
		await connection.listChoices.choose(devel, { filter: '', patchsets: 'newest' });
		const [row] = await below(await group(tree));
		return { ...made, row };
	}

	async function settled(connection: Connection): Promise<void> {
		await connection.reviews.read({ list: devel, id: 1 }, never);
	}

	test('opens its page on a click, and shows size and replies after it was expanded', async () => {
		const { row, connection, tree } = await patchset(() => undefined);
		assert.equal(row?.item.command?.command, 'forge.patchsets.open');
		assert.match(labelText(row?.item.label), /^\w+ Bob · Two parts$/);
		assert.equal(row?.item.description, 'your turn');
		assert.deepEqual(labels(await below(row)), ['0/2 Two parts', '1/2 Part 1', '2/2 Part 2']);
		await settled(connection);
		const [now] = await below(await group(tree));
		assert.match(labelText(now?.item.label), /^\w+ Bob \(1\) · Two parts$/);
		assert.match(String(now?.item.description), /^your turn · .* · 2 patches$/);
		assert.match(
			now?.item.accessibilityInformation?.label ?? '',
			/, Proposed, version 1, 2 patches, by Bob Builder, .*, 1 reply, your turn, /,
		);
		const [, first] = await below(now);
		assert.equal(first?.item.description, '+1 −1 · 2 files · 1 reply');
	});

	test('counts the replies to each patch at any depth, without those to other patches', async () => {
		const { row, connection } = await patchset((world) => {
			const again = { threadId: 20, subject: 'Re: [PATCH proj 1/2] Part 1' };
			world.mails.push(
				makeMail({ ...again, id: 24, parentId: 23, text: 'Indeed.' }),
				makeMail({ ...again, id: 25, parentId: 20, text: 'All of it.' }),
				makeMail({ ...again, id: 26, parentId: 22, text: 'This too.' }),
			);
		});
		await below(row);
		await settled(connection);
		assert.deepEqual(
			(await below(row)).map(({ item }) => item.description),
			['cover letter', '+1 −1 · 2 files · 2 replies', '+1 −1 · 2 files · 1 reply', '4 comments'],
		);
	});

	test('uses the sender of the cover letter if the forge returns none', async () => {
		const { row, connection, tree } = await patchset((before) => {
			before.patchsets.set('~alice/devel', [makePatchset({ id: 1, subject: 'Two parts', submitter: undefined })]);
		});
		assert.match(labelText(row?.item.label), /^\w+ · Two parts$/);
		await below(row);
		await settled(connection);
		const [now] = await below(await group(tree));
		assert.match(labelText(now?.item.label), /^\w+ bob \(1\) · Two parts$/);
	});

	test('lists the files of each patch with their changes', async () => {
		const { row } = await patchset(() => undefined);
		const [, first] = await below(row);
		const files = await below(first);
		assert.deepEqual(
			files.map(({ item }) => [titleIn(item.label), item.description, item.contextValue, item.resourceUri?.query]),
			[
				['a.c', 'src · +1 −1', 'forge.patchFile', 'modified'],
				[
					'run',
					'tools · from run · ordinary file (100644) becomes executable file (100755)',
					'forge.patchFile',
					'renamed',
				],
			],
		);
		assert.deepEqual(files[1]?.subject, {
			kind: 'patchFile',
			connectionKey: 'sample-alice',
			list: devel,
			patchsetId: 1,
			mailId: 21,
			fileIndex: 1,
		});
		assert.equal(files[1]?.item.command?.command, 'forge.patchsets.openDiff');
		assert.equal(files[0]?.item.accessibilityInformation?.label, 'File a.c, modified, 1 line added, 1 removed, src');
	});

	test('shows a row for a message without a diff', async () => {
		const { row } = await patchset((world) => {
			world.series.set(1, [makeMail({ id: 21, subject: '[PATCH proj] Two parts', isPatch: true })]);
		});
		const [patch] = await below(row);
		assert.deepEqual(labels(await below(patch)), ['No diff in this message']);
	});

	test('shows a problem on its row and in its tooltip after it has loaded', async () => {
		const { row, connection, tree } = await patchset((world) => {
			const [first] = world.series.get(1) ?? [];
			world.series.set(1, first ? [first] : []);
			world.mails.splice(2, 1);
		});
		assert.doesNotMatch(String(row?.item.description), /⚠/);
		await settled(connection);
		const [now] = await below(await group(tree));
		assert.match(String(now?.item.description), / · ⚠ 1 problem$/);
		const tooltip = await now?.tooltip?.(never);
		assert.ok(typeof tooltip === 'object' && tooltip.value.includes('Patch 2 of 2 is missing'));
	});

	test('escapes file names with hidden characters or parent folders', async () => {
		const text = diff.replaceAll('src/a.c', 'src/../e\u202Evil\u200B.c');
		const { row } = await patchset((world) => {
			world.series.set(1, [
				makeMail({
					id: 21,
					subject: '[PATCH proj] Two parts',
					isPatch: true,
					envelope: `From: Bob <bob@forge.test>\r\nSubject: [PATCH proj] Two parts\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`,
				}),
			]);
		});
		const [patch] = await below(row);
		const [file] = await below(patch);
		assert.equal(titleIn(file?.item.label), 'e⟨U+202E⟩vil⟨U+200B⟩.c');
		assert.equal(file?.item.resourceUri?.path, '/src/⟨..⟩/e⟨U+202E⟩vil⟨U+200B⟩.c');
	});
});

suite('board of all lists', () => {
	/** The same scene with a second list. */
	function twoLists(): Scene {
		const made = scene();
		const { world } = made;
		const users = makeList({ name: 'users' });
		world.lists.push(users);
		world.patchsets.set('~alice/users', [
			makePatchset({ id: 31, subject: 'Other new', createdMs: makePatchset().createdMs + 5 }),
			makePatchset({ id: 30, subject: 'Other done', status: 'applied', createdMs: 5 }),
		]);
		return made;
	}

	const inFull = async (rows: readonly TreeNode[]): Promise<readonly unknown[]> =>
		Promise.all(rows.map(async (row) => [titleIn(row.item.label), row.item.description, labels(await below(row))]));

	test('is above several lists, and loads nothing until it is expanded', async () => {
		const { world, tree } = twoLists();
		const roots = await tree.roots(never);
		assert.deepEqual(labels(roots), ['All Lists', 'devel', 'users']);
		assert.deepEqual(
			world.calls.filter((call) => call.startsWith('patchsets')),
			[],
		);
		assert.deepEqual(labels(await scene().tree.roots(never)), ['devel']);
	});

	test('merges the boards of all lists, newest first, with the list in each row', async () => {
		const { world, tree } = twoLists();
		const [all] = await tree.roots(never);
		const sections = await below(all);
		assert.deepEqual(await inFull(sections), [
			['Needs my review', '3', ['Other new', 'Set 10', 'Set 5']],
			['Mine, waiting for review', '1', ['Mine']],
			['Waiting for the author', '1', ['Set 9']],
			['Approved', '1', ['Set 8']],
			['Done', '3', ['Set 7', 'Set 6', 'Other done']],
		]);
		const [other, devels] = await below(sections[0]);
		assert.match(String(other?.item.description), /^users\b/);
		assert.match(String(devels?.item.description), /^devel\b/);
		assert.match(other?.item.accessibilityInformation?.label ?? '', /^Other new, Proposed, users,/);
		assert.deepEqual(
			world.calls.filter((call) => call.startsWith('patchsets')),
			['patchsets ~alice/devel 0', 'patchsets ~alice/users 0'],
		);
		const [, list] = await tree.roots(never);
		const [firstOfDevel] = await below((await below(list))[0]);
		const ids = [...(await below(sections[0])), ...(await below(firstOfDevel))].map(({ id }) => id);
		assert.equal(new Set(ids).size, ids.length, 'a row is in the view once');
	});

	test('links its rows to their messages, and their parents back to it', async () => {
		const { world, tree } = twoLists();
		world.series.set(31, [makeMail({ id: 61, subject: '[PATCH] Other new', text: diff })]);
		const [all] = await tree.roots(never);
		const [patchset] = await below((await below(all))[0]);
		const [mail] = await below(patchset);
		assert.equal(titleIn(mail?.item.label), 'Other new');
		assert.deepEqual([mail?.parent?.id, patchset?.parent?.parent?.id], [patchset?.id, all?.id]);
	});

	test('counts the unread patchsets of all its lists', async () => {
		const { world, tree, clock } = twoLists();
		const settle = async (): Promise<void> => {
			clock.advance(150);
			for (let turn = 0; turn < 5; turn += 1) {
				await Promise.resolve();
				clock.advance(0);
			}
		};
		const [all] = await tree.roots(never);
		await below(all);
		await settle();
		assert.equal(all?.item.description, undefined);
		for (const [name, id] of [
			['~alice/devel', 50],
			['~alice/users', 51],
		] as const) {
			const late = makePatchset({ id, createdMs: clock.nowMs(), updatedMs: clock.nowMs() });
			world.patchsets.set(name, [late, ...(world.patchsets.get(name) ?? [])]);
		}
		tree.forget(all);
		const [first] = await below(all);
		await settle();
		assert.deepEqual([all?.item.description, first?.item.description], ['2 new', '5 · 2 new']);
	});

	test('shows the other lists if some fail, with a reason for each failure', async () => {
		const { world, tree } = twoLists();
		world.lists.push(makeList({ name: 'third' }));
		world.before = (call) => {
			if (/^patchsets ~alice\/(devel|third)/.test(call)) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const [all] = await tree.roots(never);
		const rows = await below(all);
		assert.deepEqual(labels(rows), [
			'Needs my review',
			'Done',
			'~alice/devel: The forge said: notAllowed.',
			'~alice/third: The forge said: notAllowed.',
		]);
		assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
	});

	test('retries a failed list alone', async () => {
		const { world, tree, redrawn, clock } = twoLists();
		world.before = (call) => {
			if (call.startsWith('patchsets ~alice/devel')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const [all] = await tree.roots(never);
		const failed = (await below(all)).at(-1);
		assert.deepEqual(failed?.subject, { kind: 'list', connectionKey: 'sample-alice', ref: devel });
		assert.deepEqual(failed?.item.command?.arguments, [failed]);
		world.before = () => undefined;
		world.calls.length = 0;
		tree.forget(failed);
		clock.advance(150);
		assert.ok(redrawn.some((node) => node?.id === all?.id));
		await below(all);
		assert.deepEqual(
			world.calls.filter((call) => call.startsWith('patchsets')),
			['patchsets ~alice/devel 0'],
		);
	});

	test('loads the newest twelve threads with own replies across all lists', async () => {
		const { world, tree } = twoLists();
		for (let id = 101; id <= 120; id += 1) {
			const list = makeList({ name: id % 2 === 0 ? 'users' : 'devel' });
			world.mails.push(
				makeMail({
					id: id * 10,
					createdMs: makeMail({}).createdMs + id,
					sender: makeUser('alice'),
					list,
					threadId: id,
				}),
			);
		}
		const [all] = await tree.roots(never);
		await below(all);
		assert.deepEqual(
			world.calls.filter((call) => call.startsWith('thread')),
			Array.from({ length: 12 }, (_, at) => `thread ${120 - at}`),
		);
	});

	test('loads the next page of all lists together', async () => {
		const { world, tree } = twoLists();
		world.pageSize = 2;
		const [all] = await tree.roots(never);
		const more = (await below(all)).find(({ item }) => titleIn(item.label) === 'Show More');
		assert.equal(more?.item.description, 'Showing 4 of 9');
		await standFor<ShowMoreSubject>(more?.subject).run(never);
		assert.equal(
			(await below(all)).find(({ item }) => titleIn(item.label) === 'Show More')?.item.description,
			'Showing 6 of 9',
		);
	});

	test('steps to the next patchset across lists', async () => {
		const { tree, connection } = twoLists();
		const [all] = await tree.roots(never);
		const [first] = await below((await below(all))[0]);
		const of = { kind: 'list', connectionKey: connection.key, ref: devel } as const;
		const rows = await tree.patchsetRows(tree.placeOf(of, first), never);
		assert.deepEqual(labels(rows).slice(0, 4), ['Other new', 'Set 10', 'Set 5', 'Mine']);
		assert.deepEqual(await tree.threadRows(tree.placeOf(of, first), never), []);
		assert.deepEqual(labels(await tree.patchsetRows(tree.placeOf(of, undefined), never)).slice(0, 2), [
			'Set 10',
			'Set 5',
		]);
	});

	test('redraws when the user marks a whole list as read', async () => {
		const { tree, redrawn, connection, clock } = twoLists();
		const [all] = await tree.roots(never);
		await below(all);
		clock.advance(150);
		const users = { ...devel, name: 'users' };
		const patchset = makePatchset({ id: 40, subject: 'Newest' });
		connection.lists.apply({ kind: 'patchsetChanged', list: users, patchset });
		clock.advance(150);
		assert.equal((await below(all))[0]?.item.description, '4 · 1 new');
		redrawn.length = 0;
		connection.patchsetReadMarks.markAllRead(users, [
			{ list: users, id: 40, isOwn: false, updatedMs: patchset.updatedMs },
		]);
		clock.advance(150);
		clock.advance(150);
		assert.ok(redrawn.some((node) => node?.id === all?.id));
		assert.equal((await below(all))[0]?.item.description, '4');
	});

	test('reloads on request, and redraws when one of its patchsets changes', async () => {
		const { world, tree, redrawn, connection, clock } = twoLists();
		const [all] = await tree.roots(never);
		await below(all);
		world.calls.length = 0;
		tree.forget(all);
		await below(all);
		assert.deepEqual(
			world.calls.filter((call) => call.startsWith('patchsets')),
			['patchsets ~alice/devel 0', 'patchsets ~alice/users 0'],
		);
		redrawn.length = 0;
		await connection.lists.setStatus({ list: devel, id: 10 }, 'applied', never);
		clock.advance(150);
		assert.ok(redrawn.some((node) => node?.id === all?.id));
		assert.deepEqual((await inFull(await below(all)))[0], ['Needs my review', '2', ['Other new', 'Set 5']]);
	});
});
