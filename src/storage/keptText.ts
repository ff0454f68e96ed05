import type { KeptText } from '../state/shared/keptText.ts';
import { keyOf } from './keptNames.ts';
import type { NameStorage } from './nameStorage.ts';

/** One text of an account, kept until it signs out: its key is among those that `forgetNames` forgets. */
export function keptText(storage: NameStorage, kind: string, connectionKey: string): KeptText {
	return keptForAll(storage, keyOf(kind, connectionKey));
}

/** One text of no account, which no sign-out forgets. */
export function keptForAll(storage: NameStorage, key: string): KeptText {
	return {
		read: () => storage.get(key),
		async write(text) {
			await storage.update(key, text);
		},
	};
}
