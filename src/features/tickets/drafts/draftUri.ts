import * as vscode from 'vscode';
import { patchsetName, patchsetNamed } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import {
	writtenPart,
	reviewPartOf,
	thanksName,
	unnamedReply,
	type DraftSubject,
} from '../../../store/drafts/drafts.ts';
import { fieldsOf, jsonIn } from '../../../base/lenientJson.ts';

/** URI scheme of new tickets. */
export const newTicketScheme = 'forge-new';
/** URI scheme of tracker, list and repository descriptions. */
export const descriptionScheme = 'forge-description';

/** URI scheme of mails to lists and of review comments. */
const mailDraftScheme = 'forge-reply';

/** URI scheme of proposed files that a reviewer edits. */
const suggestionScheme = 'forge-suggestion';

/** Drafts that the user writes on pages, and the progress of a mail. */
const pageKinds = ['comment', 'ticketText', 'editedEntry', 'editedComment', 'mailSending'] as const;
type PageDraft = Extract<DraftSubject, { readonly kind: (typeof pageKinds)[number] }>;

/** Drafts that the user writes in editor documents. */
export type DocumentSubject = Exclude<DraftSubject, PageDraft>;

export function isDocument<Draft extends DraftSubject>(about: Draft): about is Exclude<Draft, PageDraft> {
	const kinds: readonly string[] = pageKinds;
	return !kinds.includes(about.kind);
}

/** Drafts of tracker, list and repository descriptions. */
export type DescriptionSubject = Exclude<DocumentSubject, { readonly kind: 'newTicket' | 'review' | 'mail' }>;

export function isDescription(about: DocumentSubject): about is DescriptionSubject {
	return about.kind !== 'newTicket' && about.kind !== 'review' && about.kind !== 'mail';
}

/** First path part. The manifest maps documents below it to Markdown. */
const top = '.forge-new';

/** First path part of mails. The manifest maps documents below it to plain mail, not Markdown. */
const mailTop = '.forge-reply';

const newPart = 'new';
const reviewPart = 'review';
const listPart = 'list';
const repositoryPart = 'repository';

/**
 * New ticket: `forge-new://<account>/.forge-new/<~owner>/<tracker>/<name>/New ticket in <tracker>`. The last part is
 * the tab's title.
 * Description: the same path with scheme `forge-description`, and with `list`, `repository` or nothing instead of
 * `<name>`.
 * Mail: `forge-reply://<account>/.forge-reply/<~owner>/<list>/<number of the answered mail, or new>/<name>/<title>`.
 * Review: the same up to `<list>`, then `/review/<patchset>/<title>`, with the part of the review in the query.
 * Suggested file: `forge-suggestion://<account>/<path of the file>`. The editor shows the whole path, so the query
 * names the patchset.
 */
export function draftUri(about: DocumentSubject): vscode.Uri {
	const { owner, name } = namedBy(about);
	const at = (scheme: string, path: string, query = ''): vscode.Uri =>
		vscode.Uri.from({ scheme, authority: about.connectionKey, path, query });
	const place = `/${top}/${owner}/${name}`;
	const mailPlace = `/${mailTop}/${owner}/${name}`;
	switch (about.kind) {
		case 'newTicket':
			return at(newTicketScheme, `${place}/${about.name}/${vscode.l10n.t('New ticket in {0}', name)}`);
		case 'description':
			return at(descriptionScheme, `${place}/${vscode.l10n.t('Description of {0}', name)}`);
		case 'listDescription':
			return at(descriptionScheme, `${place}/${listPart}/${vscode.l10n.t('Description of list {0}', name)}`);
		case 'repositoryDescription':
			return at(
				descriptionScheme,
				`${place}/${repositoryPart}/${vscode.l10n.t('Description of repository {0}', name)}`,
			);
		case 'mail': {
			const { answers } = about;
			const title = answers === undefined ? vscode.l10n.t('New message to {0}', name) : replyTitle(about.name, name);
			return at(mailDraftScheme, `${mailPlace}/${answers ?? newPart}/${about.name}/${title}`);
		}
		case 'review': {
			const { part } = about;
			const { id } = about.ref;
			if (part.kind === 'suggestedFile') {
				const { path } = vscode.Uri.parse(part.document);
				const query = JSON.stringify({ owner, name, patchset: id, part: writtenPart(part) });
				return at(suggestionScheme, path, query);
			}
			const mail = firstMailOfFormed(id);
			const title =
				mail !== undefined
					? vscode.l10n.t('Comment on message {0}', mail)
					: part.kind === 'mail'
						? vscode.l10n.t('Message on patchset {0}', id)
						: vscode.l10n.t('Comment on patchset {0}', id);
			const query = JSON.stringify(writtenPart(part));
			return at(mailDraftScheme, `${mailPlace}/${reviewPart}/${patchsetName(id)}/${title}`, query);
		}
	}
}

/** Title of a reply: names the recipient if known, otherwise the list, as thanks do. */
export function replyTitle(person: string, list: string): string {
	switch (person) {
		case unnamedReply:
			return vscode.l10n.t('Reply in {0}', list);
		case thanksName:
			return vscode.l10n.t('Thanks in {0}', list);
		default:
			return vscode.l10n.t('Reply to {0}', person);
	}
}

/** The tracker, list or repository that the document is about. */
export function namedBy(about: DocumentSubject): NamedRef {
	switch (about.kind) {
		case 'newTicket':
		case 'description':
			return about.tracker;
		case 'review':
			return about.ref.list;
		case 'mail':
		case 'listDescription':
		case 'repositoryDescription':
			return about.ref;
	}
}

/** Inverse of `draftUri`. `undefined` for other documents, and for sibling paths that the editor probes. */
export function draftOfUri(uri: vscode.Uri): DocumentSubject | undefined {
	const about = subjectOfScheme(uri);
	const own = about && draftUri(about);
	return own?.path === uri.path && own.scheme === uri.scheme ? about : undefined;
}

function subjectOfScheme(uri: vscode.Uri): DocumentSubject | undefined {
	switch (uri.scheme) {
		case mailDraftScheme:
			return mailSubjectOf(uri);
		case suggestionScheme:
			return suggestionOf(uri);
		default:
			return subjectOf(uri);
	}
}

function suggestionOf({ authority: connectionKey, query }: vscode.Uri): DocumentSubject | undefined {
	const asked = fieldsOf(jsonIn(query));
	const [owner, name, id] = [asked['owner'], asked['name'], asked['patchset']];
	const part = reviewPartOf(asked['part']);
	return typeof owner === 'string' && typeof name === 'string' && typeof id === 'number' && part
		? { kind: 'review', connectionKey, ref: { list: { owner, name }, id }, part }
		: undefined;
}

function mailSubjectOf({ authority: connectionKey, path, query }: vscode.Uri): DocumentSubject | undefined {
	const [, first, owner, refName, kind, name] = path.split('/');
	if (first !== mailTop || owner === undefined || refName === undefined || name === undefined) {
		return undefined;
	}
	const ref = { owner, name: refName };
	if (kind === reviewPart) {
		const part = reviewPartOf(jsonIn(query));
		const id = patchsetNamed(name);
		return part && id !== undefined ? { kind: 'review', connectionKey, ref: { list: ref, id }, part } : undefined;
	}
	return { kind: 'mail', connectionKey, ref, answers: kind === newPart ? undefined : Number(kind), name };
}

function subjectOf({ scheme, authority: connectionKey, path }: vscode.Uri): DocumentSubject | undefined {
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
