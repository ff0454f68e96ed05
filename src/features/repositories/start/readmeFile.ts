import { isForgeError } from '../../../forge/forgeError.ts';
import { treeOrPart } from '../../../state/repositories/repositoryFolders.ts';
import type { Blob, RepositoryRef, Tree, TreeEntry } from '../../../forge/repository.ts';
import type { RepositoryStore } from '../../../state/repositories/repositoryStore.ts';
import { entryKind, isSafeName } from '../../../state/repositories/repositoryEntries.ts';

/** The file in a repository's root that says what it is, as far as it is text. */
export type Readme = {
	/** As it stands in the tree. */
	readonly name: string;
	/** What it was read from. */
	readonly revision: string;
} & (
	| { readonly kind: 'text'; readonly text: string; readonly isMarkdown: boolean }
	| { readonly kind: 'unfit'; readonly why: 'tooLarge' | 'binary' }
);

/** Larger ones are books, and are read in the editor. */
const largestBytes = 512 * 1024;

/** Git's own rule: a zero among the first bytes is no text. */
const lookedAtBytes = 8000;

/** Reads the README of a revision; `undefined` when there is none. Links are not followed. */
export async function readReadme(
	repositories: RepositoryStore,
	{ ref, revision }: { readonly ref: RepositoryRef; readonly revision: string },
	signal: AbortSignal,
): Promise<Readme | undefined> {
	const root = await treeOrPart(repositories.folder(ref, { ref: revision, path: '' }, signal));
	const entry = readmeIn(root.tree);
	if (!entry) {
		return undefined;
	}
	const { name } = entry;
	const kept = await repositories.keptBlob(ref, entry.id);
	if (kept) {
		return readmeOf(kept, name, revision);
	}
	try {
		await repositories.find(ref, { ref: revision, path: name }, signal);
		return readmeOf(await repositories.blob(ref, entry.id, signal), name, revision);
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'tooLarge') {
			return { kind: 'unfit', name, revision, why: 'tooLarge' };
		}
		throw error;
	}
}

/** The same of what was read before, in this window or in an earlier one; `undefined` where that was not read. */
export async function keptReadme(
	repositories: Pick<RepositoryStore, 'keptBlob'>,
	{ ref, revision }: { readonly ref: RepositoryRef; readonly revision: string },
	root: Tree,
): Promise<Readme | undefined> {
	const entry = readmeIn(root);
	const kept = entry && (await repositories.keptBlob(ref, entry.id));
	return kept && readmeOf(kept, entry.name, revision);
}

function readmeOf({ bytes }: Blob, name: string, revision: string): Readme {
	if (bytes.byteLength > largestBytes) {
		return { kind: 'unfit', name, revision, why: 'tooLarge' };
	}
	if (bytes.subarray(0, lookedAtBytes).includes(0)) {
		return { kind: 'unfit', name, revision, why: 'binary' };
	}
	const isMarkdown = /\.(?:md|markdown)$/i.test(name);
	return { kind: 'text', name, revision, text: new TextDecoder().decode(bytes), isMarkdown };
}

/** In the order in which they are looked for, in whatever case they are written. */
const names = ['readme.md', 'readme.markdown', 'readme', 'readme.txt', 'readme.rst'];

/** The entry of a root that is taken for its README. */
export function readmeIn({ entries }: Tree): TreeEntry | undefined {
	const files = entries.filter((entry) => isFile(entry) && isSafeName(entry.name));
	return names
		.map((wanted) => files.find(({ name }) => name.toLowerCase() === wanted))
		.find((entry) => entry !== undefined);
}

function isFile(entry: TreeEntry): boolean {
	const kind = entryKind(entry);
	return kind === 'file' || kind === 'executable';
}
