import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { Connection } from '../../src/store/connection.ts';
import type { ObjectsOfClone } from '../../src/store/wholeFiles/preImage.ts';
import { editLine, numberedLines } from './editedFile.ts';
import { fakeLists, listConnection, type FakeLists } from './fakeLists.ts';
import { fakeRepositories, fakeStore, makeRepository, type FakeRepositories } from './fakeRepositories.ts';
import { makeList, makeMail, makePatchset } from './makeMail.ts';
import { makeUser, someTimeMs } from './makeTicket.ts';
import { wholeFilesOver } from './samplePatchsets.ts';

/** The repository before the patches: it has the base of `fold.c`, and another version of `moved.c`. */
const fold = numberedLines('fold');
const ours = numberedLines('moved');
const theirs = `one more\ntwo more\n${ours}`;

const first = editLine('src/fold.c', fold, 10, 'FOLD 10');
const second = editLine('src/fold.c', first.after, 30, 'FOLD 30');
const moved = editLine('src/moved.c', ours, 20, 'MOVED 20');
const gone = editLine('src/gone.c', numberedLines('gone'), 20, 'GONE 20');

export const wholeTexts = { fold, first: first.after, second: second.after, theirs } as const;

/** A series of two patches, and a repository with their files. */
export interface WholeWorld {
	readonly lists: FakeLists;
	readonly repositories: FakeRepositories;
	readonly connection: Connection;
	readonly ref: { readonly list: ListRef; readonly id: number };
	readonly repository: RepositoryRef;
	/** Requests for repositories since the last call. */
	readonly asked: () => readonly string[];
}

/**
 * Patchset 7 of `~alice/quill-devel`. Mail 71 changes `src/fold.c`. Mail 72 changes it again, and `src/moved.c`, which
 * has another version in the repository, and `src/gone.c`, which the repository lacks. The name `~alice/lamp` gives no
 * hint of the right repository.
 */
export function wholeWorld({
	name = 'quill',
	clones,
}: { readonly name?: 'quill' | 'lamp'; readonly clones?: ObjectsOfClone } = {}): WholeWorld {
	const lists = fakeLists();
	const list = { owner: '~alice', name: 'quill-devel' };
	const patches = [first.diff, second.diff + moved.diff + gone.diff].map((diff, at) =>
		makeMail({
			id: 71 + at,
			subject: `[PATCH ${at + 1}/2] fold: step ${at + 1}`,
			text: `Why.\n---\n${diff}-- \n2.39.5\n`.replaceAll('\n', '\r\n'),
			isPatch: true,
			patchsetId: 7,
			createdMs: someTimeMs,
			...(at === 0 ? {} : { parentId: 71, threadId: 71 }),
		}),
	);
	lists.world.lists.push(makeList({ name: list.name }));
	lists.world.mails.push(...patches);
	lists.world.series.set(7, patches);
	lists.world.patchsets.set('~alice/quill-devel', [
		makePatchset({
			id: 7,
			subject: 'fold: step 1',
			prefix: undefined,
			list: { owner: makeUser('alice'), name: list.name },
		}),
	]);
	const repositories = fakeRepositories();
	const repository = { owner: '~alice', name };
	const { world } = repositories;
	world.repositories.push(makeRepository(name));
	world.heads.set(`~alice/${name}`, 'main');
	world.references.set(`~alice/${name}`, [{ name: 'refs/heads/main', target: 'main' }]);
	const made = world.commit(repository, 'HEAD', world.grow({ src: { 'fold.c': fold, 'moved.c': theirs } }));
	world.logs.set(`~alice/${name} HEAD`, [{ ...made, timestampMs: someTimeMs - 1000 }]);
	const store = fakeStore(repositories);
	const connection: Connection = {
		...listConnection(lists.api),
		repositories: store,
		wholeFiles: wholeFilesOver(store, { me: '~alice', ...(clones ? { clones } : {}) }),
	};
	const asked = (): readonly string[] => world.calls.splice(0);
	return { lists, repositories, connection, ref: { list, id: 7 }, repository, asked };
}
