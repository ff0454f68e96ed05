import { isForgeError } from '../../../forge/forgeError.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import type { RepositoryStore } from '../../../state/repositories/repositoryStore.ts';
import { readmeIn } from './readmeIn.ts';

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
	const entry = readmeIn(await repositories.folder(ref, { ref: revision, path: '' }, signal));
	if (!entry) {
		return undefined;
	}
	const { name } = entry;
	try {
		await repositories.find(ref, { ref: revision, path: name }, signal);
		const { bytes } = await repositories.blob(ref, entry.id, signal);
		if (bytes.byteLength > largestBytes) {
			return { kind: 'unfit', name, revision, why: 'tooLarge' };
		}
		if (bytes.subarray(0, lookedAtBytes).includes(0)) {
			return { kind: 'unfit', name, revision, why: 'binary' };
		}
		const isMarkdown = /\.(?:md|markdown)$/i.test(name);
		return { kind: 'text', name, revision, text: new TextDecoder().decode(bytes), isMarkdown };
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'tooLarge') {
			return { kind: 'unfit', name, revision, why: 'tooLarge' };
		}
		throw error;
	}
}
