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

/** Forgets all names of an account. */
export async function forgetNames(storage: EditorStorage, connectionKey: string): Promise<void> {
	const gone = storage.keys().filter((key) => key.startsWith('forge.names:') && key.endsWith(`:${connectionKey}`));
	for (const key of gone) {
		await storage.update(key, undefined);
	}
}

function keyOf(kind: string, connectionKey: string): string {
	return `forge.names:${kind}:${connectionKey}`;
}
