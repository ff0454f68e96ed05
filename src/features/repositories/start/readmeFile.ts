import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { treeOrPart } from '../../../store/repositories/repositoryFolders.ts';
import type { Blob, RepositoryRef, Tree, TreeEntry, LineRange } from 'sourcehut/port/repository.ts';
import type { RepositoryStore } from '../../../store/repositories/repositoryStore.ts';
import { entryKind, isSafeName } from '../../../store/repositories/repositoryEntries.ts';
import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import { linesOfFragment } from 'sourcehut/web/repositoryWay.ts';

/** The README in a repository's root. */
export type Readme = {
	/** Name in the tree. */
	readonly name: string;
	/** Source revision. */
	readonly revision: string;
} & (
	| { readonly kind: 'text'; readonly text: string; readonly isMarkdown: boolean }
	| { readonly kind: 'unfit'; readonly why: 'tooLarge' | 'binary' }
);

/** Larger files open in the editor. */
const largestBytes = 512 * 1024;

/** Git's rule: a NUL among the first bytes means binary. */
const lookedAtBytes = 8000;

/** Reads the README of a revision; `undefined` without one. Ignores symlinks. */
export async function readReadme(
	repositories: RepositoryStore,
	{ ref, revision }: { readonly ref: RepositoryRef; readonly revision: string },
	signal: AbortSignal,
): Promise<Readme | undefined> {
	const root = await treeOrPart(repositories.folders.folder(ref, { ref: revision, path: '' }, signal));
	const entry = readmeIn(root.tree);
	if (!entry) {
		return undefined;
	}
	const { name } = entry;
	const kept = await repositories.objects.keptBlob(ref, entry.id);
	if (kept) {
		return readmeOf(kept, name, revision);
	}
	try {
		await repositories.folders.find(ref, { ref: revision, path: name }, signal);
		return readmeOf(await repositories.objects.blob(ref, entry.id, signal), name, revision);
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'tooLarge') {
			return { kind: 'unfit', name, revision, why: 'tooLarge' };
		}
		throw error;
	}
}

/** The README from the cache of any window; `undefined` if not cached. */
export async function keptReadme(
	repositories: RepositoryStore,
	{ ref, revision }: { readonly ref: RepositoryRef; readonly revision: string },
	root: Tree,
): Promise<Readme | undefined> {
	const entry = readmeIn(root);
	const kept = entry && (await repositories.objects.keptBlob(ref, entry.id));
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

/** In search order, case-insensitive. */
const names = ['readme.md', 'readme.markdown', 'readme', 'readme.txt', 'readme.rst'];

/** The README entry of a root. */
export function readmeIn({ entries }: Tree): TreeEntry | undefined {
	const files = entries.filter((entry) => ['file', 'executable'].includes(entryKind(entry)) && isSafeName(entry.name));
	return names
		.map((wanted) => files.find(({ name }) => name.toLowerCase() === wanted))
		.find((entry) => entry !== undefined);
}

/** Where in a tree a link of a README leads. */
interface PlaceInTree {
	/** Without slashes at its ends; empty for the root. */
	readonly path: string;
	readonly lines: LineRange | undefined;
}

/**
 * The tree path of a resolved address, relative to `file`'s address; `undefined` outside the tree. Compares raw
 * addresses, so that a path segment `item` or a revision with slashes can't mislead it.
 */
export function placeInTree(address: string, file: string): PlaceInTree | undefined {
	const root = URL.parse('.', file)?.href;
	const [, below, fragment = ''] = /^([^?#]*)[^#]*(?:#(.*))?$/.exec(address) ?? [];
	if (root === undefined || below === undefined || !below.startsWith(root)) {
		return undefined;
	}
	const path = decodedPart(below.slice(root.length).replace(/\/$/, ''));
	return path === undefined ? undefined : { path, lines: linesOfFragment(fragment) };
}
