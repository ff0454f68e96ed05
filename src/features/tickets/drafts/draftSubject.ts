import * as vscode from 'vscode';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import { thanksName, unnamedReply, type DraftSubject } from '../../../store/drafts/drafts.ts';

/** URI scheme of new tickets. */
export const newTicketScheme = 'forge-new';
/** URI scheme of tracker, list and repository descriptions. */
export const descriptionScheme = 'forge-description';

/** URI scheme of mails to lists and of review comments. */
export const mailDraftScheme = 'forge-reply';

/** URI scheme of proposed files that a reviewer edits. */
export const suggestionScheme = 'forge-suggestion';

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

/** Title of a draft document's tab. */
export function draftTitle(about: DocumentSubject): string {
	const { name } = namedBy(about);
	switch (about.kind) {
		case 'newTicket':
			return vscode.l10n.t('New ticket in {0}', name);
		case 'description':
			return vscode.l10n.t('Description of {0}', name);
		case 'listDescription':
			return vscode.l10n.t('Description of list {0}', name);
		case 'repositoryDescription':
			return vscode.l10n.t('Description of repository {0}', name);
		case 'mail':
			return about.answers === undefined ? vscode.l10n.t('New message to {0}', name) : replyTitle(about.name, name);
		case 'review': {
			const mail = firstMailOfFormed(about.ref.id);
			return mail !== undefined
				? vscode.l10n.t('Comment on message {0}', mail)
				: about.part.kind === 'mail'
					? vscode.l10n.t('Message on patchset {0}', about.ref.id)
					: vscode.l10n.t('Comment on patchset {0}', about.ref.id);
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
