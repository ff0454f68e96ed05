import type { KeptNames } from '../../store/shared/keptNames.ts';
import type { NameStorage } from './nameStorage.ts';
import type { EditorStorage } from './steadyStorage.ts';

/** Names stored for an account until sign-out, in the editor's storage. Invalid values count as empty. */
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

/** Deletes all values of an account, including those of `keptText`. */
export function forgetNames(storage: EditorStorage, connectionKey: string): Promise<void> {
	return forget(
		storage,
		storage.keys().filter((key) => ownerOf(key) === connectionKey),
	);
}

/**
 * Deletes the values of signed-out accounts. Does nothing without any signed-in account, because an unreadable secret
 * storage looks the same. `signedIn` runs after listing the keys, so an account that signs in meanwhile loses nothing.
 * `isKeptAnyway`: values that survive sign-out.
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

/** In parallel, so that a value stored later survives. */
async function forget(storage: EditorStorage, keys: readonly string[]): Promise<void> {
	await Promise.all(keys.map((key) => storage.update(key, undefined)));
}

const prefix = 'forge.names:';

/** Storage key of a kind of value for an account. */
export function keyOf(kind: string, connectionKey: string): string {
	return `${prefix}${kind}:${connectionKey}`;
}

/** Account keys contain no colon. `undefined` for foreign keys. */
function ownerOf(key: string): string | undefined {
	return key.startsWith(prefix) ? key.slice(key.lastIndexOf(':') + 1) : undefined;
}
