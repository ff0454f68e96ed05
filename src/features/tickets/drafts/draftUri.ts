import * as vscode from 'vscode';
import type { DraftSubject } from '../../../state/drafts.ts';

/** New tickets as documents. */
export const newTicketScheme = 'forge-new';
/** Trackers' descriptions as documents. */
export const descriptionScheme = 'forge-description';

/** Drafts that are written in documents of the editor. */
export type DocumentSubject = Extract<DraftSubject, { readonly kind: 'newTicket' | 'description' }>;

/** The manifest tells the editor that whatever lies below this is Markdown. */
const top = '.forge-new';

/**
 * `forge-new://<account>/.forge-new/<~owner>/<tracker>/<name>/New ticket in <tracker>`, the last part being the tab's
 * title, and the same without `<name>` for descriptions.
 */
export function draftUri(about: DocumentSubject): vscode.Uri {
	const { connectionKey, tracker, kind } = about;
	const place = `/${top}/${tracker.owner}/${tracker.name}`;
	switch (kind) {
		case 'newTicket': {
			const title = vscode.l10n.t('New ticket in {0}', tracker.name);
			const path = `${place}/${about.name}/${title}`;
			return vscode.Uri.from({ scheme: newTicketScheme, authority: connectionKey, path });
		}
		case 'description': {
			const path = `${place}/${vscode.l10n.t('Description of {0}', tracker.name)}`;
			return vscode.Uri.from({ scheme: descriptionScheme, authority: connectionKey, path });
		}
	}
}

/** What a document is about; `undefined` for all others, and for names that the editor tries beside it. */
export function draftOfUri(uri: Pick<vscode.Uri, 'scheme' | 'authority' | 'path'>): DocumentSubject | undefined {
	const about = subjectOf(uri);
	return about && draftUri(about).path === uri.path ? about : undefined;
}

function subjectOf({
	scheme,
	authority: connectionKey,
	path,
}: Pick<vscode.Uri, 'scheme' | 'authority' | 'path'>): DocumentSubject | undefined {
	const [, first, owner, trackerName, name] = path.split('/');
	if (first !== top || owner === undefined || trackerName === undefined || name === undefined) {
		return undefined;
	}
	const tracker = { owner, name: trackerName };
	switch (scheme) {
		case newTicketScheme:
			return { kind: 'newTicket', connectionKey, tracker, name };
		case descriptionScheme:
			return { kind: 'description', connectionKey, tracker };
		default:
			return undefined;
	}
}
