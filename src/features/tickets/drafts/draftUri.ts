import * as vscode from 'vscode';
import type { NamedRef } from '../../../forge/namedRef.ts';
import type { DraftSubject } from '../../../state/drafts/drafts.ts';

/** New tickets as documents. */
export const newTicketScheme = 'forge-new';
/** Descriptions of trackers, lists and repositories as documents. */
export const descriptionScheme = 'forge-description';

/** Drafts that are written in documents of the editor. */
export type DocumentSubject = Exclude<
	DraftSubject,
	{ readonly kind: 'comment' | 'editedEntry' | 'editedComment' | 'review' }
>;

/** Those of them that describe something. */
export type DescriptionSubject = Exclude<DocumentSubject, { readonly kind: 'newTicket' }>;

export function isDescription(about: DocumentSubject): about is DescriptionSubject {
	return about.kind !== 'newTicket';
}

/** What is described. */
export function refOf(about: DescriptionSubject): NamedRef {
	return about.kind === 'description' ? about.tracker : about.ref;
}

/** The manifest tells the editor that whatever lies below this is Markdown. */
const top = '.forge-new';

const listPart = 'list';
const repositoryPart = 'repository';

/**
 * `forge-new://<account>/.forge-new/<~owner>/<tracker>/<name>/New ticket in <tracker>`, the last part being the tab's
 * title. Of descriptions the same without `<name>` for trackers, and with `list` or `repository` in its place for those.
 */
export function draftUri(about: DocumentSubject): vscode.Uri {
	const { connectionKey: authority, kind } = about;
	const { owner, name } = about.kind === 'newTicket' ? about.tracker : refOf(about);
	const place = `/${top}/${owner}/${name}`;
	switch (kind) {
		case 'newTicket': {
			const path = `${place}/${about.name}/${vscode.l10n.t('New ticket in {0}', name)}`;
			return vscode.Uri.from({ scheme: newTicketScheme, authority, path });
		}
		case 'description': {
			const path = `${place}/${vscode.l10n.t('Description of {0}', name)}`;
			return vscode.Uri.from({ scheme: descriptionScheme, authority, path });
		}
		case 'listDescription': {
			const path = `${place}/${listPart}/${vscode.l10n.t('Description of list {0}', name)}`;
			return vscode.Uri.from({ scheme: descriptionScheme, authority, path });
		}
		case 'repositoryDescription': {
			const path = `${place}/${repositoryPart}/${vscode.l10n.t('Description of repository {0}', name)}`;
			return vscode.Uri.from({ scheme: descriptionScheme, authority, path });
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
	const [, first, owner, refName, name, title] = path.split('/');
	if (first !== top || owner === undefined || refName === undefined || name === undefined) {
		return undefined;
	}
	const ref = { owner, name: refName };
	switch (scheme) {
		case newTicketScheme:
			return { kind: 'newTicket', connectionKey, tracker: ref, name };
		case descriptionScheme:
			return title === undefined
				? { kind: 'description', connectionKey, tracker: ref }
				: { kind: name === listPart ? 'listDescription' : 'repositoryDescription', connectionKey, ref };
		default:
			return undefined;
	}
}
