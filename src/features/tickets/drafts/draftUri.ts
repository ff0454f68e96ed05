import * as vscode from 'vscode';
import { firstMailOfFormed } from '../../../forge/list.ts';
import type { NamedRef } from '../../../forge/namedRef.ts';
import type { DraftSubject } from '../../../state/drafts/drafts.ts';
import { unnamedReply } from '../../../state/drafts/replyName.ts';
import { reviewPartOf, writtenPart } from '../../../state/drafts/reviewPart.ts';
import { fieldOf, jsonIn } from '../../../state/shared/looseJson.ts';

/** New tickets as documents. */
export const newTicketScheme = 'forge-new';
/** Descriptions of trackers, lists and repositories as documents. */
export const descriptionScheme = 'forge-description';

/** Mails to lists, and comments of reviews, as documents. */
const mailDraftScheme = 'forge-reply';

/** Files that patches propose while somebody changes them, as documents. */
const suggestionScheme = 'forge-suggestion';

/** Drafts that are written in documents of the editor. */
export type DocumentSubject = Exclude<
	DraftSubject,
	{ readonly kind: 'comment' | 'ticketText' | 'editedEntry' | 'editedComment' | 'mailSending' }
>;

/** Those of them that describe something. */
export type DescriptionSubject = Exclude<DocumentSubject, { readonly kind: 'newTicket' | 'review' | 'mail' }>;

export function isDescription(about: DocumentSubject): about is DescriptionSubject {
	return about.kind !== 'newTicket' && about.kind !== 'review' && about.kind !== 'mail';
}

/** What is described. */
export function refOf(about: DescriptionSubject): NamedRef {
	return about.kind === 'description' ? about.tracker : about.ref;
}

/** The manifest tells the editor that whatever lies below this is Markdown. */
const top = '.forge-new';

/** The manifest tells the editor that whatever lies below this is a mail, which is no Markdown. */
const mailTop = '.forge-reply';

const newPart = 'new';
const reviewPart = 'review';
const listPart = 'list';
const repositoryPart = 'repository';

/**
 * `forge-new://<account>/.forge-new/<~owner>/<tracker>/<name>/New ticket in <tracker>`, the last part being the tab's
 * title. Of descriptions the same without `<name>` for trackers, and with `list` or `repository` in its place for those.
 * `forge-reply://<account>/.forge-reply/<~owner>/<list>/<number of the mail that is answered, or new>/<name>/<title>`, of
 * parts of reviews `/review/<patchset>/<title>` and the part in the query. `forge-suggestion://<account>/<path of the file>`
 * is a file that is changed: the editor shows all of the path above it, so what it belongs to stands in the query.
 */
export function draftUri(about: DocumentSubject): vscode.Uri {
	const { connectionKey: authority, kind } = about;
	const { owner, name } = namedBy(about);
	const place = `/${top}/${owner}/${name}`;
	const mailPlace = `/${mailTop}/${owner}/${name}`;
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
		case 'mail': {
			const { answers } = about;
			const title = answers === undefined ? vscode.l10n.t('New mail to {0}', name) : replyTitle(about.name, name);
			const path = `${mailPlace}/${answers ?? newPart}/${about.name}/${title}`;
			return vscode.Uri.from({ scheme: mailDraftScheme, authority, path });
		}
		case 'review': {
			const { patchsetId, part } = about;
			if (part.kind === 'suggestedFile') {
				const { path } = vscode.Uri.parse(part.document);
				const query = JSON.stringify({ owner, name, patchset: patchsetId, part: writtenPart(part) });
				return vscode.Uri.from({ scheme: suggestionScheme, authority, path, query });
			}
			const mail = firstMailOfFormed(patchsetId);
			const title =
				mail !== undefined
					? vscode.l10n.t('Comment on mail {0}', mail)
					: part.kind === 'mail'
						? vscode.l10n.t('Mail on patchset {0}', patchsetId)
						: vscode.l10n.t('Comment on patchset {0}', patchsetId);
			const path = `${mailPlace}/${reviewPart}/${patchsetId}/${title}`;
			const query = JSON.stringify(writtenPart(part));
			return vscode.Uri.from({ scheme: mailDraftScheme, authority, path, query });
		}
	}
}

/** The title of a reply: who is answered, else in which list. */
export function replyTitle(person: string, list: string): string {
	return person === unnamedReply ? vscode.l10n.t('Reply in {0}', list) : vscode.l10n.t('Reply to {0}', person);
}

function namedBy(about: DocumentSubject): NamedRef {
	switch (about.kind) {
		case 'newTicket':
			return about.tracker;
		case 'mail':
		case 'review':
			return about.ref;
		case 'description':
		case 'listDescription':
		case 'repositoryDescription':
			return refOf(about);
	}
}

/** What a document is about; `undefined` for all others, and for names that the editor tries beside it. */
export function draftOfUri(uri: DraftAddress): DocumentSubject | undefined {
	const about = subjectOfScheme(uri);
	const own = about && draftUri(about);
	return own?.path === uri.path && own.scheme === uri.scheme ? about : undefined;
}

type DraftAddress = Pick<vscode.Uri, 'scheme' | 'authority' | 'path'> & { readonly query?: string };

function subjectOfScheme(uri: DraftAddress): DocumentSubject | undefined {
	switch (uri.scheme) {
		case mailDraftScheme:
			return mailSubjectOf(uri);
		case suggestionScheme:
			return suggestionOf(uri);
		default:
			return subjectOf(uri);
	}
}

function suggestionOf({ authority: connectionKey, query }: DraftAddress): DocumentSubject | undefined {
	const asked = jsonIn(query ?? '');
	const [owner, name, patchsetId] = [fieldOf(asked, 'owner'), fieldOf(asked, 'name'), fieldOf(asked, 'patchset')];
	const part = reviewPartOf(fieldOf(asked, 'part'));
	return typeof owner === 'string' && typeof name === 'string' && typeof patchsetId === 'number' && part
		? { kind: 'review', connectionKey, ref: { owner, name }, patchsetId, part }
		: undefined;
}

function mailSubjectOf({ authority: connectionKey, path, query }: DraftAddress): DocumentSubject | undefined {
	const [, first, owner, refName, kind, name] = path.split('/');
	if (first !== mailTop || owner === undefined || refName === undefined || name === undefined) {
		return undefined;
	}
	const of = { connectionKey, ref: { owner, name: refName } };
	if (kind === reviewPart) {
		const part = reviewPartOf(jsonIn(query ?? ''));
		return part && { kind: 'review', ...of, patchsetId: Number(name), part };
	}
	return { kind: 'mail', ...of, answers: kind === newPart ? undefined : Number(kind), name };
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
