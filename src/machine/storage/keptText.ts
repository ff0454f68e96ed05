import type { KeptText } from '../../store/shared/keptText.ts';
import { keyOf } from './keptNames.ts';
import type { NameStorage } from './nameStorage.ts';

/** A text of an account in the editor's storage until sign-out; `forgetNames` deletes it. */
export function keptText(storage: NameStorage, kind: string, connectionKey: string): KeptText {
	return keptForAll(storage, keyOf(kind, connectionKey));
}

/** A text without an account; survives sign-out. */
export function keptForAll(storage: NameStorage, key: string): KeptText {
	return {
		read: () => storage.get(key),
		async write(text) {
			await storage.update(key, text);
		},
	};
}
