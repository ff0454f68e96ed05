import { join } from 'node:path';
import { folderOf, writeRepository } from '../../git/bareRepository.ts';
import { modes } from '../../git/gitObjects.ts';
import { createObjectSource } from '../../git/objectSource.ts';
import { createRepositoryDraft, type RepositoryDraft } from '../../git/repositoryDraft.ts';
import type { RepositoryRoom } from '../../repositories/repositoryRoom.ts';
import type { User } from '../../shared/area.ts';
import { applyChange, messageOf } from '../lists/patchMaker.ts';
import type { BaseFile } from '../lists/seriesPlan.ts';
import type { Writer } from '../lists/writers.ts';
import { changeOf, guestRepositories, type GuestCommit } from './guestData.ts';

type Files = ReadonlyMap<string, BaseFile>;

interface Replayed {
	readonly commit: GuestCommit;
	/** The tree of the commit. */
	readonly files: Files;
}

/** The commits with their trees, oldest first. */
export function replay(commits: readonly GuestCommit[]): readonly Replayed[] {
	const branches = new Map<string, Files>();
	return commits.map((commit) => {
		const { branch = 'master' } = commit;
		const files = new Map(branches.get(branch) ?? branches.get('master'));
		commit.changes.map(changeOf).forEach((change) => applyChange(files, change));
		branches.set(branch, files);
		return { commit, files };
	});
}

interface Telling {
	readonly owner: User;
	readonly writer: (name: string) => Writer;
	readonly endMs: number;
}

const dayMs = 86_400_000;

/** Writes the repositories into this life of the forge. */
export async function tellRepositories({ git, root, store }: RepositoryRoom, telling: Telling): Promise<void> {
	const { owner, endMs } = telling;
	await Promise.all(
		guestRepositories.map(async ({ name, description, commits }) => {
			const id = store.nextId();
			const folder = folderOf(id);
			const path = join(root, folder);
			const days = commits.map(({ day }) => endMs + day * dayMs);
			const made = { owner, name, description, visibility: 'public', createdMs: Math.min(...days) } as const;
			store.add(id, { ...made, updatedMs: Math.max(...days) }, { folder, source: createObjectSource(git, path) });
			await writeRepository(git, draftOf(replay(commits), telling), path);
		}),
	);
}

function draftOf(history: readonly Replayed[], { writer, endMs }: Telling): RepositoryDraft {
	const draft = createRepositoryDraft();
	const heads = new Map<string, string>();
	for (const { commit, files } of history) {
		const { who, day, subject, text = [], branch = 'master', tag } = commit;
		const parent = heads.get(branch) ?? heads.get('master');
		const { name, email } = writer(who);
		const author = { name, email, timeS: Math.floor((endMs + day * dayMs) / 1000), offset: '+0000' };
		const id = draft.commit({
			files: new Map(Array.from(files, ([path, { content }]) => [path, { mode: modes.file, id: draft.blob(content) }])),
			parents: parent === undefined ? [] : [parent],
			author,
			message: messageOf({ subject, text: text.join('\n'), changes: [] }),
		});
		heads.set(branch, id);
		if (tag !== undefined) {
			const tagged = draft.tag({ name: tag, target: id, tagger: author, message: `pebble ${tag.slice(1)}\n` });
			draft.ref(`refs/tags/${tag}`, tagged);
		}
	}
	heads.forEach((id, branch) => draft.ref(`refs/heads/${branch}`, id));
	return draft;
}
