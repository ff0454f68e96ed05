import assert from 'node:assert/strict';
import type { Reference, TreeEntry } from '../../../src/forge/repository.ts';
import { allPages, problemFrom, wanted } from '../../support/contractForge.ts';
import { counts, seed } from '../../support/counts.ts';
import { ableGit, gitServer, madeFolder, type GitServer, type GitWorld } from '../../support/gitServer.ts';
import type { Answered } from '../../support/graphqlServer.ts';
import { randomFrom } from '../../support/randomFrom.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const mostNames = 300;
const onOnePage = 25;

/** Names as people make them: some begin alike, some are files and folders at once for those who compare letters alone. */
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
	// Most worlds are of few pages, and so of little time.
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

suite('folders and references over GraphQL are all or say that they are not', function () {
	this.timeout(600_000);

	test('in worlds of 0 to 300 names, with git and without', async () => {
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
				assert.deepEqual(await problemFrom(look), { kind: 'incomplete' }, told);
				withheld += 1;
			}
		}
		assert.ok(withheld > 0);
	});

	test('a folder that is not what its id says is read by git or not at all', async () => {
		const random = randomFrom(7);
		const { tree } = randomWorld(random);
		const short = { ...madeFolder(tree.entries.slice(0, 9)), id: tree.id };
		assert.deepEqual(await problemFrom(gitServer({ tree: short }).api.treeById(lantern, tree.id, wanted())), {
			kind: 'incomplete',
		});
		const helped = gitServer({ tree: short, git: ableGit({ tree }) }).api;
		assert.deepEqual((await helped.treeById(lantern, tree.id, wanted())).entries, tree.entries);
	});

	test('a folder with a name that JSON cannot tell is shown as it came, where git does not help', async () => {
		const tree = madeFolder([{ name: 'caf\u{fffd}', id: '1'.repeat(40), mode: 0o100644, type: 'blob' }]);
		const told = { ...tree, id: '2'.repeat(40) };
		assert.deepEqual(await gitServer({ tree: told }).api.treeById(lantern, told.id, wanted()), told);
	});

	test('what git lists is described by the API, in as few questions as it takes', async () => {
		const references = Array.from({ length: 60 }, (_, at) => ({
			name: `refs/tags/v${String(at).padStart(2, '0')}`,
			target: '1'.repeat(40),
			artifacts: [{ filename: `v${at}.tar.gz`, createdMs: 0, sizeBytes: 5, checksum: 'sha256:0', url: 'https://x/' }],
			// Of the first page, and of what is asked for by its name.
			...(at === 3 || at === 47 ? ({ hasMoreArtifacts: true } as const) : {}),
		}));
		const listed = references.map(({ name, target }) => ({ name, target }));
		const { api, server } = gitServer({ references, git: ableGit({ references: listed }) });
		const pages = await allPages(api.references(lantern, wanted()));
		assert.deepEqual(pages, [{ items: references, seen: 60, completeness: { kind: 'complete' } }]);
		// The default branch comes along with the first of them.
		assert.deepEqual(server.names(), ['Head', 'References', 'ReferencesByName', 'ReferencesByName']);
	});

	/** A repository with more tags than a few questions tell of; the API answers those about them as `answer` says. */
	function manyTags(
		answer: (question: number) => Answered | undefined,
		beforeAnswer: () => Promise<void> = () => Promise.resolve(),
	): GitServer {
		const references = Array.from({ length: 400 }, (_, at) => ({
			name: `refs/tags/v${String(at).padStart(3, '0')}`,
			target: '1'.repeat(40),
			artifacts: [{ filename: `v${at}.tar.gz`, createdMs: 0, sizeBytes: 5, checksum: 'sha256:0', url: 'https://x/' }],
		}));
		let questions = 0;
		return gitServer({
			references,
			beforeAnswer,
			git: ableGit({ references: references.map(({ name, target }) => ({ name, target })) }),
			answer({ name }) {
				questions += name === 'ReferencesByName' ? 1 : 0;
				return name === 'ReferencesByName' ? answer(questions) : undefined;
			},
		});
	}

	async function described({ api }: GitServer): Promise<readonly [listed: number, withFiles: number]> {
		const pages = await allPages(api.references(lantern, wanted()));
		assert.equal(pages.at(-1)?.completeness.kind, 'complete');
		const listed = pages.flatMap(({ items }) => items);
		return [listed.length, listed.filter(({ artifacts }) => artifacts !== undefined).length];
	}

	test('a question about files that fails hides neither the list nor what the others tell', async () => {
		const fails = (question: number): Answered | undefined =>
			question === 3 ? { errors: [{ message: 'Too complex' }] } : undefined;
		// The first page tells of 24 tags, besides where HEAD is, and each question of 19 more.
		assert.deepEqual(await described(manyTags(fails)), [400, 400 - 19]);
	});

	test('nothing more is asked about files once the forge is away', async () => {
		const away = manyTags((question) => (question > 2 ? { status: 503, text: 'Later' } : undefined));
		assert.deepEqual(await described(away), [400, 24 + 2 * 19]);
		const asked = away.server.names().filter((name) => name === 'ReferencesByName');
		assert.ok(asked.length <= 2 + 4 * 3, `${asked.length} questions, some of them repeated`);
	});

	test('no more than four questions about files are on their way at a time', async () => {
		let underWay = 0;
		let most = 0;
		const counted = manyTags(
			() => undefined,
			async () => {
				underWay += 1;
				most = Math.max(most, underWay);
				await new Promise(setImmediate);
				underWay -= 1;
			},
		);
		assert.deepEqual(await described(counted), [400, 400]);
		assert.equal(most, 4);
	});

	test('where names lead takes one question, however many there are', async () => {
		const references = Array.from({ length: 600 }, (_, at) => ({ name: `refs/tags/v${at}`, target: '1'.repeat(40) }));
		const { api, server } = gitServer({ references, git: ableGit({ references }) });
		const pages = await allPages(api.targets?.(lantern, wanted()) ?? api.references(lantern, wanted()));
		assert.deepEqual(pages, [{ items: references, seen: 600, completeness: { kind: 'complete' } }]);
		assert.deepEqual(server.names(), ['References']);
	});
});
