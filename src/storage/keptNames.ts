import type { KeptNames } from '../state/shared/keptNames.ts';
import type { NameStorage } from './nameStorage.ts';
import type { EditorStorage } from './steadyStorage.ts';

/** Names kept for an account until it signs out, in the editor's own storage. Anything else found there counts as none. */
export function keptNames(storage: NameStorage, kind: string, connectionKey: string): KeptNames {
	const key = keyOf(kind, connectionKey);
	return {
		all() {
			const kept = storage.get(key);
			return Array.isArray(kept) ? kept.filter((name): name is string => typeof name === 'string') : [];
		},
		async keep(names) {
			await storage.update(key, names.length === 0 ? undefined : names);
		},
	};
}

/** Forgets all names of an account, and what `keptText` keeps of it. */
export function forgetNames(storage: EditorStorage, connectionKey: string): Promise<void> {
	return forget(
		storage,
		storage.keys().filter((key) => ownerOf(key) === connectionKey),
	);
}

/**
 * Forgets them of accounts that are signed in no more, wherever they signed out. Nothing where nobody is signed in: a
 * storage of secrets that cannot be read may look like that. `signedIn` is asked once it is known what is kept, so that of
 * an account that signs in meanwhile nothing goes; `isKeptAnyway` is true for what outlives a sign-out.
 */
export async function keepOnlyNames(
	storage: EditorStorage,
	signedIn: () => Promise<readonly string[]>,
	isKeptAnyway: (owner: string) => boolean,
): Promise<void> {
	const there = storage.keys();
	const wanted = new Set(await signedIn());
	await forget(
		storage,
		there.filter((key) => {
			const owner = ownerOf(key);
			return wanted.size > 0 && owner !== undefined && !wanted.has(owner) && !isKeptAnyway(owner);
		}),
	);
}

/** All at once: what somebody keeps later is not forgotten with it. */
async function forget(storage: EditorStorage, keys: readonly string[]): Promise<void> {
	await Promise.all(keys.map((key) => storage.update(key, undefined)));
}

const prefix = 'forge.names:';

/** Under this a kind of thing is kept of an account. */
export function keyOf(kind: string, connectionKey: string): string {
	return `${prefix}${kind}:${connectionKey}`;
}

/** Keys of accounts have no colon. `undefined` for what the editor's storage holds otherwise. */
function ownerOf(key: string): string | undefined {
	return key.startsWith(prefix) ? key.slice(key.lastIndexOf(':') + 1) : undefined;
}
