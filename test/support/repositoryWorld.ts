import { Buffer } from 'node:buffer';
import type { Commit } from 'sourcehut/port/repository.ts';
import type { Connection } from '../../src/store/connection.ts';
import type { RepositorySources } from '../../src/store/repositories/repositorySources.ts';
import { fakeConnection } from './fakeConnection.ts';
import { fakeTrackers } from './fakeForge.ts';
import {
	fakeRepositories,
	fakeStore,
	idOf,
	makeCommit,
	makeRepository,
	repositoryConnection,
	type FakeRepositoryWorld,
} from './fakeRepositories.ts';
import { makeTracker, makeUser } from './makeTicket.ts';

/** A rich repository and an account with access. */
export interface RepositoryWorld {
	readonly connection: Connection;
	readonly world: FakeRepositoryWorld;
	/** Newest first: a merge, a rename among other changes, and the root. */
	readonly commits: readonly Commit[];
}

/** One pixel. */
export const tinyPicture = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

const readme = `# Quill

Writes **letters**, see [how](docs/how.md#L3), [what comes first](#first-steps) and ~bob/parser#7.

![The logo](logo.png) ![elsewhere](https://elsewhere.test/badge.svg) ![Missing](docs/none.png)

${'Long enough to be scrolled.\n\n'.repeat(12)}
## First steps

- [x] \`make\`

\`\`\`sh
make all
\`\`\`

[up again](#)
`;

/** `~bob/quill`, from alice's view. */
export const bobsQuill = { owner: '~bob', name: 'quill' };

/** A world with `~bob/quill`; its tracker of the same name is known only after a search. */
export function repositoryWorld(parts: Partial<RepositorySources> = {}): RepositoryWorld {
	const fake = fakeRepositories();
	const { world } = fake;
	const owner = { canonicalName: '~bob', name: 'bob' };
	world.repositories.push(
		makeRepository('quill', { owner, visibility: 'unlisted', description: 'For people who *write*.' }),
		makeRepository('blank', { owner }),
	);
	world.heads.set('~bob/quill', 'main');
	const names = Array.from({ length: 14 }, (_, at) => ({ name: `refs/tags/v1.${at}`, target: idOf(3) }));
	world.references.set('~bob/quill', [
		{ name: 'refs/heads/feature/x', target: idOf(2) },
		{ name: 'refs/heads/main', target: idOf(4) },
		...names,
	]);
	const before = { 'old name.c': 'int main;\n', 'README.md': readme, 'logo.png': new Uint8Array(tinyPicture) };
	const docs = { 'how.md': 'So\n' };
	const first = world.grow(before);
	const second = world.grow({ ...before, 'old name.c': linkTo('x'), docs, 'new name.c': 'int main;\n' });
	const side = world.grow({ ...before, 'side.txt': 'side\n' });
	const merged = world.grow({
		'README.md': readme,
		'logo.png': before['logo.png'],
		'new name.c': 'int main;\n',
		docs,
		'side.txt': 'side\n',
	});
	const commits = [
		makeCommit(4, { tree: merged, parents: [idOf(3), idOf(2)], message: "Merge branch 'side'\n" }),
		makeCommit(3, {
			tree: second,
			parents: [idOf(1)],
			signature: { signature: 'c2ln', data: 'ZGF0YQ==' },
			message: `Rename it, see ~bob/parser#7\r\n\r\nThis follows ${idOf(1)} and #12, as\n\n\t* https://x.test/why says\n\nReviewed-by: Carol <carol@forge.test>\nFixes: https://todo.forge.test/~bob/parser/7\n`,
		}),
		makeCommit(1, { tree: first, committer: { name: 'Alice', email: 'alice@forge.test' } }),
	];
	const sideCommit = makeCommit(2, { tree: side, parents: [idOf(1)] });
	for (const revision of ['main', 'HEAD']) {
		world.logs.set(`~bob/quill ${revision}`, commits);
	}
	world.logs.set('~bob/quill side', [sideCommit, ...commits.slice(2)]);
	const trackers = fakeTrackers();
	trackers.world.trackers.push(makeTracker({ owner: makeUser('bob'), name: 'quill' }));
	const { tickets } = fakeConnection(trackers.api);
	return { connection: { ...repositoryConnection(fakeStore(fake, parts)), tickets }, world, commits };

	function linkTo(target: string): { name: string; id: string; type: 'blob'; mode: number } {
		return { name: '', id: world.write(target), type: 'blob', mode: 0o120000 };
	}
}
