import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { labelText, titleIn } from '../../../../support/labelInName.ts';
import { isRecord, type ShowMoreSubject } from '../../../../../src/editor/commands/subjects.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { ListTree } from '../../../../../src/features/lists/tree/listTree.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { User } from 'sourcehut/port/user.ts';
import type { PatchsetStatus } from 'sourcehut/port/list.ts';
import type { ReviewPart } from 'patchmail/review/reviewDraft.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { keptMails } from '../../../../../src/store/lists/keptMails.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections, keptNames, type FakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeLists } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../../support/makeMail.ts';
import { makeReading } from '../../../../support/makeSeries.ts';
import { makeUser } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';

const { listTree } = await import('../../../../../src/features/lists/tree/listTree.ts');

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };

function world(): FakeLists {
	const fake = fakeLists();
	const { lists, subscriptions, patchsets } = fake.world;
	const bobs = makeList({ name: 'bobs', owner: makeUser('bob') });
	lists.push(makeList(), makeList({ name: 'users' }), bobs, makeList({ name: 'carols', owner: makeUser('carol') }));
	subscriptions.push(makeSubscription(makeList(), 1), makeSubscription(bobs, 2));
	patchsets.set('~alice/devel', [
		makePatchset({ id: 2, version: 2, subject: 'Two' }),
		makePatchset({ id: 1, subject: 'One' }),
	]);
	return fake;
}

function treeOf(connections: FakeConnections, clock = fakeClock()): ListTree {
	const parts = listsParts(connections, clock);
	for (const { listChoices } of connections.all()) {
		void listChoices.choose(devel, { filter: '', patchsets: 'newest' });
	}
	return listTree(parts);
}

function shown({ item }: TreeNode): readonly unknown[] {
	return [titleIn(item.label), item.description, item.contextValue];
}

async function below(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
	return (await node?.children?.(never)) ?? [];
}

/** The rows of `~alice/devel`, `Patchsets` or `Threads`. */
async function inGroup(tree: ListTree, group: string): Promise<readonly TreeNode[]> {
	const list = (await tree.roots(never)).find(({ item }) => titleIn(item.label) === 'devel');
	return below((await below(list)).find(({ item }) => titleIn(item.label) === group));
}

suite('lists view', () => {
	test('shows own, subscribed and followed lists once at the top level, with their relation', async () => {
		const followed = keptNames('~carol/carols', '~bob/bobs');
		const tree = treeOf(fakeConnections(listConnection(world().api, '~alice', followed)));
		assert.deepEqual((await tree.roots(never)).map(shown), [
			['All Lists', undefined, 'forge.allLists'],
			['devel', '~alice', 'forge.list.subscribed.mine'],
			['users', '~alice', 'forge.list.own.mine'],
			['bobs', '~bob', 'forge.list.subscribed.follows'],
			['carols', '~carol', 'forge.list.followed'],
		]);
	});

	test('opens a list on request, without a request to the forge for a known list', async () => {
		const fake = world();
		const connection = listConnection(fake.api, '~alice', keptNames('~carol/carols'));
		const tree = treeOf(fakeConnections(connection));
		await tree.roots(never);
		const calls = fake.world.calls.length;
		const opened: string[] = [];
		tree.onDidOpen(({ id }) => opened.push(id));
		const show = (owner: string, name: string): Promise<void> =>
			tree.show({ kind: 'list', connectionKey: connection.key, ref: { owner, name } }, never);
		await show('~alice', 'devel');
		await show('~Carol', 'Carols');
		assert.deepEqual(
			[opened, fake.world.calls.length],
			[['sample-alice/~alice/devel', 'sample-alice/~carol/carols'], calls],
		);
		await assert.rejects(show('~alice', 'nowhere'), { problem: { kind: 'notFound' } });
		assert.equal(opened.length, 2);
	});

	test('names the patches that rows of an archive lack', async () => {
		const fake = world();
		const lacking = makePatchset({ id: 3, subject: 'Three', isGuess: true, missing: { indexes: [2], count: 3 } });
		fake.world.patchsets.set('~alice/devel', [lacking]);
		const [row] = await inGroup(treeOf(fakeConnections(listConnection(fake.api))), 'Patchsets');
		assert.match(String(row?.item.description), /Patch 2 of 3 is missing\./);
	});

	test('has no row for an archive without lists, and one again for a visited list', async () => {
		const fake = world();
		const site = listConnection(fakeLists('lore.example').api, '', keptNames());
		const archive = { ...site, key: 'archive', instance: { ...site.instance, archiveUrl: 'https://lore.example/' } };
		const tree = treeOf(fakeConnections(listConnection(fake.api), archive));
		const names = async () => (await tree.roots(never)).map(({ id }) => id);
		const told: unknown[] = [];
		tree.onDidChange((node) => told.push(node?.id));
		assert.deepEqual(await names(), ['sample-alice']);
		const ref = { owner: 'lore.example', name: 'devel' };
		await archive.lists.followed.add(ref);
		assert.deepEqual(await names(), ['sample-alice', 'archive']);
		await archive.lists.followed.add({ ...ref, name: 'users' });
		await archive.lists.unfollow({ ...ref, name: 'users' });
		assert.deepEqual([...new Set(told)], ['archive'], 'menus of rows stay usable');
		await archive.lists.unfollow(ref);
		assert.deepEqual(await names(), ['sample-alice']);
		assert.ok(told.includes(undefined), 'the rows of all accounts are drawn again');
	});

	test('adds a row for a visited list until the user follows it, and keeps it off the board', async () => {
		const fake = world();
		const connection = listConnection(fake.api);
		const tree = treeOf(fakeConnections(connection));
		await tree.roots(never);
		const told: unknown[] = [];
		tree.onDidChange((node) => told.push(node?.id));
		tree.onDidOpen(({ id }) => told.push(id));
		const carols = { owner: '~carol', name: 'carols' };
		const show = (): Promise<void> => tree.show({ kind: 'list', connectionKey: connection.key, ref: carols }, never);
		await show();
		await show();
		assert.deepEqual(told, [undefined, 'sample-alice/~carol/carols', 'sample-alice/~carol/carols']);
		const last = async () => (await tree.roots(never)).at(-1);
		assert.deepEqual(shown((await last()) ?? assert.fail()), ['carols', '~carol · not followed', 'forge.list.visited']);
		fake.world.calls.length = 0;
		await below((await tree.roots(never))[0]);
		assert.equal(
			fake.world.calls.some((call) => call.includes('carols')),
			false,
		);
		await connection.lists.follow(carols, never);
		assert.deepEqual(shown((await last()) ?? assert.fail()), ['carols', '~carol', 'forge.list.followed']);
		await connection.lists.unfollow(carols);
		assert.equal((await last())?.item.label, 'bobs');
	});

	test('shows the inbox choice of a list, and redraws when it changes', async () => {
		const connection = listConnection(world().api);
		const tree = treeOf(fakeConnections(connection));
		const users = async (): Promise<unknown> =>
			(await tree.roots(never)).find(({ item }) => titleIn(item.label) === 'users')?.item.description;
		assert.equal(await users(), '~alice');
		let drawn = 0;
		tree.onDidChange(() => (drawn += 1));
		connection.inbox.choose('list ~alice/users', 'nothing');
		assert.deepEqual([await users(), drawn], ['~alice · muted', 1]);
	});

	test('offers to compare a patchset with versions, and to unlink known ones', async () => {
		const fake = world();
		const bobs = { subject: 'Lamp', submitter: 'Bob <bob@forge.test>' };
		fake.world.patchsets.set('~alice/devel', [
			makePatchset({ id: 4, subject: 'Later', version: 3 }),
			makePatchset({ id: 3, ...bobs, version: 2, createdMs: 2000 }),
			makePatchset({ id: 2, ...bobs, createdMs: 1000 }),
			makePatchset({ id: 1, subject: 'Alone' }),
		]);
		const connection = listConnection(fake.api);
		const tree = treeOf(fakeConnections(connection));
		const contexts = async (): Promise<readonly unknown[]> =>
			(await inGroup(tree, 'Patchsets')).map(({ item }) => [titleIn(item.label), item.contextValue]);
		assert.deepEqual(await contexts(), [
			['Later', 'forge.patchset.versions'],
			['Lamp', 'forge.patchset.versions.linked'],
			['Alone', 'forge.patchset'],
		]);
		const [, newest] = await inGroup(tree, 'Patchsets');
		const older = (await newest?.children?.(new AbortController().signal))?.at(-1)?.item;
		assert.deepEqual([titleIn(older?.label), older?.contextValue], ['Lamp', 'forge.patchset.versions.linked']);
		await connection.reviews.unlinkVersions({ list: devel, id: 2 }, { list: devel, id: 3 });
		assert.deepEqual((await contexts()).slice(1, 3), [
			['Lamp', 'forge.patchset.versions'],
			['Lamp', 'forge.patchset'],
		]);
	});

	test('counts the draft comments on a patchset, and redraws it when the count changes', async () => {
		const connection = listConnection(world().api);
		const connections = fakeConnections(connection);
		const parts = listsParts(connections);
		await connection.listChoices.choose(devel, { filter: '', patchsets: 'newest' });
		const tree = listTree(parts);
		const place = { kind: 'mail', messageId: '<m2@forge.test>' } as const;
		const write = (id: string, text: string): Promise<void> => {
			const part = { kind: 'comment', id, place } as const;
			const about = { kind: 'review', connectionKey: connection.key, ref: { list: devel, id: 2 }, part } as const;
			return parts.drafts.keep(about, { text, atMs: 1 });
		};
		await write('a', 'One.');
		const two = async () => (await inGroup(tree, 'Patchsets')).find(({ item }) => titleIn(item.label) === 'Two')?.item;
		assert.match(String((await two())?.description), / · 1 draft comment$/);
		const told: unknown[] = [];
		tree.onDidChange((node) => told.push(node?.item.description));
		await write('b', 'Two.');
		await write('b', 'Two, and more.');
		await write('typed-c', 'Half a sen');
		assert.match((await two())?.accessibilityInformation?.label ?? '', /, 2 draft comments$/);
		assert.equal(told.filter((description) => String(description).endsWith('2 draft comments')).length, 1);
		await write('a', '');
		await write('b', '');
		assert.doesNotMatch(String((await two())?.description), /draft/);
	});

	test('shows a draft trailer or status of a patchset, and redraws it for each', async () => {
		const connection = listConnection(world().api);
		const parts = listsParts(fakeConnections(connection));
		await connection.listChoices.choose(devel, { filter: '', patchsets: 'newest' });
		const tree = listTree(parts);
		const keep = (part: ReviewPart, text: string): Promise<void> => {
			const about = { kind: 'review', connectionKey: connection.key, ref: { list: devel, id: 2 }, part } as const;
			return parts.drafts.keep(about, { text, atMs: 1 });
		};
		const two = async (): Promise<string> =>
			String((await inGroup(tree, 'Patchsets')).find(({ item }) => titleIn(item.label) === 'Two')?.item.description);
		await two();
		let drawn = 0;
		tree.onDidChange((node) => (drawn += titleIn(node?.item.label) === 'Two' ? 1 : 0));
		await keep({ kind: 'trailer', messageId: '<m2@forge.test>' }, 'Reviewed-by');
		assert.match(await two(), / · 1 draft trailer$/);
		await keep({ kind: 'status' }, 'approved');
		assert.match(await two(), / · 1 draft trailer · draft status: Approved$/);
		await keep({ kind: 'status' }, 'other:parked');
		assert.match(await two(), / · draft status: parked$/);
		assert.equal(drawn, 3);
		await keep({ kind: 'trailer', messageId: '<m2@forge.test>' }, '');
		await keep({ kind: 'status' }, '');
		assert.doesNotMatch(await two(), /draft/);
	});

	test('counts a comment with only a suggested change like others', async () => {
		const connection = listConnection(world().api);
		const parts = listsParts(fakeConnections(connection));
		const of = { kind: 'review', connectionKey: connection.key, ref: { list: devel, id: 2 } } as const;
		const place = { kind: 'lines', messageId: '<m2@forge.test>', file: 0, side: 'new', firstLine: 1, line: 1 } as const;
		await parts.drafts.keep({ ...of, part: { kind: 'suggestion', id: 'a', place } }, { text: '{}', atMs: 1 });
		await parts.drafts.keep({ ...of, part: { kind: 'comment', id: 'b', place } }, { text: 'Why?', atMs: 1 });
		assert.equal(parts.draftCounts.of(of).comments, 2);
	});

	test('shows the other lists and the reason when subscriptions fail to load', async () => {
		const { world: fake, api } = world();
		fake.before = (call) => {
			if (call.startsWith('subscriptions')) {
				throw new ForgeError({ kind: 'missingScope', scope: 'subs:read', asWritten: 'subs:read' });
			}
		};
		const rows = await treeOf(fakeConnections(listConnection(api))).roots(never);
		assert.deepEqual(
			rows.map(({ item }) => titleIn(item.label)),
			['All Lists', 'devel', 'users', 'The forge said: missingScope.'],
		);
		assert.equal(rows[3]?.item.command?.command, 'forge.view.tryAgain');
	});

	test('has a level for each of several accounts', async () => {
		const tree = treeOf(fakeConnections(listConnection(world().api), listConnection(fakeLists('~bob').api, '~bob')));
		assert.deepEqual(
			(await tree.roots(never)).map(({ item }) => titleIn(item.label)),
			['~alice', '~bob'],
		);
	});

	test('shows version, sender and age of a patchset, and the number of patches after loading', async () => {
		const { world: fake, api } = world();
		fake.series.set(2, [
			makeMail({ id: 21, subject: '[PATCH v2 1/2] a' }),
			makeMail({ id: 22, subject: '[PATCH v2 2/2] b' }),
		]);
		const tree = treeOf(fakeConnections(listConnection(api)));
		const [patchset] = await inGroup(tree, 'Patchsets');
		assert.match(labelText(patchset?.item.label), /^v2 \d+\w Bob · Two$/);
		assert.equal(patchset?.item.description, 'your turn · new version');
		const redrawn: (TreeNode | undefined)[] = [];
		tree.onDidChange((node) => redrawn.push(node));
		await below(patchset);
		assert.equal(redrawn[0]?.item.description, 'your turn · new version · 2 patches');
		assert.equal(redrawn[0]?.id, patchset?.id);
	});

	test('shows the most urgent tool state of a patchset, also for screen readers', async () => {
		const { world: fake, api } = world();
		const tools = (['success', 'failed'] as const).map((state, id) => ({ id, updatedMs: 0, state, details: '' }));
		fake.patchsets.set('~alice/devel', [makePatchset({ id: 1, tools, supersedesId: 9 })]);
		const [patchset] = await inGroup(treeOf(fakeConnections(listConnection(api))), 'Patchsets');
		assert.match(labelText(patchset?.item.label), /^\d+\w Bob ✗ · /);
		assert.equal(patchset?.item.description, 'your turn · CI failed');
		assert.match(patchset?.item.accessibilityInformation?.label ?? '', /, CI failed$/);
		const tooltip = await patchset?.tooltip?.(never);
		assert.match(typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? ''), /Supersedes patchset 9\n\nCI failed/);
	});

	test('updates the age of patchsets, threads and messages, also for screen readers', async () => {
		const { world: fake, api } = world();
		const clock = fakeClock();
		const createdMs = clock.nowMs() - 60_000;
		fake.patchsets.set('~alice/devel', [makePatchset({ id: 1, createdMs })]);
		fake.posts.set('~alice/devel', [makeMail({ id: 5, createdMs })]);
		fake.mails.push(makeMail({ id: 5, createdMs }));
		const tree = treeOf(fakeConnections(listConnection(api)), clock);
		const [patchset] = await inGroup(tree, 'Patchsets');
		const [thread] = await inGroup(tree, 'Threads');
		const [mail] = await below(thread);
		const rows = [patchset, thread, mail];
		const told = (text: RegExp, spoken: RegExp): readonly boolean[] =>
			rows.map(
				(row) =>
					text.test(`${labelText(row?.item.label)} ${String(row?.item.description)}`) &&
					spoken.test(row?.item.accessibilityInformation?.label ?? ''),
			);
		assert.deepEqual(told(/\b1m\b/, /1 minute ago/), [true, true, true]);
		clock.advance(16 * 60_000);
		assert.deepEqual(told(/\b17m\b/, /17 minutes ago/), [true, true, true]);
		assert.deepEqual(
			rows.map((row) => row?.agedMs),
			[createdMs, createdMs, createdMs],
		);
	});

	const looks: readonly (readonly [status: PatchsetStatus, icon: string, word: string])[] = [
		['proposed', 'git-pull-request', 'Proposed'],
		['needs_revision', 'request-changes', 'Needs revision'],
		['approved', 'check-all', 'Approved'],
		['applied', 'git-merge', 'Applied'],
		['rejected', 'circle-slash', 'Rejected'],
		['superseded', 'history', 'Superseded'],
		['unknown', 'question', 'Unknown status'],
		['other:on hold', 'question', 'on hold'],
	];
	for (const [status, icon, word] of looks) {
		test(`shows the status ${status} as an icon, and reads it as "${word}"`, async () => {
			const { world: fake, api } = world();
			fake.patchsets.set('~alice/devel', [makePatchset({ status })]);
			const [patchset] = await inGroup(treeOf(fakeConnections(listConnection(api))), 'Patchsets');
			const picture: unknown = patchset?.item.iconPath;
			assert.ok(isRecord(picture));
			assert.equal(picture['id'], icon);
			assert.ok(patchset?.item.accessibilityInformation?.label.includes(word));
			const tooltip = await patchset?.tooltip?.(never);
			assert.ok(typeof tooltip === 'object' && tooltip.value.includes(word));
		});
	}

	test('lists the cover letter of a patchset, and then its patches with statistics', async () => {
		const { world: fake, api } = world();
		const text = '---\r\n 3 files changed, 12 insertions(+), 4 deletions(-)\r\n\r\ndiff --git a/a b/a';
		fake.mails.push(makeMail({ id: 20, subject: '[PATCH v2 0/1] Two' }));
		fake.series.set(2, [
			makeMail({ id: 21, subject: '[PATCH v2 1/1] Part', parentId: 20, threadId: 20, isPatch: true, text }),
		]);
		const [patchset] = await inGroup(treeOf(fakeConnections(listConnection(api))), 'Patchsets');
		assert.deepEqual((await below(patchset)).map(shown), [
			['0/1 Two', 'cover letter', 'forge.mail.cover'],
			['1/1 Part', '+12 −4 · 3 files', 'forge.mail.patch'],
		]);
	});

	test('redraws a patchset after its status changed elsewhere', async () => {
		const { api } = world();
		const connection = listConnection(api);
		const tree = treeOf(fakeConnections(connection));
		const [, one] = await inGroup(tree, 'Patchsets');
		const redrawn: (TreeNode | undefined)[] = [];
		tree.onDidChange((node) => redrawn.push(node));
		await connection.lists.setStatus({ list: devel, id: 1 }, 'applied', never);
		assert.deepEqual(
			redrawn.map((node) => node?.id),
			[one?.id],
		);
		assert.ok(redrawn[0]?.item.accessibilityInformation?.label.includes('Applied'));
	});

	test('redraws no row for responses and events without a change', async () => {
		const { world: fake, api } = world();
		const first = makeMail({ id: 5, subject: 'A question' });
		fake.mails.push(first);
		fake.posts.set('~alice/devel', [first]);
		const connection = listConnection(api);
		const tree = treeOf(fakeConnections(connection));
		const [patchset] = await inGroup(tree, 'Patchsets');
		const [thread] = await inGroup(tree, 'Threads');
		await Promise.all([below(patchset), below(thread)]);
		const { lists } = connection;
		const patchsets = lists.patchsets(devel).known()?.items ?? [];
		await Promise.all(patchsets.map(({ id }) => connection.reviews.read({ list: devel, id }, never)));
		let redrawn = 0;
		tree.onDidChange(() => (redrawn += 1));
		await lists.subscriptions.renewAll(() => undefined, never);
		await lists.collection.read(devel, never);
		await Promise.all([lists.patchsets(devel).more(never), lists.posts(devel).more(never)]);
		const [known] = patchsets;
		assert.ok(known);
		await lists.renewPatchset({ list: devel, id: known.id }, never);
		lists.apply({ kind: 'patchsetChanged', list: devel, patchset: { ...known } });
		lists.apply({ kind: 'mailArrived', list: devel, mail: first });
		lists.apply({ kind: 'listChanged', list: { ...(lists.collection.known(devel) ?? makeList()) } });
		assert.equal(redrawn, 0);
	});

	test('shows the number of patchsets in their parent row after loading', async () => {
		const connections = fakeConnections(listConnection(world().api));
		const tree = treeOf(connections);
		const redrawn: (TreeNode | undefined)[] = [];
		tree.onDidChange((node) => redrawn.push(node));
		const list = (await tree.roots(never)).find(({ item }) => titleIn(item.label) === 'devel');
		const group = (await below(list)).find(({ item }) => titleIn(item.label) === 'Patchsets');
		assert.equal(group?.item.description, undefined);
		await below(group);
		assert.equal(redrawn.find((node) => node?.id === group?.id)?.item.description, '2');
		redrawn.splice(0);
		await below(group);
		assert.deepEqual(redrawn, []);
	});

	test('shows how many patchsets have loaded, and "Show More" loads the rest', async () => {
		const { world: fake, api } = world();
		fake.pageSize = 2;
		fake.patchsets.set(
			'~alice/devel',
			[3, 2, 1].map((id) => makePatchset({ id })),
		);
		const tree = treeOf(fakeConnections(listConnection(api)));
		const before = await inGroup(tree, 'Patchsets');
		assert.deepEqual(before.map(({ item }) => titleIn(item.label)).slice(2), ['Show More']);
		assert.equal(before[2]?.item.description, 'Showing 2 of 3');
		const redrawn: (TreeNode | undefined)[] = [];
		tree.onDidChange((node) => redrawn.push(node));
		await standFor<ShowMoreSubject>(before[2]?.subject).run(never);
		assert.equal((await below(redrawn[0])).length, 3);
	});

	test('shows a row for an empty list', async () => {
		const { world: fake, api } = world();
		fake.patchsets.clear();
		const tree = treeOf(fakeConnections(listConnection(api)));
		assert.deepEqual(
			(await inGroup(tree, 'Patchsets')).map(({ item }) => titleIn(item.label)),
			['No patchsets yet'],
		);
		assert.deepEqual(
			(await inGroup(tree, 'Threads')).map(({ item }) => titleIn(item.label)),
			['No messages yet'],
		);
	});

	test('shows sender, age and replies of a thread, and labels replies by their first line', async () => {
		const { world: fake, api } = world();
		const first = makeMail({ id: 5, subject: 'A question' });
		const answers = [
			makeMail({
				id: 6,
				subject: 'Re: A question',
				parentId: 5,
				threadId: 5,
				text: 'Bob wrote:\r\n> Hello\r\n\r\nYes, of course.',
			}),
			makeMail({ id: 7, subject: 'Re: A question (was: none)', parentId: 5, threadId: 5, sender: undefined }),
		];
		fake.mails.push(first, ...answers);
		fake.posts.set('~alice/devel', [first]);
		const tree = treeOf(fakeConnections(listConnection(api)));
		const redrawn: (TreeNode | undefined)[] = [];
		tree.onDidChange((node) => redrawn.push(node));
		const [thread] = await inGroup(tree, 'Threads');
		const mails = await below(thread);
		assert.deepEqual(
			mails.map(({ item }) => titleIn(item.label)),
			['A question', 'Yes, of course.', 'Re: A question (was: none)'],
		);
		assert.match(String(redrawn[0]?.item.description), /^~bob · \d+\w+ · 2 replies$/);
		assert.deepEqual(
			[mails[1]?.item.command?.command, thread?.item.contextValue],
			['forge.lists.openThread', 'forge.mail.thread'],
		);
	});

	test('shows a stored thread with its age while the forge is unreachable', async () => {
		const { world: fake, api } = world();
		const mails = [makeMail({ id: 1 }), makeMail({ id: 2, parentId: 1, threadId: 1 })];
		fake.mails.push(...mails);
		fake.posts.set('~alice/devel', mails.slice(0, 1));
		const disk = keptMails(textsInMemory(), fakeClock(fakeClock().nowMs() - 4 * 86_400_000));
		const openWindow = (): Connection => listConnection(api, undefined, undefined, undefined, disk);
		await openWindow().lists.thread(devel, 1, never);
		const tree = treeOf(fakeConnections(openWindow()));
		const [thread] = await inGroup(tree, 'Threads');
		fake.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' });
		};
		const rows = await below(thread);
		assert.deepEqual(
			rows.map(({ item }) => item.contextValue),
			['notice', 'forge.mail.single', 'forge.mail.single'],
		);
		assert.equal(rows[0]?.item.label, 'Offline – showing data from 4 days ago');
		fake.before = () => undefined;
		assert.equal((await below(thread)).length, 2);
	});

	test('shows stored rows with their age after a reload while the forge is unreachable', async () => {
		const { world: fake, api } = world();
		fake.posts.set('~alice/devel', [makeMail({ id: 1 })]);
		const disk = keptMails(textsInMemory(), fakeClock(fakeClock().nowMs() - 4 * 86_400_000));
		const openTree = (): ListTree =>
			treeOf(fakeConnections(listConnection(api, undefined, undefined, undefined, disk)));
		const online = openTree();
		await inGroup(online, 'Patchsets');
		await inGroup(online, 'Threads');
		fake.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' });
		};
		const away = openTree();
		const said = 'Offline – showing data from 4 days ago';
		const labels = (rows: readonly TreeNode[]): readonly unknown[] => rows.map(({ item }) => titleIn(item.label));
		// The first draw shows them before a request fails.
		const looks = [() => away.roots(never), () => inGroup(away, 'Patchsets'), () => inGroup(away, 'Threads')];
		await Promise.all(looks.map((look) => look()));
		await new Promise((resolve) => void setImmediate(resolve));
		const roots = await away.roots(never);
		assert.deepEqual(labels(roots), [said, 'All Lists', 'devel', 'users', 'bobs']);
		assert.deepEqual(labels(await inGroup(away, 'Patchsets')), [said, 'Two', 'One']);
		assert.deepEqual(labels(await inGroup(away, 'Threads')), [said, 'Welcome']);
		const [notice] = await inGroup(away, 'Patchsets');
		assert.equal(notice?.item.command?.command, 'forge.view.tryAgain');
		fake.before = () => undefined;
		away.forget(undefined);
		away.forget(roots.find(({ item }) => titleIn(item.label) === 'devel'));
		assert.deepEqual(labels(await away.roots(never)), ['All Lists', 'devel', 'users', 'bobs']);
		assert.deepEqual(labels(await inGroup(away, 'Patchsets')), ['Two', 'One']);
	});

	for (const [patchsets, filter] of [
		['board', ''],
		['newest', ''],
		['newest', 'body:welcome'],
		['newest', 'is:unread'],
	] as const) {
		test(`requests only rows in a new window before the forge responds: ${patchsets} ${filter}`, async () => {
			const { world: fake, api } = world();
			fake.posts.set('~alice/devel', [makeMail({ id: 1 })]);
			const disk = keptMails(textsInMemory(), fakeClock());
			let profiles = 0;
			const alice: User = {
				...makeUser('alice'),
				get email() {
					profiles += 1;
					return 'alice@forge.test';
				},
				url: undefined,
				location: undefined,
				bio: undefined,
			};
			const openTree = (): ListTree => {
				const connection = listConnection(api, undefined, undefined, [alice], disk);
				const tree = treeOf(fakeConnections(connection));
				void connection.listChoices.choose(devel, { filter, patchsets });
				return tree;
			};
			const earlier = openTree();
			await inGroup(earlier, 'Patchsets');
			await inGroup(earlier, 'Threads');
			assert.ok(profiles > 0);
			[fake.calls.length, profiles] = [0, 0];
			fake.before = () => new Promise(() => undefined);
			const tree = openTree();
			await inGroup(tree, 'Patchsets');
			await inGroup(tree, 'Threads');
			assert.equal(profiles, 0);
			assert.deepEqual(fake.calls.map((call) => call.replace(/ .*/, '')).toSorted(), [
				'lists',
				'patchsets',
				'posts',
				'subscriptions',
			]);
		});
	}

	test('removes stored subscriptions after the forge rejects them, and keeps the others', async () => {
		const { world: fake, api } = world();
		const disk = keptMails(textsInMemory(), fakeClock(fakeClock().nowMs() - 4 * 86_400_000));
		const openTree = (): ListTree =>
			treeOf(fakeConnections(listConnection(api, undefined, undefined, undefined, disk)));
		await openTree().roots(never);
		const lists = Promise.withResolvers<void>();
		fake.before = (call) => {
			if (call.startsWith('subscriptions')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
			return lists.promise;
		};
		const tree = openTree();
		const labels = async (): Promise<readonly unknown[]> =>
			(await tree.roots(never)).map(({ item }) => titleIn(item.label));
		assert.deepEqual(await labels(), ['All Lists', 'devel', 'users', 'bobs']);
		await new Promise((resolve) => void setImmediate(resolve));
		assert.deepEqual((await labels()).slice(0, 3), ['All Lists', 'devel', 'users']);
		assert.ok(!(await labels()).includes('bobs'));
		lists.resolve();
	});

	test('shows why one request failed while others are pending', async () => {
		const { world: fake, api } = world();
		const disk = keptMails(textsInMemory(), fakeClock(fakeClock().nowMs() - 4 * 86_400_000));
		const openTree = (): ListTree =>
			treeOf(fakeConnections(listConnection(api, undefined, undefined, undefined, disk)));
		await openTree().roots(never);
		fake.before = (call) => {
			if (call.startsWith('subscriptions')) {
				throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' });
			}
			return new Promise(() => undefined);
		};
		const tree = openTree();
		await tree.roots(never);
		await new Promise((resolve) => void setImmediate(resolve));
		const [notice] = await tree.roots(never);
		assert.equal(titleIn(notice?.item.label), 'Offline – showing data from 4 days ago');
	});

	test('shows stored rows with their age in a new window until the forge responds', async () => {
		const { world: fake, api } = world();
		fake.posts.set('~alice/devel', [makeMail({ id: 1 })]);
		const disk = keptMails(textsInMemory(), fakeClock(fakeClock().nowMs() - 4 * 86_400_000));
		const openTree = (): ListTree =>
			treeOf(fakeConnections(listConnection(api, undefined, undefined, undefined, disk)));
		const yesterday = openTree();
		await inGroup(yesterday, 'Patchsets');
		await inGroup(yesterday, 'Threads');
		const answer = Promise.withResolvers<void>();
		fake.before = () => answer.promise;
		const made = makePatchset({ id: 3, subject: 'Three' });
		fake.patchsets.set('~alice/devel', [made, ...(fake.patchsets.get('~alice/devel') ?? [])]);
		const tree = openTree();
		const notes: string[] = [];
		tree.note?.onDidChange(() => notes.push(tree.note?.text() ?? ''));
		const labels = (rows: readonly TreeNode[]): readonly unknown[] => rows.map(({ item }) => titleIn(item.label));
		assert.deepEqual(labels(await tree.roots(never)), ['All Lists', 'devel', 'users', 'bobs']);
		assert.deepEqual(labels(await inGroup(tree, 'Patchsets')), ['Two', 'One']);
		assert.deepEqual(labels(await inGroup(tree, 'Threads')), ['Welcome']);
		assert.deepEqual([notes, tree.note?.text()], [[], 'from 4 days ago']);
		const changed: unknown[] = [];
		tree.onDidChange((row) => changed.push(row && titleIn(row.item.label)));
		answer.resolve();
		await eventually(async () => tree.note?.text(), '');
		assert.equal(notes.at(-1), '');
		assert.ok(changed.includes('Patchsets') && changed.includes('Threads') && changed.includes(undefined));
		assert.deepEqual(labels(await inGroup(tree, 'Patchsets')), ['Three', 'Two', 'One']);
	});

	test('shows the patchset of a thread from the cache, or else from its first message', async () => {
		const { world: fake, api } = world();
		const patchset = { version: 2, status: 'needs_revision' } as const;
		fake.posts.set('~alice/devel', [
			makeMail({ id: 5, subject: '[PATCH v2] Turn', patchsetId: 7, patchset }),
			makeMail({ id: 4, subject: '[PATCH v2] Drill', patchsetId: 1, patchset }),
		]);
		fake.patchsets.set('~alice/devel', [makePatchset({ id: 1, version: 2, status: 'applied' })]);
		const connection = listConnection(api);
		const tree = treeOf(fakeConnections(connection));
		await connection.lists.patchsets({ owner: '~alice', name: 'devel' }).first(never);
		const threads = await inGroup(tree, 'Threads');
		assert.deepEqual(
			threads.map(({ item }) => String(item.description).split(' · ').slice(0, 2)),
			[
				['Patchset v2: Needs revision', '~bob'],
				['Patchset v2: Applied', '~bob'],
			],
		);
		assert.match(String(threads[0]?.item.accessibilityInformation?.label), /Patchset v2: Needs revision/);
	});

	test('marks a pull request thread by its subject, or by its text after loading', async () => {
		const { world: fake, api } = world();
		const text = `The following changes since commit ${'1'.repeat(40)}:\n\n  x\n\nare available in the Git repository at:\n\n  https://git.forge.test/~bob/x main\n`;
		const posts = [
			makeMail({ id: 5, subject: '[GIT PULL] Chapters' }),
			makeMail({ id: 4, subject: 'Chapters, too', text }),
			makeMail({ id: 3, subject: 'Pull the plug' }),
		];
		fake.posts.set('~alice/devel', posts);
		fake.mails.push(...posts);
		const connection = listConnection(api);
		await connection.texts.read(4, never);
		const tree = treeOf(fakeConnections(connection));
		const threads = await inGroup(tree, 'Threads');
		assert.deepEqual(
			threads.map(({ item }) => String(item.description).split(' · ')[0]),
			['pull request', 'pull request', '~bob'],
		);
		await connection.listChoices.choose(devel, { filter: 'is:request-pull', patchsets: 'board' });
		const left = await inGroup(tree, 'Threads');
		assert.deepEqual(
			left.map(({ item }) => titleIn(item.label)),
			threads.slice(0, 2).map(({ item }) => titleIn(item.label)),
			'the filter leaves the rows that say so',
		);
	});

	test('searches the text of a thread for a pull request only once', async () => {
		const { world: fake, api } = world();
		fake.posts.set('~alice/devel', [makeMail({ id: 5, subject: 'Chapters' })]);
		const connection = listConnection(api);
		const reading = makeReading();
		assert.ok(reading.kind === 'read');
		let looks = 0;
		Object.defineProperty(reading.mail, 'text', {
			get() {
				looks += 1;
				return 'Hello';
			},
		});
		const known = { mail: makeMail({ id: 5 }), reading };
		Object.defineProperty(connection, 'texts', { value: { ...connection.texts, known: () => known } });
		const [thread] = await inGroup(treeOf(fakeConnections(connection)), 'Threads');
		assert.deepEqual([titleIn(thread?.item.label), titleIn(thread?.item.label), looks], ['Chapters', 'Chapters', 1]);
	});

	test('groups messages into threads if the server lists them all, and counts in messages', async () => {
		const { world: fake, api } = world();
		fake.pageSize = 2;
		fake.posts.set('~alice/devel', [
			makeMail({ id: 6, threadId: 5, subject: 'Re: five' }),
			makeMail({ id: 5, subject: 'five' }),
			makeMail({ id: 4 }),
		]);
		const rows = await inGroup(treeOf(fakeConnections(listConnection(api))), 'Threads');
		assert.deepEqual(
			rows.map(({ item }) => titleIn(item.label)),
			['five', 'Show More'],
		);
		assert.equal(rows[1]?.item.description, 'Showing 2 of 3 (in messages)');
	});

	test('escapes hidden characters in subjects and names', async () => {
		const { world: fake, api } = world();
		fake.patchsets.set('~alice/devel', [makePatchset({ subject: 'a\u202Eb', submitter: '"B\u200Bob" <b@x.test>' })]);
		const [patchset] = await inGroup(treeOf(fakeConnections(listConnection(api))), 'Patchsets');
		assert.equal(titleIn(patchset?.item.label), 'a⟨U+202E⟩b');
		assert.match(labelText(patchset?.item.label), /^\w+ B · /);
		assert.match(patchset?.item.accessibilityInformation?.label ?? '', /by B⟨U\+200B⟩ob/);
	});

	test('reloads a list or everything on Try Again', async () => {
		const { world: fake, api } = world();
		const tree = treeOf(fakeConnections(listConnection(api)));
		const [patchset] = await inGroup(tree, 'Patchsets');
		const [, list] = await tree.roots(never);
		fake.calls.length = 0;
		tree.forget(patchset);
		await inGroup(tree, 'Patchsets');
		assert.deepEqual(fake.calls, []);
		tree.forget(list);
		await inGroup(tree, 'Patchsets');
		assert.deepEqual(fake.calls, ['patchsets ~alice/devel 0']);
		tree.forget(undefined);
		await tree.roots(never);
		assert.deepEqual(fake.calls.slice(1), ['lists 0', 'subscriptions 0']);
	});

	test('redraws when an account signs in or out', () => {
		const connections = fakeConnections();
		const tree = treeOf(connections);
		const redrawn: (TreeNode | undefined)[] = [];
		tree.onDidChange((node) => redrawn.push(node));
		connections.replace(listConnection(world().api));
		assert.deepEqual(redrawn, [undefined]);
		tree.dispose();
		connections.replace();
		assert.equal(redrawn.length, 1);
	});
});
