import type * as vscode from 'vscode';
import { patchsetName, patchsetNamed } from 'sourcehut/port/list.ts';
import { reviewPartOf } from '../../../store/drafts/drafts.ts';
import { jsonIn } from '../../../base/lenientJson.ts';
import {
	descriptionScheme,
	draftTitle,
	mailDraftScheme,
	namedBy,
	newTicketScheme,
	type DocumentSubject,
} from './draftSubject.ts';

const top = '.forge-new';
const mailTop = '.forge-reply';
const newPart = 'new';
const reviewPart = 'review';
const listPart = 'list';
const repositoryPart = 'repository';

/**
 * The draft of a URI as 0.1.0 made them, with the draft's name in the path. The editor restores tabs and backups with
 * these URIs after an update.
 */
export function earlierDraftOf(uri: vscode.Uri): DocumentSubject | undefined {
	const about = uri.scheme === mailDraftScheme ? mailOf(uri) : documentOf(uri);
	return about && earlierPath(about) === uri.path ? about : undefined;
}

function earlierPath(about: DocumentSubject): string | undefined {
	const { owner, name } = namedBy(about);
	const title = draftTitle(about);
	const place = `/${top}/${owner}/${name}`;
	const mailPlace = `/${mailTop}/${owner}/${name}`;
	switch (about.kind) {
		case 'newTicket':
			return `${place}/${about.name}/${title}`;
		case 'description':
			return `${place}/${title}`;
		case 'listDescription':
			return `${place}/${listPart}/${title}`;
		case 'repositoryDescription':
			return `${place}/${repositoryPart}/${title}`;
		case 'mail':
			return `${mailPlace}/${about.answers ?? newPart}/${about.name}/${title}`;
		case 'review':
			return `${mailPlace}/${reviewPart}/${patchsetName(about.ref.id)}/${title}`;
	}
}

function mailOf({ authority: connectionKey, path, query }: vscode.Uri): DocumentSubject | undefined {
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

function documentOf({ scheme, authority: connectionKey, path }: vscode.Uri): DocumentSubject | undefined {
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
