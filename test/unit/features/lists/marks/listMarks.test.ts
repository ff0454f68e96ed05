import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { titleIn } from '../../../../support/labelInName.ts';
import { fake } from '../../../../support/fake.ts';
import type * as vscode from 'vscode';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Email, Patchset, SettablePatchsetStatus } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections, keptNames } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeList, makeMail, makePatchset } from '../../../../support/makeMail.ts';
import { makeUser } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { listTree } = await import('../../../../../src/features/lists/tree/listTree.ts');
const { markCommands } = await import('../../../../../src/features/lists/listCommands.ts');
const { patchsetSteps } = await import('../../../../../src/features/lists/tree/patchsetSteps.ts');
const { setStatus } = await import('../../../../../src/features/lists/status/setStatus.ts');

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const startMs = Date.UTC(2026, 10, 20, 12);
const laterMs = startMs + 60_000;

const oldMails = [makeMail({ id: 10, subject: 'Old talk' }), makeMail({ id: 9, subject: 'Quiet talk' })] as const;
const oldSets = [makePatchset({ id: 2, subject: 'Two' }), makePatchset({ id: 1, subject: 'One' })] as const;

/** A message from after the first look. */
function lateMail(change: Partial<Email>): Email {
	return makeMail({ createdMs: laterMs, ...change });
}

interface Situation {
	readonly connection: Connection;
	readonly view: object;
	readonly calls: readonly string[];
	readonly redrawn: readonly (TreeNode | undefined)[];
	/** Adds things that the next load returns. */
	readonly arrive: (news: { readonly mails?: readonly Email[]; readonly patchsets?: readonly Patchset[] }) => void;
	readonly roots: () => Promise<readonly TreeNode[]>;
	readonly list: () => Promise<TreeNode>;
	readonly rows: (group: 'Patchsets' | 'Threads') => Promise<readonly TreeNode[]>;
	/** Ends the debounce. */
	readonly settle: () => void;
	readonly run: (
		command: 'markRead' | 'markUnread' | 'markAllRead' | 'nextUnread',
		rows: readonly unknown[],
	) => Promise<void>;
	/** Adds a second list. */
	readonly addList: () => void;
	/** Rejects calls with this prefix. */
	readonly fail: (calls: string) => void;
	readonly revealed: readonly unknown[];
	readonly setFront: (subject: unknown) => void;
	readonly setStatus: (id: number, status?: SettablePatchsetStatus) => Promise<void>;
}

/** The user has looked at the list once, so everything in it is seen. */
async function situation({ isFollowed = false } = {}): Promise<Situation> {
	const { world, api } = fakeLists();
	world.lists.push(...(isFollowed ? [] : [makeList()]));
	world.posts.set('~alice/devel', [...oldMails]);
	world.mails.push(...oldMails);
	world.patchsets.set('~alice/devel', [...oldSets]);
	const clock = fakeClock(startMs);
	const connection = listConnection(api, '~alice', keptNames(...(isFollowed ? ['~alice/devel'] : [])));
	await connection.listChoices.choose(devel, { filter: '', patchsets: 'newest' });
	let front: unknown;
	const parts = listsParts(fakeConnections(connection), clock);
	const withPages = { ...parts, pages: { ...parts.pages, inFront: () => front, dispose: () => undefined } };
	const revealed: unknown[] = [];
	const view = {
		visible: true,
		selection: [],
		reveal: async (row: TreeNode): Promise<void> => void revealed.push(titleIn(row.item.label)),
	};
	const tree = listTree(parts);
	const redrawn: (TreeNode | undefined)[] = [];
	tree.onDidChange((node) => redrawn.push(node));
	const roots = (): Promise<readonly TreeNode[]> => tree.roots(never);
	const list = async (): Promise<TreeNode> => standFor<TreeNode>((await roots())[0]);
	const rows = async (group: string): Promise<readonly TreeNode[]> => {
		const groups = (await (await list()).children?.(never)) ?? [];
		return (await groups.find(({ item }) => titleIn(item.label) === group)?.children?.(never)) ?? [];
	};
	const commands = {
		...markCommands(withPages),
		...patchsetSteps({ ...withPages, view: fake(view) }, tree),
	};
	const settle = (): void => clock.advance(150);
	await rows('Patchsets');
	await rows('Threads');
	settle();
	redrawn.length = 0;
	return {
		connection,
		view,
		calls: world.calls,
		redrawn,
		arrive({ mails = [], patchsets = [] }) {
			world.mails.push(...mails);
			const firsts = mails.filter(({ threadId }) => threadId === undefined);
			world.posts.set('~alice/devel', [...firsts, ...(world.posts.get('~alice/devel') ?? [])]);
			const others = (world.patchsets.get('~alice/devel') ?? []).filter(({ id }) =>
				patchsets.every((each) => each.id !== id),
			);
			world.patchsets.set('~alice/devel', [...patchsets, ...others]);
			tree.forget(undefined);
		},
		roots,
		list,
		rows,
		settle,
		run: async (command, of) => commands[`forge.lists.${command}`]?.(of[0], never, of),
		addList: () => {
			world.lists.push(makeList({ name: 'users' }));
			tree.forget(undefined);
		},
		fail: (calls) => {
			world.before = (call) => {
				if (call.startsWith(calls)) {
					throw new ForgeError({ kind: 'notAllowed' });
				}
			};
		},
		revealed,
		setFront: (subject) => (front = subject),
		setStatus: (id, status = 'applied') =>
			setStatus(
				parts.statuses,
				[{ kind: 'patchset', connectionKey: connection.key, ref: { list: devel, id } }],
				status,
				never,
			),
	};
}

function contexts(rows: readonly TreeNode[]): readonly unknown[] {
	return rows.map(({ item }) => [titleIn(item.label), item.contextValue]);
}

function dotOf({ item }: TreeNode): readonly unknown[] {
	const provider = standFor<vscode.FileDecorationProvider>(stubbed.decorations[0]);
	assert.ok(item.resourceUri, 'the row has an address');
	const dot = standFor<vscode.FileDecoration | null>(
		provider.provideFileDecoration(item.resourceUri, standFor<vscode.CancellationToken>({})) ?? null,
	);
	return [dot?.badge, dot?.tooltip];
}

const newSeries = {
	mails: [lateMail({ id: 20, subject: '[PATCH] Three', patchsetId: 3 })],
	patchsets: [makePatchset({ id: 3, subject: 'Three', createdMs: laterMs, updatedMs: laterMs })],
};

suite('unread marks in the Lists view', () => {
	setup(resetStub);

	test('are absent at first', async () => {
		const { rows, list } = await situation();
		assert.deepEqual(contexts(await rows('Threads')), [
			['Old talk', 'forge.mail.thread'],
			['Quiet talk', 'forge.mail.thread'],
		]);
		assert.deepEqual(contexts(await rows('Patchsets')), [
			['Two', 'forge.patchset'],
			['One', 'forge.patchset'],
		]);
		assert.equal((await list()).item.description, '~alice');
	});

	test('show a dot on new and changed rows, also for screen readers', async () => {
		const { rows, arrive, settle, connection } = await situation();
		arrive({ ...newSeries, mails: [...newSeries.mails, lateMail({ id: 21, threadId: 9, parentId: 9 })] });
		await connection.lists.thread(devel, 9, never);
		await rows('Patchsets');
		const threads = await rows('Threads');
		settle();
		const patchsets = await rows('Patchsets');
		assert.deepEqual(contexts(threads), [
			['[PATCH] Three', 'forge.mail.thread.unread'],
			['Quiet talk', 'forge.mail.thread.unread'],
			['Old talk', 'forge.mail.thread'],
		]);
		assert.deepEqual([...threads, ...patchsets].map(dotOf), [
			['●', 'New: you have not opened it yet.'],
			['●', 'Changed since you last looked.'],
			[undefined, undefined],
			['●', 'New: you have not opened it yet.'],
			[undefined, undefined],
			[undefined, undefined],
		]);
		assert.match(threads[1]?.item.accessibilityInformation?.label ?? '', /^Thread Quiet talk, changed,/);
		assert.match(patchsets[0]?.item.accessibilityInformation?.label ?? '', /^Three, new,/);
	});

	test('add up on lists and groups but not on the icon, with a patchset and its thread as one', async () => {
		const { rows, arrive, settle, list, view, redrawn, calls } = await situation();
		arrive(newSeries);
		await rows('Patchsets');
		await rows('Threads');
		const before = calls.length;
		settle();
		const row = await list();
		assert.equal(calls.length, before, 'nothing is asked only to be counted');
		assert.equal(row.item.description, '~alice · 1 new');
		assert.deepEqual(
			(await row.children?.(never))?.map(({ item }) => item.description),
			['3 · 1 new', '1 new'],
		);
		assert.ok(!('badge' in view));
		assert.ok(redrawn.some((node) => node?.id === row.id));
	});

	test('survive a refresh, and disappear from rows marked in between', async () => {
		const { rows, arrive, settle, list, run } = await situation();
		arrive({ ...newSeries, mails: [...newSeries.mails, lateMail({ id: 30, subject: 'New talk' })] });
		const threads = await rows('Threads');
		const [series] = await rows('Patchsets');
		settle();
		const told = async (): Promise<unknown> => [
			(await list()).item.description,
			...[...threads, series].map((row) => row && dotOf(row)[0]),
		];
		const before = await told();
		assert.deepEqual(before, ['~alice · 2 new', '●', '●', undefined, undefined, '●']);
		arrive({});
		settle();
		assert.deepEqual(await told(), before);
		await run('markRead', [threads.find(({ item }) => titleIn(item.label) === 'New talk')]);
		settle();
		assert.deepEqual(await told(), ['~alice · 1 new', undefined, '●', undefined, undefined, '●']);
	});

	test('disappear with a list that leaves the view', async () => {
		const { rows, arrive, settle, roots, connection } = await situation({ isFollowed: true });
		arrive(newSeries);
		const [thread] = await rows('Threads');
		settle();
		assert.equal(thread && dotOf(thread)[0], '●');
		await connection.lists.unfollow(devel);
		assert.deepEqual(await roots(), []);
		settle();
		assert.deepEqual(thread && dotOf(thread), [undefined, undefined]);
	});

	test('are counted once until the list changes, per group', async () => {
		const { rows, arrive, list, connection, settle } = await situation();
		arrive(newSeries);
		await rows('Threads');
		await rows('Patchsets');
		settle();
		const looks = { threads: 0, patchsets: 0 };
		const counting =
			<T, A extends readonly unknown[]>(kind: keyof typeof looks, mark: (...of: A) => T) =>
			(...of: A): T => {
				looks[kind] += 1;
				return mark(...of);
			};
		Object.assign(connection.threadReadMarks, {
			mark: counting('threads', connection.threadReadMarks.mark.bind(connection.threadReadMarks)),
		});
		Object.assign(connection.patchsetReadMarks, {
			mark: counting('patchsets', connection.patchsetReadMarks.mark.bind(connection.patchsetReadMarks)),
		});
		const described = async (): Promise<unknown> => {
			const row = await list();
			const groups = (await row.children?.(never)) ?? [];
			return [row, ...groups].map(({ item }) => item.description);
		};
		const before = await described();
		assert.deepEqual([before, looks], [['~alice · 1 new', '3 · 1 new', '1 new'], { threads: 0, patchsets: 0 }]);
		connection.threadReadMarks.markUnread({ list: devel, id: 9, isOwn: false, updatedMs: 0 });
		Object.assign(looks, { threads: 0, patchsets: 0 });
		const [, threads] = (await (await list()).children?.(never)) ?? [];
		assert.deepEqual([threads?.item.description, looks], ['1 new, 1 changed', { threads: 3, patchsets: 0 }]);
		assert.deepEqual(await described(), ['~alice · 1 new, 1 changed', '3 · 1 new', '1 new, 1 changed']);
		assert.deepEqual(looks, { threads: 3, patchsets: 3 });
	});

	test('add up on the groups of a board', async () => {
		const { rows, arrive, connection } = await situation();
		await connection.listChoices.choose(devel, { filter: '', patchsets: 'board' });
		arrive(newSeries);
		assert.deepEqual(
			(await rows('Patchsets')).map(({ item }) => [titleIn(item.label), item.description]),
			[['Needs my review', '3 · 1 new']],
		);
	});

	test('ignore own messages of an archive, which has no accounts', async () => {
		const { connection, arrive, rows } = await situation();
		Object.assign(connection.people, { ownAddress: () => 'alice@forge.test' });
		const late = (id: number, threadId: number, from: string): Email =>
			lateMail({ id, threadId, parentId: threadId, subject: 'Re: Talk', sender: undefined, from });
		arrive({ mails: [late(21, 9, 'Alice <Alice@forge.test>'), late(22, 10, 'alice@forge.test <bob@forge.test>')] });
		await connection.lists.thread(devel, 9, never);
		await connection.lists.thread(devel, 10, never);
		assert.deepEqual(contexts(await rows('Threads')), [
			['Old talk', 'forge.mail.thread.unread'],
			['Quiet talk', 'forge.mail.thread'],
		]);
	});

	test('ignore own messages, patchsets and statuses', async () => {
		const { rows, arrive, connection, setStatus: set } = await situation();
		const sender = makeUser('alice');
		const mine = 'Alice <alice@forge.test>';
		arrive({
			mails: [
				lateMail({ id: 20, subject: 'My talk', sender }),
				lateMail({ id: 21, threadId: 9, parentId: 9, sender }),
				lateMail({ id: 22, subject: '[PATCH] Mine', sender, messageId: '<mine@forge.test>' }),
			],
			patchsets: [
				makePatchset({ id: 3, subject: 'Mine', submitter: mine, messageId: '<mine@forge.test>', updatedMs: laterMs }),
			],
		});
		await connection.lists.thread(devel, 9, never);
		await rows('Threads');
		await rows('Patchsets');
		await set(1);
		const all = [...(await rows('Threads')), ...(await rows('Patchsets'))];
		assert.deepEqual(
			all.filter(({ item }) => item.contextValue?.endsWith('.unread')),
			[],
		);
	});

	/** An own patchset that arrived after the first look. */
	const ownSeries = {
		mails: [lateMail({ id: 22, subject: '[PATCH] Mine', sender: makeUser('alice'), messageId: '<mine@forge.test>' })],
		patchsets: [makePatchset({ id: 3, subject: 'Mine', messageId: '<mine@forge.test>', updatedMs: laterMs })],
	};

	test('can be set on an own patchset', async () => {
		const { rows, arrive, run } = await situation();
		arrive(ownSeries);
		await rows('Threads');
		const [mine] = await rows('Patchsets');
		assert.equal(mine?.item.contextValue, 'forge.patchset');
		await run('markUnread', [mine]);
		assert.equal((await rows('Patchsets'))[0]?.item.contextValue, 'forge.patchset.unread');
	});

	test('ignore a status that the user sets on an own patchset', async () => {
		const { rows, arrive, setStatus: set } = await situation();
		arrive(ownSeries);
		await rows('Threads');
		await rows('Patchsets');
		await set(3, 'superseded');
		assert.equal((await rows('Patchsets'))[0]?.item.contextValue, 'forge.patchset');
	});

	test('change for all selected rows together, and for the thread of a patchset', async () => {
		const { rows, arrive, run } = await situation();
		arrive({ ...newSeries, mails: [...newSeries.mails, lateMail({ id: 30, subject: 'New talk' })] });
		await rows('Threads');
		const [series] = await rows('Patchsets');
		const threads = await rows('Threads');
		await run('markRead', [series, threads.find(({ item }) => titleIn(item.label) === 'New talk')]);
		assert.ok(
			[...(await rows('Threads')), ...(await rows('Patchsets'))].every(
				({ item }) => !item.contextValue?.endsWith('unread'),
			),
		);
		await run('markUnread', [series, threads[2]]);
		const marked = [...(await rows('Threads')), ...(await rows('Patchsets'))].filter(({ item }) =>
			item.contextValue?.endsWith('unread'),
		);
		assert.deepEqual(
			marked.map(({ item }) => titleIn(item.label)),
			['Old talk', 'Three'],
		);
	});

	test('clear for a whole list without a request', async () => {
		const { rows, arrive, run, list, calls } = await situation();
		arrive(newSeries);
		await rows('Threads');
		await rows('Patchsets');
		const row = await list();
		const before = calls.length;
		await run('markAllRead', [row]);
		assert.equal(calls.length, before);
		assert.equal((await list()).item.description, '~alice');
		assert.deepEqual(stubbed.shown, ['Marked all patchsets and threads of ~alice/devel as read']);
	});

	for (const read of ['Threads', 'Patchsets'] as const) {
		test(`clear for a whole list if only ${read.toLowerCase()} have loaded`, async () => {
			const { rows, arrive, run, list, settle } = await situation();
			arrive({ ...newSeries, mails: [...newSeries.mails, lateMail({ id: 30, subject: 'New talk' })] });
			await rows(read);
			await run('markAllRead', [await list()]);
			settle();
			const all = [...(await rows('Threads')), ...(await rows('Patchsets'))];
			assert.deepEqual(
				all.filter(({ item }) => item.contextValue?.endsWith('.unread')).map(({ item }) => titleIn(item.label)),
				[],
			);
		});
	}

	test('stay for a list that fails to load, without a message of success', async () => {
		const { rows, arrive, run, list, fail } = await situation();
		arrive(newSeries);
		await rows('Threads');
		fail('patchsets ');
		await assert.rejects(run('markAllRead', [await list()]), isForgeError);
		assert.deepEqual(stubbed.shown, []);
		assert.equal((await rows('Threads'))[0]?.item.contextValue, 'forge.mail.thread.unread');
	});

	test('are reachable by key from a row or page, from the last one to the first', async () => {
		const { rows, arrive, run, revealed, setFront } = await situation();
		arrive({ ...newSeries, mails: [...newSeries.mails, lateMail({ id: 30, subject: 'New talk' })] });
		const threads = await rows('Threads');
		const patchsets = await rows('Patchsets');
		const news = threads.find(({ item }) => titleIn(item.label) === 'New talk');
		await run('nextUnread', [patchsets[1]]);
		await run('nextUnread', [news]);
		setFront(patchsets[2]?.subject);
		await run('nextUnread', []);
		assert.deepEqual(revealed, ['New talk', '[PATCH] Three', 'New talk']);
		assert.deepEqual(stubbed.executed, ['forge.lists.openThread']);
		await run('markRead', [news]);
		await run('markRead', [patchsets[0]]);
		await run('nextUnread', [news]);
		assert.deepEqual(stubbed.shown, ['No other unread patchsets or threads in this list.']);
	});

	test('are reachable across lists on the board of all lists, whose end has a message', async () => {
		const { roots, arrive, settle, run, revealed, addList } = await situation();
		addList();
		const below = async (row: TreeNode | undefined): Promise<readonly TreeNode[]> =>
			(await row?.children?.(never)) ?? [];
		const [all] = await roots();
		await below(all);
		settle();
		arrive(newSeries);
		await run('nextUnread', [(await roots())[0]]);
		const [section] = await below((await roots())[0]);
		await run('nextUnread', [section]);
		const [patchset] = await below(section);
		await run('nextUnread', [patchset]);
		assert.deepEqual(revealed, ['Three', 'Three']);
		assert.deepEqual(stubbed.shown, ['No other unread patchsets on the board of all lists.']);
	});

	test('keep a row in a list filtered by unread until the next load', async () => {
		const { rows, arrive, run, connection } = await situation();
		arrive({ ...newSeries, mails: [...newSeries.mails, lateMail({ id: 30, subject: 'New talk' })] });
		await connection.listChoices.choose(devel, { filter: 'is:unread', patchsets: 'newest' });
		const before = await rows('Patchsets');
		assert.deepEqual(contexts(before), [['Three', 'forge.patchset.unread']]);
		await run('markRead', [before[0]]);
		assert.deepEqual(contexts(await rows('Patchsets')), [['Three', 'forge.patchset']]);
		arrive({});
		assert.deepEqual(contexts(await rows('Patchsets')), [['No patchset matches the filter', 'empty']]);
	});
});
