import * as vscode from 'vscode';
import { noAccount } from '../editor/trees/turnedRows.ts';
import { inboxFeature, type InboxFeature } from '../features/inbox/inboxFeature.ts';
import type { BadgedView } from '../features/inbox/inboxContext.ts';
import { inboxSettings } from '../features/inbox/inboxSettings.ts';
import { statusLook as patchsetStatusLook } from '../features/lists/subjects/words.ts';
import { resolutionText, statusLook as ticketStatusLook } from '../features/tickets/subjects/words.ts';
import { keptText } from '../machine/storage/editorStorage.ts';
import type { DeskAccounts } from './accounts/deskAccounts.ts';
import { watchedSubject } from './watchedSubjects.ts';

/** The inbox of this window, with status texts from tickets and lists. */
export function windowInbox(
	{ live, shown, clock, windowStorageOf }: DeskAccounts,
	view: BadgedView,
	pageInFront: () => unknown,
): InboxFeature {
	return inboxFeature({
		connections: live,
		problems: shown,
		clock,
		view,
		watchedOf: (subject) => watchedSubject(live, subject),
		pageInFront,
		words: {
			ticketStatus: (status) => ticketStatusLook(status).text,
			resolution: resolutionText,
			patchsetStatus: (status) => patchsetStatusLook(status).text,
		},
		settings: inboxSettings(vscode.workspace),
		doneShown: keptText(windowStorageOf(noAccount), 'inbox-done', noAccount),
	});
}
