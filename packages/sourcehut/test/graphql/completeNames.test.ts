import assert from 'node:assert/strict';
import type { Problem } from '../../src/port/forgeError.ts';
import type { Reference, Tree, TreeEntry } from '../../src/port/repository.ts';
import { allPages, problemFrom, wanted } from '../../../../test/support/contractForge.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import {
	ableGit,
	gitServer,
	inRepository,
	madeFolder,
	type GitServer,
	type GitWorld,
} from '../../../../test/support/gitServer.ts';
import type { Answered, AskedQuery } from '../../../../test/support/graphqlServer.ts';
import { randomFrom } from '../../../../test/support/randomFrom.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const mostNames = 300;
const onOnePage = 25;

/** Random names; some share a beginning, some differ only in type (file or folder). */
function randomNames(random: () => number, count: number): readonly string[] {
	const parts = ['a', 'b', 'Z', 'é', '日', '-', '.', '0', 'README', 'src', 'v1'];
	const names = new Set<string>();
	while (names.size < count) {
		const length = 1 + Math.floor(random() * 4);
		const name = Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join('');
		if (!/^\.+$/.test(name)) {
			names.add(name);
		}
	}
	return [...names];
}

function randomWorld(random: () => number): Required<Pick<GitWorld, 'references' | 'tree'>> {
	const idOf = (at: number): string => at.toString(16).padStart(40, '0');
	// Small worlds keep the test fast.
	const most = random() < 0.75 ? 60 : mostNames;
	const names = randomNames(random, Math.floor(random() * (most + 1)));
	const tree = madeFolder(
		names.map((name, at): TreeEntry => {
			const isFolder = random() < 0.3;
			return { name, id: idOf(at), mode: isFolder ? 0o40000 : 0o100644, type: isFolder ? 'tree' : 'blob' };
		}),
	);
	const references = names
		.map((name, at): Reference => {
			const isTag = random() < 0.3;
			const artifacts = [{ filename: name, createdMs: 0, sizeBytes: at, checksum: 'sha256:0', url: 'https://x/' }];
			return {
				name: `refs/${isTag ? 'tags' : 'heads'}/${name}`,
				target: idOf(at),
				...(isTag ? { artifacts } : {}),
			};
		})
		.toSorted((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
	return { tree, references };
}

/** All names except up to two per page boundary. */
function assertKnownPart(problem: Problem, tree: Tree, told: string): void {
	assert.equal(problem.kind, 'incomplete', told);
	const known = problem.known?.entries ?? [];
	const left = tree.entries.filter((entry) => !known.some(({ name }) => name === entry.name));
	assert.equal(known.length + left.length, tree.entries.length, told);
	assert.ok(known.length >= onOnePage, told);
	assert.ok(left.length <= 2 * Math.floor(tree.entries.length / onOnePage), `${told}: ${left.length} are missing`);
}

suite('completeness of folders and references over GraphQL', function () {
	this.timeout(600_000);

	test('a reference that the server lists twice appears once', async () => {
		const main = { name: 'refs/heads/main', target: 'a'.repeat(40) };
		const { api } = gitServer({ references: [main, main] });
		const pages = await allPages(api.references(lantern, wanted()));
		assert.deepEqual(
			pages.flatMap(({ items }) => items.map(({ name }) => name)),
			['refs/heads/main'],
		);
	});

	test('without git, the default branch is on the first page of names, once', async () => {
		const at = (name: string): Reference => ({ name, target: '1'.repeat(40) });
		const branches = Array.from({ length: 60 }, (_, number) => at(`refs/heads/b${100 + number}`));
		const main = { ...at('refs/heads/main'), target: '2'.repeat(40) };
		const { api, server } = gitServer({ references: [...branches, main] });
		const pages = await allPages(api.references(lantern, wanted()));
		assert.deepEqual(pages[0]?.items[0], main);
		const all = pages.flatMap(({ items }) => items.map(({ name }) => name));
		assert.equal(new Set(all).size, all.length);
		assert.equal(pages.at(-1)?.seen, all.length);
		assert.deepEqual(server.names(), ['References', 'ReferenceByName', 'References', 'References']);

		const early = gitServer({ references: [at('refs/heads/a'), main, ...branches.map(({ name }) => at(`${name}z`))] });
		await early.api.references(lantern, wanted()).next();
		assert.deepEqual(early.server.names(), ['References']);
		const refused = gitServer({
			references: [...branches, main],
			answer: ({ name }) => (name === 'ReferenceByName' ? { errors: [{ message: 'Too complex' }] } : undefined),
		});
		assert.ok((await allPages(refused.api.references(lantern, wanted()))).length > 1);
	});

	test('worlds of 0 to 300 names are complete or marked as incomplete, with git and without', async () => {
		const random = randomFrom(seed());
		let withheld = 0;
		for (let round = 0; round < counts({ small: 40, full: 10_000 }); round += 1) {
			const world = randomWorld(random);
			const count = world.references.length;
			const alone = gitServer(world).api;
			const helped = gitServer({ ...world, git: ableGit(world) }).api;
			const told = `${count} names in round ${round}`;

			for (const api of [alone, helped]) {
				const pages = await allPages(api.references(lantern, wanted()));
				const listed = pages.flatMap(({ items }) => items);
				if (pages.at(-1)?.completeness.kind === 'complete') {
					assert.deepEqual(listed, world.references, told);
				} else {
					assert.equal(api, alone, told);
					assert.ok(count >= onOnePage, told);
					withheld += 1;
				}
				assert.equal(pages.at(-1)?.seen, listed.length, told);
			}

			assert.deepEqual(await helped.treeById(lantern, world.tree.id, wanted()), world.tree, told);
			assert.deepEqual(await helped.tree(lantern, undefined, wanted()), world.tree, told);
			const look = alone.tree(lantern, { ref: 'main', path: 'src' }, wanted());
			if (count <= onOnePage) {
				assert.deepEqual(await look, world.tree, told);
			} else {
				assertKnownPart(await problemFrom(look), world.tree, told);
				withheld += 1;
			}
		}
		assert.ok(withheld > 0);
	});

	test('git reads a folder that doesn’t match its id; without git it is incomplete', async () => {
		const random = randomFrom(7);
		const { tree } = randomWorld(random);
		const short = { ...madeFolder(tree.entries.slice(0, 9)), id: tree.id };
		assert.deepEqual(await problemFrom(gitServer({ tree: short }).api.treeById(lantern, tree.id, wanted())), {
			kind: 'incomplete',
			known: short,
		});
		const helped = gitServer({ tree: short, git: ableGit({ tree }) }).api;
		assert.deepEqual((await helped.treeById(lantern, tree.id, wanted())).entries, tree.entries);
	});

	test('without git, a folder with a name that JSON cannot represent loads as received', async () => {
		const tree = madeFolder([{ name: 'caf\u{fffd}', id: '1'.repeat(40), mode: 0o100644, type: 'blob' }]);
		const told = { ...tree, id: '2'.repeat(40) };
		assert.deepEqual(await gitServer({ tree: told }).api.treeById(lantern, told.id, wanted()), told);
	});

	test('release files for git’s list load page by page, and one by one between pages', async () => {
		const references = tagsWithFiles(60).map((reference, at) => ({
			...reference,
			// One on the first page, and one that needs its own query.
			...(at === 3 || at === 25 ? ({ hasMoreArtifacts: true } as const) : {}),
		}));
		const listed = references.map(({ name, target }) => ({ name, target }));
		const { api, server } = gitServer({ references, git: ableGit({ references: listed }) });
		const pages = await allPages(api.references(lantern, wanted()));
		assert.deepEqual(pages, [{ items: references, seen: 60, completeness: { kind: 'complete' } }]);
		const alone = server.asked.flatMap(({ variables: { reference } }) => (reference === undefined ? [] : [reference]));
		assert.deepEqual(alone, ['refs/tags/v024', 'refs/tags/v025', 'refs/tags/v051', 'refs/tags/v052']);
		assert.equal(server.asked.length, 3 + alone.length);
	});

	test('branches have no release files and need no extra request', async () => {
		const references = Array.from({ length: 60 }, (_, at) => ({
			name: `refs/heads/b${100 + at}`,
			target: '1'.repeat(40),
		}));
		const { api, server } = gitServer({ references, git: ableGit({ references }) });
		assert.deepEqual((await allPages(api.references(lantern, wanted())))[0]?.items, references);
		assert.deepEqual(server.names(), ['References']);
	});

	test('a cursor with an empty page of release files does not promise more files', async () => {
		const references: readonly Reference[] = ['refs/heads/main', 'refs/tags/light'].map((name) => ({
			name,
			target: '1'.repeat(40),
			hasMoreArtifacts: true,
		}));
		const { api } = gitServer({ references });
		const [page] = await allPages(api.references(lantern, wanted()));
		assert.deepEqual(
			page?.items,
			references.map(({ name, target }) => ({ name, target })),
		);
	});

	test('with a dangling HEAD, references load and the release files of tags load one by one', async () => {
		const references = tagsWithFiles(3);
		const { api, server } = gitServer({
			references,
			answer: ({ name, query }) =>
				name !== 'References'
					? undefined
					: query.includes('artifacts')
						? {
								data: { user: { repository: null } },
								errors: [
									{
										message: 'reference not found',
										path: ['user', 'repository', 'references', 'results', 0, 'artifacts'],
									},
								],
							}
						: inRepository({
								references: {
									cursor: null,
									results: references.map(({ name: tag, target }) => ({ name: tag, target })),
								},
							}),
		});
		const [page] = await allPages(api.references(lantern, wanted()));
		assert.deepEqual(page, { items: references, seen: 3, completeness: { kind: 'complete' } });
		assert.deepEqual(server.names(), ['References', 'References', ...references.map(() => 'ReferenceByName')]);
	});

	function tagsWithFiles(count: number): readonly Reference[] {
		return Array.from({ length: count }, (_, at) => ({
			name: `refs/tags/v${String(at).padStart(3, '0')}`,
			target: '1'.repeat(40),
			artifacts: [{ filename: `v${at}.tar.gz`, createdMs: 0, sizeBytes: 5, checksum: 'sha256:0', url: 'https://x/' }],
		}));
	}

	/** A repository with many tags; `answer` gets the number of earlier queries for release files. */
	function manyTags(
		answer: (question: number, asked: AskedQuery) => Answered | undefined,
		{
			count = 400,
			beforeAnswer = () => Promise.resolve(),
		}: { readonly count?: number; readonly beforeAnswer?: () => Promise<void> } = {},
	): GitServer {
		const references = tagsWithFiles(count);
		let questions = 0;
		return gitServer({
			references,
			beforeAnswer,
			git: ableGit({ references: references.map(({ name, target }) => ({ name, target })) }),
			answer(asked) {
				questions += 1;
				return answer(questions, asked);
			},
		});
	}

	/** Number of references listed, with release files, and with unread release files. */
	async function described({ api }: GitServer): Promise<readonly [listed: number, withFiles: number, unread: number]> {
		const pages = await allPages(api.references(lantern, wanted()));
		assert.equal(pages.at(-1)?.completeness.kind, 'complete');
		const listed = pages.flatMap(({ items }) => items);
		const count = (isIt: (each: Reference) => unknown): number => listed.filter((each) => isIt(each)).length;
		return [listed.length, count(({ artifacts }) => artifacts), count(({ areArtifactsUnread }) => areArtifactsUnread)];
	}

	test('a failed page of release files leaves only its tags marked as unread', async () => {
		const failed = {
			message: 'internal system error',
			path: ['user', 'repository', 'references', 'results', 1, 'artifacts'],
		};
		const results = ['refs/heads/main', 'refs/tags/v1'].map((name) => ({ name, target: '1'.repeat(40) }));
		const { api } = gitServer({
			references: [],
			answer: ({ query, variables }) =>
				query.includes('artifacts')
					? { data: { user: { repository: null } }, errors: [failed] }
					: inRepository({
							references: variables['cursor'] === 'two' ? { cursor: null, results: [] } : { cursor: 'two', results },
						}),
		});
		const [page] = await allPages(api.references(lantern, wanted()));
		assert.deepEqual(
			page?.items.map(({ name, areArtifactsUnread }) => [name, areArtifactsUnread]),
			[
				['refs/heads/main', undefined],
				['refs/tags/v1', true],
			],
		);
	});

	test('a failed query for release files leaves its tag marked as unread', async () => {
		const isLost = ({ variables }: AskedQuery): boolean => variables['reference'] === 'refs/tags/v024';
		const refused: Answered = { errors: [{ message: 'Too complex' }] };
		const one = manyTags((_question, asked) => (isLost(asked) ? refused : undefined));
		assert.deepEqual(await described(one), [400, 399, 1]);
		// After a failed page, the client queries the rest one by one, up to a limit.
		const page = manyTags((question) => (question === 3 ? refused : undefined));
		assert.deepEqual(await described(page), [400, 24 + 25 + 100, 400 - 149]);
	});

	test('no further query for release files follows once the forge is unavailable', async () => {
		const away = manyTags((question) => (question > 2 ? { status: 503, text: 'Later' } : undefined));
		assert.deepEqual(await described(away), [400, 49, 351]);
		assert.equal(away.server.asked.length, 3);
	});

	test('at most four queries for single tags run at a time', async () => {
		let underWay = 0;
		let most = 0;
		const counted = manyTags(() => undefined, {
			async beforeAnswer() {
				underWay += 1;
				most = Math.max(most, underWay);
				await new Promise(setImmediate);
				underWay -= 1;
			},
		});
		assert.deepEqual(await described(counted), [400, 400, 0]);
		assert.equal(most, 4);
	});

	test('one query resolves the targets of any number of names', async () => {
		const references = Array.from({ length: 600 }, (_, at) => ({ name: `refs/tags/v${at}`, target: '1'.repeat(40) }));
		const { api, server } = gitServer({ references, git: ableGit({ references }) });
		const pages = await allPages(api.targets?.(lantern, wanted()) ?? api.references(lantern, wanted()));
		assert.deepEqual(pages, [{ items: references, seen: 600, completeness: { kind: 'complete' } }]);
		assert.deepEqual(server.names(), ['Targets']);
	});
});
