import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { WindowPages } from '../editor/pages/pageHost.ts';
import { noAccount } from '../editor/trees/expansionState.ts';
import { inboxFeature, type InboxFeature } from '../features/inbox/inboxFeature.ts';
import type { BadgedView, WatchedSubject } from '../features/inbox/inboxContext.ts';
import { inboxSettings } from '../features/inbox/inboxSettings.ts';
import { statusLook as patchsetStatusLook } from '../features/lists/subjects/words.ts';
import { resolutionText, statusLook as ticketStatusLook } from '../features/tickets/subjects/words.ts';
import { keptText } from '../machine/storage/editorStorage.ts';
import type { DeskAccounts } from './accounts/deskAccounts.ts';
import { isRecord } from '../editor/commands/subjects.ts';
import { givenSubject } from '../features/lists/subjects/givenSubject.ts';
import type { ListsSubject } from '../features/lists/subjects/subjects.ts';
import { repositoriesSubject } from '../features/repositories/subjects/subjects.ts';
import { ticketSubject, trackerSubject } from '../features/tickets/subjects/subjects.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Connections } from '../store/connection.ts';
import type { Watched } from '../store/inbox/watched.ts';
import type { ListStore } from '../store/lists/listStore.ts';

/** The inbox of this window, with status texts from tickets and lists. */
export function windowInbox(
	{ live, shown, clock, windowStorageOf }: DeskAccounts,
	view: BadgedView,
	pages: Pick<WindowPages, 'inFront' | 'onDidChangeInFront'>,
): InboxFeature {
	return inboxFeature({
		connections: live,
		problems: shown,
		clock,
		view,
		watchedOf: (subject) => watchedSubject(live, subject),
		pageInFront() {
			// Of a diff, the later side is in front.
			const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
			const files: unknown = isRecord(input) ? input['textDiffs'] : undefined;
			const shown: unknown = Array.isArray(files) ? files[0] : input;
			const document = isRecord(shown) ? (shown['modified'] ?? shown['uri'] ?? shown['original']) : undefined;
			return pages.inFront() ?? document;
		},
		onDidChangeFront(listener) {
			const owned = new Disposables();
			owned.add(pages.onDidChangeInFront(listener));
			owned.add(vscode.window.tabGroups.onDidChangeTabs(() => listener()));
			return owned;
		},
		words: {
			ticketStatus: (status) => ticketStatusLook(status).text,
			resolution: resolutionText,
			patchsetStatus: (status) => patchsetStatusLook(status).text,
		},
		settings: inboxSettings(vscode.workspace),
		doneShown: keptText(windowStorageOf(noAccount), 'inbox-done', noAccount),
	});
}

/** Inbox subject of a row, page or document of another view; `undefined` for all others. */
export function watchedSubject(connections: Connections, subject: unknown): WatchedSubject | undefined {
	const tracked = trackerSubject(subject) ?? ticketSubject(subject);
	if (tracked) {
		const { connectionKey, ...watched } = tracked;
		return { connectionKey, watched };
	}
	const listed = givenSubject(subject);
	const lists = listed && connections.byKey(listed.connectionKey)?.lists;
	if (listed) {
		return lists && { connectionKey: listed.connectionKey, watched: watchedInLists(lists, listed) };
	}
	const within = repositoriesSubject(subject);
	return within && { connectionKey: within.connectionKey, watched: { kind: 'repository', ref: within.ref } };
}

/** A mail maps to its patchset, otherwise to its thread. */
function watchedInLists(lists: ListStore, subject: ListsSubject): Watched {
	switch (subject.kind) {
		case 'list':
			return { kind: 'list', ref: subject.ref };
		case 'patchset':
			return watchedPatchset(lists, subject.ref);
		case 'patchFile':
			return watchedPatchset(lists, { list: subject.list, id: subject.patchsetId });
		case 'mail': {
			const { list, id } = subject;
			const mail = lists.knownPosts(list).find((each) => each.id === id);
			return mail?.patchsetId === undefined
				? { kind: 'thread', list, id: mail?.threadId ?? id }
				: { kind: 'patchset', ref: { list, id: mail.patchsetId } };
		}
	}
}

/** The inbox tracks a formed patchset as the server patchset of its thread. */
function watchedPatchset(lists: ListStore, ref: PatchsetRef): Watched {
	const base = firstMailOfFormed(ref.id) === undefined ? undefined : lists.knownPatchset(ref)?.formed?.threadPatchsetId;
	return { kind: 'patchset', ref: { list: ref.list, id: base ?? ref.id } };
}
