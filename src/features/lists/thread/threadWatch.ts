import { onDispose, type Disposable } from '../../../base/lifecycle.ts';
import { refText } from '../../../forge/namedRef.ts';
import { patchSubject } from '../../../forge/patchSubject.ts';
import type { Connection } from '../../../state/connection.ts';
import type { ListStoreChange } from '../../../state/lists/listChange.ts';
import type { ThreadRef } from '../../../state/readMarks/listReadMarks.ts';
import { patchsetIds } from '../subjects/patchsetIds.ts';

/** Listener for changes of a thread. */
export interface ThreadListener {
	/** A new mail, or a cleared cache. */
	readonly listsChanged: () => void;
	/** A mail loaded, or a patchset changed. */
	readonly changed: () => void;
}

/** Notifies of all changes that affect a thread page. */
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
 * Loads the patchsets of a thread and skips failing ones. For servers without patchset ids in mails, also loads the
 * mails of their newest patchsets.
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
