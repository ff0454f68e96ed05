import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { ListTree } from '../../../../../src/features/lists/tree/listTree.ts';
import type { Patchset, PatchsetRef, PatchsetStatus } from 'sourcehut/port/list.ts';
import { counts } from '../../../../support/counts.ts';
import { fakeConnections, type FakeConnections, type ForgeConnection } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../../support/makeMail.ts';
import { makeUser, someTimeMs } from '../../../../support/makeTicket.ts';
import { testInBoth } from '../../../../support/parts.ts';
import { linesOf, slowEditor, type SlowEditor } from '../../../../support/slowEditor.ts';
import { steppingClock, type SteppingClock } from '../../../../support/steppingClock.ts';
import { never } from '../../../../support/ticketTreeWorld.ts';

const { TreeItemCollapsibleState } = await import('vscode');
const { listTree } = await import('../../../../../src/features/lists/tree/listTree.ts');

const devel = { owner: '~alice', name: 'devel' };
const listId = 'sample-alice/~alice/devel';
const statuses: readonly PatchsetStatus[] = ['proposed', 'needs_revision', 'approved', 'applied'];

/** The view of an account with two lists, drawn by a slow editor. */
interface SlowLists extends SlowEditor {
	readonly clock: SteppingClock;
	readonly world: FakeListWorld;
	readonly connection: ForgeConnection;
	readonly connections: FakeConnections;
	readonly tree: ListTree;
	readonly truth: () => Promise<readonly string[]>;
	busyMs: () => number;
}

/** Adds a patchset of two patches, with a reply to the first one. */
function addPatchset({ patchsets, series, mails, posts }: FakeListWorld, id: number): Patchset {
	const list = makeList();
	const made = makePatchset({
		id,
		subject: `Part ${id}`,
		list,
		createdMs: someTimeMs + id,
		updatedMs: someTimeMs + id,
	});
	const first = id * 10;
	const patches = [1, 2].map((part) =>
		makeMail({
			id: first + part,
			subject: `[PATCH proj ${part}/2] Part ${id}`,
			list,
			patchsetId: id,
			isPatch: true,
			...(part === 1 ? {} : { threadId: first + 1, parentId: first + 1 }),
		}),
	);
	const answer = makeMail({
		id: first + 3,
		subject: `Re: [PATCH proj 1/2] Part ${id}`,
		list,
		threadId: first + 1,
		parentId: first + 1,
		sender: makeUser(id % 2 === 0 ? 'alice' : 'carol'),
	});
	patchsets.set('~alice/devel', [made, ...(patchsets.get('~alice/devel') ?? [])]);
	series.set(id, patches);
	mails.push(...patches, answer);
	posts.set('~alice/devel', [...patches.slice(0, 1), ...(posts.get('~alice/devel') ?? [])]);
	return made;
}

/** Rows that the editor expands at first, and the list as if the user had expanded it. */
function isUnfoldedFirst({ id, item }: TreeNode): boolean {
	return id === listId || item.collapsibleState === TreeItemCollapsibleState.Expanded;
}

async function slowLists(work: () => number): Promise<SlowLists> {
	const { world, api } = fakeLists();
	world.lists.push(makeList(), makeList({ id: 2, name: 'users' }));
	world.subscriptions.push(makeSubscription(makeList(), 1));
	for (let id = 1; id <= 4; id += 1) {
		addPatchset(world, id);
	}
	const clock = steppingClock(work);
	const connection = listConnection(api);
	const connections = fakeConnections(connection);
	const parts = listsParts(connections, clock);
	const tree = listTree(parts);
	const made = { busyMs: () => 0 };
	const editor = await slowEditor({
		source: tree,
		clock,
		busy: () => clock.wait(made.busyMs()),
		tellFolded: () => undefined,
		isUnfoldedFirst,
	});
	return Object.assign(made, {
		clock,
		world,
		connection,
		connections,
		tree,
		...editor,
		async truth() {
			const fresh = listTree(parts);
			const rows = await linesOf(await fresh.roots(never), editor.isUnfolded);
			fresh.dispose();
			return rows;
		},
	});
}

type Step = (view: SlowLists, random: () => number) => unknown;

function somePatchset({ world }: SlowLists, random: () => number): PatchsetRef {
	const all = world.patchsets.get('~alice/devel') ?? [];
	return { list: devel, id: all[Math.floor(random() * all.length)]?.id ?? 1 };
}

function someStatus(random: () => number): PatchsetStatus {
	return statuses[Math.floor(random() * statuses.length)] ?? 'proposed';
}

/** Changes a patchset on the forge without an event. */
function change({ world }: SlowLists, { id }: PatchsetRef, status: PatchsetStatus): void {
	const all = world.patchsets.get('~alice/devel') ?? [];
	world.patchsets.set(
		'~alice/devel',
		all.map((each) => (each.id === id ? { ...each, status } : each)),
	);
}

/** Events for a view, one in each way that the product has. */
const steps: readonly Step[] = [
	(view, random) => {
		const ref = somePatchset(view, random);
		change(view, ref, someStatus(random));
		return view.connection.lists.renewPatchset(ref, never);
	},
	(view, random) => {
		change(view, somePatchset(view, random), someStatus(random));
		view.tree.forget(undefined);
		view.redraw();
	},
	(view) => {
		addPatchset(view.world, (view.world.patchsets.get('~alice/devel')?.length ?? 0) + 1);
		view.connection.lists.forget(devel);
	},
	(view, random) => view.connection.reviews.read(somePatchset(view, random), never),
	(view, random) => view.connection.lists.thread(devel, somePatchset(view, random).id * 10 + 1, never),
	({ connection }) => connection.lists.posts(devel).first(never),
	({ connection }) => connection.lists.newest.reread(devel, 'patchsets', () => undefined, never),
	({ connection }) => connection.lists.own.renewAll(() => undefined, never),
	({ connection }) => connection.lists.subscriptions.renewAll(() => undefined, never),
	({ connection }, random) =>
		connection.listChoices.choose(devel, { filter: '', patchsets: random() < 0.7 ? 'board' : 'newest' }),
	({ connections, connection }) => connections.replace(connection),
	({ redraw }) => redraw(),
	({ turn }) => turn(listId),
	({ turn }) => turn(listId),
	({ turn }, random) => turn(`${listId}/patchsets/board/${random() < 0.5 ? 'done' : 'needsMyReview'}`),
	(view, random) => view.turn(`${listId}/patchsets/${somePatchset(view, random).id}`),
];

/** Ignores aborted reads: a forgotten cache entry aborts its readers. */
function unlessAborted(error: unknown): void {
	assert.ok(isAbort(error), String(error));
}

/** Random numbers from 0 to 1, reproducible by seed. */
function numbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

async function comesToRest(seed: number): Promise<void> {
	const random = numbers(seed);
	const view = await slowLists(() => (random() < 0.2 ? 5 : 0));
	view.busyMs = () => (random() < 0.5 ? 0 : Math.floor(random() * 300));
	view.world.before = () => view.clock.wait(Math.floor(random() * 200));
	// The first rows are still loading when the first events happen.
	await view.clock.pass(Math.floor(random() * 1000));
	const doing: Promise<unknown>[] = [];
	for (let count = 0; count < 10; count += 1) {
		const step = steps[Math.floor(random() * steps.length)];
		doing.push(Promise.resolve(step?.(view, random)).catch(unlessAborted));
		await view.clock.pass(Math.floor(random() * 250));
	}
	await view.clock.pass(30_000);
	await Promise.all(doing);
	view.world.before = () => undefined;
	view.busyMs = () => 0;
	const [truth] = await Promise.all([view.truth(), view.clock.pass(500)]);
	assert.deepEqual(view.seen(), truth, `seed ${seed}`);
}

const seeds = counts({ first: 13, small: 40, full: 400 });

suite('lists view at rest', function () {
	this.timeout(600_000);
	testInBoth('shows the current state after random events in random order', async () => {
		for (let seed = 1; seed <= seeds; seed += 1) {
			await comesToRest(seed);
		}
	});
});
