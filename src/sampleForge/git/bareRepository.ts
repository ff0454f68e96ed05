import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitProgram } from './gitProgram.ts';
import { writePack } from './packWriter.ts';
import type { RepositoryDraft } from './repositoryDraft.ts';

/** Folder of a repository inside a folder of repositories; survives a renaming. */
export function folderOf(id: number): string {
	return `${id}.git`;
}

/** The settings that every repository of the forge has. */
export const repositorySettings = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[gc]
	auto = 0
[receive]
	autogc = false
	denyDeleteCurrent = refuse
`;

/** Makes an empty repository. */
export async function createEmpty(git: GitProgram, path: string): Promise<void> {
	await git.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=master', path]);
	await writeFile(join(path, 'config'), repositorySettings);
}

/** Writes a repository from a draft, or an empty one. */
export async function writeRepository(git: GitProgram, draft: RepositoryDraft | null, path: string): Promise<void> {
	await createEmpty(git, path);
	if (draft === null) {
		return;
	}
	const pack = writePack([...draft.objects.values()]);
	await git.run(['--git-dir', path, 'index-pack', '--stdin', '--strict'], { input: pack });
	const updates = Array.from(draft.refs, ([name, id]) => `create ${name} ${id}\n`);
	await git.run(['--git-dir', path, 'update-ref', '--stdin'], { input: updates.join('') });
	await git.run(['--git-dir', path, 'pack-refs', '--all']);
}
