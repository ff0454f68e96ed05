import * as vscode from 'vscode';
import { openAddresses } from '../../../editor/links/tabAddresses.ts';
import { writtenPart, reviewPartOf } from '../../../store/drafts/drafts.ts';
import { fieldsOf, jsonIn } from '../../../base/lenientJson.ts';
import {
	descriptionScheme,
	draftTitle,
	mailDraftScheme,
	namedBy,
	newTicketScheme,
	suggestionScheme,
	type DocumentSubject,
} from './draftSubject.ts';
import { earlierDraftOf } from './earlierDraftUri.ts';

/** First path part. The manifest maps documents below it to Markdown, and the editor shows it above the text. */
const top = 'Forge Desk';

/** First path part of mails. The manifest maps documents below it to plain mail, not Markdown. */
const mailTop = 'Forge Mail';

const descriptionsOf = {
	description: 'tracker',
	listDescription: 'list',
	repositoryDescription: 'repository',
} as const;

/**
 * `forge-new://<account>/Forge Desk/<~owner>/<name>/<title>?<rest>`: the editor shows the path above the text and its
 * last part as the tab's title, so all that no reader understands is in the query.
 * Description: the same with the scheme `forge-description`. Mail and review: with `forge-reply` and `Forge Mail`.
 * Suggested file: `forge-suggestion://<account>/<path of the file>?<rest>`.
 */
export function draftUri(about: DocumentSubject): vscode.Uri {
	const { owner, name } = namedBy(about);
	const at = (scheme: string, first: string, rest: unknown): vscode.Uri => {
		const path = `/${first}/${owner}/${name}/${draftTitle(about)}`;
		return vscode.Uri.from({ scheme, authority: about.connectionKey, path, query: JSON.stringify(rest) });
	};
	switch (about.kind) {
		case 'newTicket':
			return at(newTicketScheme, top, { name: about.name });
		case 'description':
		case 'listDescription':
		case 'repositoryDescription':
			return at(descriptionScheme, top, { of: descriptionsOf[about.kind] });
		case 'mail':
			return at(mailDraftScheme, mailTop, { answers: about.answers, name: about.name });
		case 'review': {
			const { part } = about;
			const rest = { patchset: about.ref.id, part: writtenPart(part) };
			if (part.kind === 'suggestedFile') {
				const { path } = vscode.Uri.parse(part.document);
				const query = JSON.stringify({ owner, name, ...rest });
				return vscode.Uri.from({ scheme: suggestionScheme, authority: about.connectionKey, path, query });
			}
			return at(mailDraftScheme, mailTop, rest);
		}
	}
}

/**
 * Inverse of `draftUri`, also for the form of version 0.1. `undefined` for other documents, and for sibling paths that
 * the editor probes.
 */
export function draftOfUri(uri: vscode.Uri): DocumentSubject | undefined {
	const about = subjectOf(uri);
	const own = about && draftUri(about);
	return own?.path === uri.path && own.scheme === uri.scheme ? about : earlierDraftOf(uri);
}

function subjectOf({ scheme, authority: connectionKey, path, query }: vscode.Uri): DocumentSubject | undefined {
	const asked = fieldsOf(jsonIn(query));
	const text = (name: string): string | undefined => {
		const value = asked[name];
		return typeof value === 'string' ? value : undefined;
	};
	const [, , pathOwner, pathName] = path.split('/');
	const isSuggestion = scheme === suggestionScheme;
	const owner = isSuggestion ? text('owner') : pathOwner;
	const refName = isSuggestion ? text('name') : pathName;
	if (owner === undefined || refName === undefined) {
		return undefined;
	}
	const ref = { owner, name: refName };
	const name = text('name');
	switch (scheme) {
		case newTicketScheme:
			return name === undefined ? undefined : { kind: 'newTicket', connectionKey, tracker: ref, name };
		case descriptionScheme:
			switch (asked['of']) {
				case descriptionsOf.description:
					return { kind: 'description', connectionKey, tracker: ref };
				case descriptionsOf.listDescription:
					return { kind: 'listDescription', connectionKey, ref };
				case descriptionsOf.repositoryDescription:
					return { kind: 'repositoryDescription', connectionKey, ref };
				default:
					return undefined;
			}
		case mailDraftScheme:
		case suggestionScheme: {
			const { answers, patchset: id } = asked;
			const part = reviewPartOf(asked['part']);
			if (typeof id === 'number') {
				return part && { kind: 'review', connectionKey, ref: { list: ref, id }, part };
			}
			return name !== undefined && (answers === undefined || typeof answers === 'number')
				? { kind: 'mail', connectionKey, ref, answers, name }
				: undefined;
		}
		default:
			return undefined;
	}
}

/** True if the document is the draft, at whichever URI. */
export function isDraftAt(uri: vscode.Uri, about: DocumentSubject): boolean {
	const other = draftOfUri(uri);
	return other !== undefined && draftUri(other).toString() === draftUri(about).toString();
}

/** The open document of a draft, which may have a URI of an earlier version. */
export function openDraft(about: DocumentSubject): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(({ uri }) => isDraftAt(uri, about));
}

/** The URI of the open document or tab of a draft, so that it has one only; `draftUri` for others. */
export function shownUri(about: DocumentSubject): vscode.Uri {
	return openDraft(about)?.uri ?? openAddresses().find((uri) => isDraftAt(uri, about)) ?? draftUri(about);
}
