import { onDispose, type Disposable } from '../../../base/lifecycle.ts';
import { refText } from '../../../forge/namedRef.ts';
import { patchSubject } from '../../../forge/patchSubject.ts';
import type { Connection } from '../../../state/connection.ts';
import type { ListStoreChange } from '../../../state/lists/listChange.ts';
import type { ThreadRef } from '../../../state/readMarks/listReadMarks.ts';
import { patchsetIds } from '../subjects/patchsetIds.ts';

/** Who is to hear of a conversation. */
export interface ThreadListener {
	/** A mail has come, or all that was known was forgotten. */
	readonly listsChanged: () => void;
	/** A mail was read, or something is different at a patchset. */
	readonly changed: () => void;
}

/** Tells of everything that may change what is shown of a conversation. */
export function watchThread(
	connection: Connection,
	ref: ThreadRef,
	{ listsChanged, changed }: ThreadListener,
): Disposable {
	const { lists, texts } = connection;
	const isMine = (list: ThreadRef['list']): boolean => refText(list) === refText(ref.list);

	function heard(change: ListStoreChange): void {
		switch (change.kind) {
			case 'lists':
				return listsChanged();
			case 'list':
				return isMine(change.list) ? listsChanged() : undefined;
			case 'thread':
				return isMine(change.list) && change.id === ref.id ? listsChanged() : undefined;
			case 'patchset':
				return isMine(change.patchset.list) ? changed() : undefined;
			case 'patchsets':
			case 'posts':
				return undefined;
		}
	}

	const listening = [
		lists.onDidChange(heard),
		texts.onDidRead((id) => {
			if (lists.knownThread(ref.list, ref.id)?.some((mail) => mail.id === id) === true) {
				changed();
			}
		}),
	];
	return onDispose(() => listening.forEach((each) => each.dispose()));
}

/**
 * Reads the patchsets of a conversation, those that fail are left out. Servers that tell no mail's patchset tell the mails
 * of their newest patchsets.
 */
export async function readPatchsets(connection: Connection, ref: ThreadRef, signal: AbortSignal): Promise<void> {
	const { lists } = connection;
	const mails = lists.knownThread(ref.list, ref.id) ?? [];
	const ids = patchsetIds(connection, ref, mails);
	const isPatches = mails.some(({ subject, isPatch }) => isPatch === true || patchSubject(subject) !== undefined);
	await Promise.allSettled(
		ids.length === 0 && isPatches
			? [lists.patchsets(ref.list, signal)]
			: ids.map((id) => lists.patchset({ list: ref.list, id }, signal)),
	);
}
