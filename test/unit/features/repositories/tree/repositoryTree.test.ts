import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { keptRepositories } from '../../../../../src/store/repositories/keptRepositories.ts';
import { isRecord, type ShowMoreSubject } from '../../../../../src/editor/commands/subjects.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { TreeSource } from '../../../../../src/editor/trees/treeSource.ts';
import { keptNames } from '../../../../support/fakeConnection.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import {
	fakeRepositories,
	fakeStore,
	idOf,
	makeCommit,
	makeRepository,
	objectsInMemory,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import { standFor } from '../../../../support/standFor.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { fake as partial } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { repositoryTree } = await import('../../../../../src/features/repositories/tree/repositoryTree.ts');

const never = new AbortController().signal;

interface Watched {
	readonly tree: TreeSource;
	/** Ids of changed rows; empty for the top. */
	readonly changes: readonly string[];
}

function treeOver(...fakes: readonly FakeRepositories[]): Watched {
	const people = ['~alice', '~bob'];
	const connections = repositoryConnections(
		...fakes.map((fake, at) => {
			const me = people[at] ?? '';
			return repositoryConnection(fakeStore(fake, { me, followed: keptNames(...followed(fake)) }), me);
		}),
	);
	const tree = repositoryTree(
		partial<RepositoriesContext>({
			connections,
			ready: () => Promise.resolve(),
			problems: quietProblems,
			clock: fakeClock(Date.UTC(2026, 10, 20)),
		}),
	);
	const changes: string[] = [];
	tree.onDidChange((node) => changes.push(node?.id ?? ''));
	return { tree, changes };
}

function followed({ world }: FakeRepositories): readonly string[] {
	return world.repositories.flatMap(({ owner, name }) => (owner?.name === 'bob' ? [`~bob/${name}`] : []));
}

function shown({ item }: TreeNode): readonly unknown[] {
	return [item.label, item.description];
}

async function below(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
	return (await node?.children?.(never)) ?? [];
}

/** Follows labels down from the top. */
async function rowsAt(tree: TreeSource, ...labels: readonly string[]): Promise<readonly TreeNode[]> {
	let rows = await tree.roots(never);
	for (const label of labels) {
		const row = rows.find(({ item }) => item.label === label);
		assert.ok(row, `no row ${label} among ${JSON.stringify(rows.map(({ item }) => item.label))}`);
		rows = await below(row);
	}
	return rows;
}

async function more(row: TreeNode | undefined): Promise<void> {
	assert.ok(isRecord(row?.subject) && row.subject['kind'] === 'showMore');
	await standFor<ShowMoreSubject>(row.subject).run(never);
}

suite('repositories view', () => {
	test('a change redraws its row, and an unchanged read redraws none', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		const connection = repositoryConnection(store);
		const tree = repositoryTree(
			partial<RepositoriesContext>({
				connections: repositoryConnections(connection),
				ready: () => Promise.resolve(),
				problems: quietProblems,
				clock: fakeClock(),
			}),
		);
		await rowsAt(tree, 'quill', 'Branches');
		const row = (await tree.roots(never)).find(({ item }) => item.label === 'quill');
		const drawn: (string | undefined)[] = [];
		tree.onDidChange((node) => drawn.push(node?.id));
		await store.metadata.read(quill, never);
		await store.own.more(never);
		await store.references(quill).more(never);
		store.apply({ kind: 'repositoryDeleted', ref: { owner: '~bob', name: 'gone' } });
		assert.deepEqual(drawn, []);
		fake.world.repositories[0] = makeRepository('quill', { visibility: 'public' });
		await Promise.all([store.metadata.read(quill, never), store.metadata.read(quill, never)]);
		assert.deepEqual(drawn, [row?.id]);
	});

	test('a row shows the inbox setting of its repository', async () => {
		const connection = repositoryConnection(fakeStore(quillWorld()));
		const tree = repositoryTree(
			partial<RepositoriesContext>({
				connections: repositoryConnections(connection),
				ready: () => Promise.resolve(),
				problems: quietProblems,
				clock: fakeClock(),
			}),
		);
		const described = async (): Promise<unknown> =>
			(await tree.roots(never)).find(({ item }) => item.label === 'quill')?.item.description;
		assert.equal(await described(), '~alice · private');
		let drawn = 0;
		tree.onDidChange(() => (drawn += 1));
		connection.inbox.choose('repository ~alice/quill', 'nothing');
		assert.deepEqual([await described(), drawn], ['~alice · private · muted', 1]);
		connection.inbox.choose('repository ~alice/quill', 'everything');
		assert.deepEqual([await described(), drawn], ['~alice · private · everything in inbox', 2]);
		connection.inbox.setState([], 'read');
		assert.equal(drawn, 2);
	});

	test('rows show the current age of their commit, also to screen readers', async () => {
		const clock = fakeClock(Date.UTC(2026, 10, 20));
		const fake = quillWorld();
		const connection = repositoryConnection(fakeStore(fake, { me: '~alice', followed: keptNames() }), '~alice');
		const tree = repositoryTree(
			partial<RepositoriesContext>({
				connections: repositoryConnections(connection),
				ready: () => Promise.resolve(),
				problems: quietProblems,
				clock,
			}),
		);
		const [commit] = await rowsAt(tree, 'quill', 'Branches', 'main', 'Commits');
		assert.ok(commit?.agedMs);
		const [reference] = await rowsAt(tree, 'quill', 'Branches');
		const before = commit.item.accessibilityInformation?.label;
		clock.advance(400 * 24 * 3_600_000);
		for (const row of [commit, reference]) {
			assert.match(String(row?.item.description), /\b1y\b/);
			assert.equal(row?.agedMs, commit.agedMs);
		}
		assert.match(commit.item.accessibilityInformation?.label ?? '', /last year/);
		assert.notEqual(commit.item.accessibilityInformation?.label, before);
	});

	test('lists own repositories first, then followed ones, and marks those with restricted visibility', async () => {
		const fake = quillWorld();
		fake.world.repositories.push(
			makeRepository('ink', { visibility: 'other:hidden' }),
			makeRepository('pen', { owner: { canonicalName: '~bob', name: 'bob' } }),
		);
		const rows = await treeOver(fake).tree.roots(never);
		assert.deepEqual(
			rows.map((row) => [...shown(row), row.item.contextValue]),
			[
				['ink', '~alice · hidden', 'forge.repository.own'],
				['quill', '~alice · private', 'forge.repository.own'],
				['pen', '~bob', 'forge.repository.followed'],
			],
		);
	});

	test('groups references of several kinds, the default branch first', async () => {
		const { tree } = treeOver(quillWorld());
		assert.deepEqual(
			(await rowsAt(tree, 'quill')).map(({ item }) => item.label),
			['Branches', 'Tags'],
		);
		assert.deepEqual((await rowsAt(tree, 'quill', 'Branches')).map(shown), [
			['main', '0000000 · default'],
			['feature/x', '0000000'],
		]);
	});

	test('a tag says when its release files are unreadable', async () => {
		const fake = quillWorld();
		const references = fake.world.references.get('~alice/quill') ?? [];
		const unread = references.map((each) => ({ ...each, areArtifactsUnread: true as const }));
		fake.world.references.set('~alice/quill', unread);
		const [tag] = (await rowsAt(treeOver(fake).tree, 'quill', 'Tags')).map(shown);
		assert.match(String(tag?.[1]), /release files not loaded$/);
	});

	test('lists branches directly under their repository, and claims no unknown default', async () => {
		const fake = quillWorld();
		fake.world.references.get('~alice/quill')?.pop();
		fake.world.heads.clear();
		assert.deepEqual((await rowsAt(treeOver(fake).tree, 'quill')).map(shown), [
			['main', '0000000'],
			['feature/x', '0000000'],
		]);
	});

	test('lists the default branch first in a paged list, and reads tags when their group opens', async () => {
		const fake = quillWorld();
		const { world } = fake;
		const branches = Array.from({ length: 7 }, (_, at) => ({ name: `refs/heads/b${at}`, target: idOf(2) }));
		const [, ...others] = world.references.get('~alice/quill') ?? [];
		world.references.set('~alice/quill', [...branches, ...others]);
		world.pageSize = 3;
		const { tree } = treeOver(fake);
		assert.deepEqual(
			(await rowsAt(tree, 'quill')).map(({ item }) => item.label),
			['Branches', 'Tags', 'Show More'],
		);
		const [first, ...rest] = await rowsAt(tree, 'quill', 'Branches');
		assert.match(first ? shown(first).join(' ') : '', /^main [0-9a-f]{7} · .*default$/);
		assert.deepEqual(
			rest.map(({ item }) => item.label),
			['b0', 'b1', 'b2'],
		);
		assert.deepEqual(
			(await rowsAt(tree, 'quill', 'Tags')).map(({ item, parent }) => [item.label, parent?.item.label]),
			[['v1.0', 'Tags']],
		);
		const labels = (await rowsAt(tree, 'quill', 'Branches')).map(({ item }) => item.label);
		assert.deepEqual(labels, ['main', ...branches.map(({ name }) => name.slice(-2))]);
	});

	test('an empty group of tags says so, and long lists continue on request', async () => {
		const fake = quillWorld();
		const { world } = fake;
		const branches = Array.from({ length: 10 }, (_, at) => ({ name: `refs/heads/b${100 + at}`, target: idOf(2) }));
		world.references.set('~alice/quill', branches.slice(0, 2));
		world.pageSize = 1;
		assert.deepEqual(
			(await rowsAt(treeOver(fake).tree, 'quill', 'Tags')).map(({ item }) => item.label),
			['This repository has no tags.'],
		);
		world.references.set('~alice/quill', branches);
		const { tree } = treeOver(fake);
		assert.deepEqual(
			(await rowsAt(tree, 'quill', 'Tags')).map(({ item }) => item.label),
			['Show More'],
		);
	});

	test('an empty repository says that it is empty', async () => {
		const fake = fakeRepositories();
		fake.world.repositories.push(makeRepository('blank'));
		assert.deepEqual(
			(await rowsAt(treeOver(fake).tree, 'blank')).map(({ item }) => item.label),
			['This repository is empty.'],
		);
	});

	test('a reference has commits, folders and then files; links and submodules lead nowhere', async () => {
		const rows = await rowsAt(treeOver(quillWorld()).tree, 'quill', 'Branches', 'main');
		assert.deepEqual(
			rows.map(({ item, children }) => [item.label, item.contextValue, children !== undefined]),
			[
				['Commits', 'forge.commits', true],
				['src', 'forge.folder', true],
				['link', 'forge.file.symlink', false],
				['logo.bin', 'forge.file', false],
				['README.md', 'forge.file', false],
				['vendored', 'forge.submodule', false],
			],
		);
		const submodule = rows.at(-1);
		assert.deepEqual([submodule?.item.description, submodule?.item.command], ['0000004', undefined]);
		assert.match(submodule?.item.accessibilityInformation?.label ?? '', /submodule/);
	});

	test('every row has an id of its own and its parent', async () => {
		const fake = quillWorld();
		for (const revision of ['feature/x', 'v1.0']) {
			fake.world.roots.set(`~alice/quill ${revision}`, fake.world.roots.get('~alice/quill main') ?? '');
		}
		for (const [revision, commits] of Array.from(fake.world.logs)) {
			const root = fake.world.roots.get('~alice/quill main') ?? '';
			fake.world.logs.set(
				revision,
				commits.map((commit) => ({ ...commit, tree: root })),
			);
		}
		const { tree } = treeOver(fake);
		const ids = new Set<string>();
		const visit = async (row: TreeNode, parent: TreeNode | undefined): Promise<void> => {
			assert.ok(!ids.has(row.id), row.id);
			ids.add(row.id);
			assert.equal(row.parent?.id, parent?.id, row.id);
			for (const child of await below(row)) {
				await visit(child, row);
			}
		};
		for (const row of await tree.roots(never)) {
			await visit(row, undefined);
		}
		assert.ok(ids.size > 60);
	});

	test('pages of commits show the known count, and a new page redraws only the commits', async () => {
		const { tree, changes } = treeOver(quillWorld());
		const first = await rowsAt(tree, 'quill', 'Branches', 'main', 'Commits');
		assert.equal(first.length, 51);
		assert.deepEqual(shown(first[0]!), ['Change 120', 'Alice · 18d · 0000007']);
		assert.deepEqual(shown(first.at(-1)!), ['Show More', 'Showing 50, and there are more']);
		const before = (await rowsAt(tree, 'quill', 'Branches', 'main'))[0];
		assert.equal(before?.item.description, '50+');
		await more(first.at(-1));
		assert.deepEqual(changes, [before?.id]);
		await more((await rowsAt(tree, 'quill', 'Branches', 'main', 'Commits')).at(-1));
		assert.equal((await rowsAt(tree, 'quill', 'Branches', 'main', 'Commits')).length, 120);
		assert.equal((await rowsAt(tree, 'quill', 'Branches', 'main'))[0]?.item.description, '120');
	});

	test('a row mentions a signature, but not as verified', async () => {
		const fake = quillWorld();
		fake.world.logs.set('~alice/quill main', [
			makeCommit(1, { signature: { signature: 'c2ln', data: 'ZGF0YQ==' }, message: '\n' }),
		]);
		const [row] = await rowsAt(treeOver(fake).tree, 'quill', 'Branches', 'main', 'Commits');
		assert.equal(row?.item.label, '(no message)');
		assert.match(row?.item.accessibilityInformation?.label ?? '', /signed, not verified$/);
	});

	test('escapes hidden characters in names', async () => {
		const fake = quillWorld();
		fake.world.references.set('~alice/quill', [{ name: 'refs/heads/main\uFEFF', target: idOf(1) }]);
		fake.world.commit(quill, 'main\uFEFF', fake.world.grow({ 'a\u202Egnp.exe': '', 'b\nc': '' }));
		const { tree } = treeOver(fake);
		const [branch] = await rowsAt(tree, 'quill');
		assert.equal(branch?.item.label, 'main⟨U+FEFF⟩');
		assert.deepEqual(
			(await below(branch)).slice(1).map(({ item }) => item.label),
			['a⟨U+202E⟩gnp.exe', 'b⟨U+000A⟩c'],
		);
	});

	test('shows invalid and duplicate names, but does not open them', async () => {
		const fake = quillWorld();
		const root = fake.world.trees.get(fake.world.roots.get('~alice/quill main') ?? '')!;
		const file = root.entries[0]!;
		fake.world.trees.set(root.id, {
			...root,
			entries: ['ok', '..', '.git', 'a/b', '', 'ok'].map((name) => ({ ...file, name })),
		});
		const rows = await rowsAt(treeOver(fake).tree, 'quill', 'Branches', 'main');
		assert.deepEqual(
			rows
				.slice(1)
				.map(({ item, subject }) => [item.label, item.description, item.command?.command, subject === undefined]),
			[
				['ok', undefined, 'forge.repositories.openFile', false],
				['..', 'cannot be opened', undefined, true],
				['.git', 'cannot be opened', undefined, true],
				['a/b', 'cannot be opened', undefined, true],
				['', 'cannot be opened', undefined, true],
				['ok', 'cannot be opened', undefined, true],
			],
		);
	});

	test('a very large folder shows a part of its files and says so', async () => {
		const fake = quillWorld();
		const names = Array.from({ length: 2500 }, (_, at) => `f${String(at).padStart(4, '0')}`);
		fake.world.roots.set('~alice/quill main', fake.world.grow(Object.fromEntries(names.map((name) => [name, '']))));
		const { tree, changes } = treeOver(fake);
		const first = await rowsAt(tree, 'quill', 'Branches', 'main');
		assert.equal(first.length, 1 + 1000 + 1);
		assert.deepEqual(shown(first.at(-1)!), ['Show More', 'Showing 1000 of 2500']);
		await more(first.at(-1));
		assert.equal(changes.length, 1);
		assert.equal((await rowsAt(tree, 'quill', 'Branches', 'main')).length, 1 + 2000 + 1);
	});

	test('an incomplete folder shows the known entries and says so', async () => {
		const fake = quillWorld();
		fake.world.before = (call) => {
			if (call.startsWith('treeById')) {
				const known = [...fake.world.trees.values()].find(({ id }) => call.endsWith(id));
				throw new ForgeError({ kind: 'incomplete', ...(known ? { known } : {}) });
			}
		};
		const { tree } = treeOver(fake);
		const rows = await rowsAt(tree, 'quill', 'Branches', 'main');
		const labels = rows.map(({ item }) => item.label);
		assert.equal(
			labels[1],
			'Some entries are missing here. Clone the repository, or open the folder on the web to see them.',
		);
		assert.ok(labels.includes('README.md'));
	});

	test('a refresh redraws the repository and requests its references', async () => {
		const fake = quillWorld();
		const { tree, changes } = treeOver(fake);
		const [row] = await tree.roots(never);
		await below(row);
		fake.world.calls.length = 0;
		await below(row);
		assert.equal(fake.world.calls.length, 0);
		tree.forget(row);
		assert.deepEqual(changes, [row?.id]);
		await below(row);
		assert.ok(fake.world.calls.includes(`references ~alice/${quill.name} 0`));
	});

	/** Opens one window after another, over the same storage. */
	function windows(): (nowMs: number) => {
		readonly tree: TreeSource;
		readonly world: FakeRepositories['world'];
		readonly store: ReturnType<typeof fakeStore>;
	} {
		const [texts, objects] = [textsInMemory(), objectsInMemory()];
		return (nowMs) => {
			const fake = quillWorld();
			const clock = fakeClock(nowMs);
			const store = fakeStore(fake, { objects, disk: keptRepositories(texts, clock) });
			const connections = repositoryConnections(repositoryConnection(store));
			const tree = repositoryTree(
				partial<RepositoriesContext>({ connections, ready: () => Promise.resolve(), problems: quietProblems, clock }),
			);
			return { tree, world: fake.world, store };
		};
	}

	const toBranches = [[], ['quill'], ['quill', 'Branches']];
	const toCommits = [...toBranches, ['quill', 'Branches', 'main'], ['quill', 'Branches', 'main', 'Commits']];
	const rowsOf = async (tree: TreeSource, ways = toCommits): Promise<readonly (readonly TreeNode[])[]> =>
		Promise.all(ways.map((labels) => rowsAt(tree, ...labels)));

	test('shows an earlier window’s data with its age before the forge responds', async () => {
		const openWindow = windows();
		const ways = [...toCommits, ['quill', 'Branches', 'main', 'src'], ['quill', 'Branches', 'main', 'src', 'deep']];
		const readMs = Date.UTC(2026, 10, 20, 1);
		const texts = (all: readonly (readonly TreeNode[])[]): unknown =>
			all.map((rows) => rows.map(({ item }) => [item.label, item.description]));
		const first = openWindow(readMs);
		const before = await rowsOf(first.tree, ways);
		// A branch shows the age of its newest commit after the first read of that commit.
		const again = await rowsOf(first.tree, ways);
		const { tree, world } = openWindow(readMs + 59_000);
		const answer = Promise.withResolvers<void>();
		world.before = () => answer.promise;
		const notes: string[] = [];
		tree.note?.onDidChange(() => notes.push(tree.note?.text() ?? ''));
		assert.deepEqual(texts(await rowsOf(tree, ways)), texts(before));
		assert.deepEqual([notes, tree.note?.text()], [[], 'from less than a minute ago']);
		answer.resolve();
		await eventually(async () => tree.note?.text(), '');
		assert.equal(notes.at(-1), '');
		assert.deepEqual(texts(await rowsOf(tree, ways)), texts(again));
	});

	for (const what of ['stay', 'lead elsewhere', 'are fewer'] as const) {
		test(`requests names from an earlier window once, and reports only real moves: names that ${what}`, async () => {
			const openWindow = windows();
			const nowMs = Date.UTC(2026, 10, 20);
			await rowsOf(openWindow(nowMs).tree, toBranches);
			const { tree, world, store } = openWindow(nowMs);
			const [first, ...others] = world.references.get('~alice/quill') ?? [];
			assert.ok(first);
			const now = {
				stay: [first, ...others],
				'lead elsewhere': [{ ...first, target: 'f'.repeat(40) }, ...others],
				'are fewer': others,
			};
			world.references.set('~alice/quill', now[what]);
			const changes: string[] = [];
			store.onDidChange(({ kind }) => changes.push(kind));
			const answer = Promise.withResolvers<void>();
			world.before = () => answer.promise;
			await rowsOf(tree, toBranches);
			// A page that opens now waits for the same response.
			store.forgetBefore();
			assert.ok(store.own.known());
			answer.resolve();
			await eventually(async () => tree.note?.text(), '');
			assert.equal(changes.includes('moved'), what !== 'stay');
			assert.equal(world.calls.filter((call) => call.startsWith('references')).length, 1);
			assert.equal(world.calls.filter((call) => call.startsWith('repositories')).length, 1);
		});
	}

	test('shows another window’s data offline, below notices with its age', async () => {
		const openWindow = windows();
		const readMs = Date.UTC(2026, 10, 20);
		const before = await rowsOf(openWindow(readMs).tree);
		const { tree, world } = openWindow(readMs + 2 * 3_600_000);
		world.before = () =>
			Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' }));
		// The first pass shows the data before the forge fails, with the branches from the same read.
		await rowsOf(tree);
		await new Promise((resolve) => void setImmediate(resolve));
		const away = await rowsOf(tree);
		const isNotice = ({ item }: TreeNode): boolean => item.contextValue === 'notice';
		const labels = (rows: readonly TreeNode[]): readonly unknown[] => rows.map(({ item }) => item.label);
		assert.deepEqual(
			away.map((rows) => labels(rows.filter((row) => !isNotice(row)))),
			before.map(labels),
		);
		const notice = 'Offline – showing data from 2 hours ago';
		assert.deepEqual(
			away.map((rows) => labels(rows.filter(isNotice))),
			[[notice], [notice], [], [notice], [notice]],
		);
		assert.deepEqual(
			away.flatMap((rows) => rows.filter(isNotice)).map(({ item }) => [item.description, item.command?.command]),
			Array.from({ length: 4 }, () => ['Try Again', 'forge.view.tryAgain']),
		);
		assert.match(String(away[2]?.[0]?.item.description), /default/);
		world.before = () => undefined;
		const [again] = standFor<readonly TreeNode[]>(away[1]?.[0]?.item.command?.arguments);
		tree.forget(again);
		tree.forget(undefined);
		assert.deepEqual((await rowsOf(tree)).flat().filter(isNotice), []);
	});

	test('shows a row for each of several accounts', async () => {
		const bobs = fakeRepositories('~bob');
		bobs.world.repositories.push(makeRepository('dots', { owner: undefined }));
		const { tree } = treeOver(quillWorld(), bobs);
		assert.deepEqual((await tree.roots(never)).map(shown), [
			['~alice', 'Sample'],
			['~bob', 'Sample'],
		]);
		assert.deepEqual((await rowsAt(tree, '~bob')).map(shown), [['dots', '~bob']]);
	});
});
