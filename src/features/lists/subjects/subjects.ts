import { decodedPart } from '../../../base/decodedPart.ts';
import { bareSubject, isNamedRef, isRecord, type NamedSubject } from '../../../editor/commands/subjects.ts';
import type { ListRef, PatchsetRef } from '../../../forge/list.ts';
import type { PatchPlace } from '../../../patchDocuments/patchUri.ts';

/** What a command on a list is about. */
export type ListSubject = NamedSubject<'list'>;

/** What a command on a patchset is about. */
export interface PatchsetSubject {
	readonly kind: 'patchset';
	readonly connectionKey: string;
	readonly ref: PatchsetRef;
}

/** What a command on a mail, or on the conversation that it begins, is about. */
export interface MailSubject {
	readonly kind: 'mail';
	readonly connectionKey: string;
	readonly list: ListRef;
	readonly id: number;
	/** With angle brackets, where whoever made the subject knew it. */
	readonly messageId: string | undefined;
}

/** What a command on a file of a patch is about. */
export interface PatchFileSubject {
	readonly kind: 'patchFile';
	readonly connectionKey: string;
	readonly list: ListRef;
	readonly patchsetId: number;
	/** The patch. */
	readonly mailId: number;
	/** Place in the diff of the patch, from 0. */
	readonly fileIndex: number;
	/** The line that is meant, by an offset in the patch's `diffText`; the first one where it is absent. */
	readonly at?: number;
}

/** What a command on a comment of a reply is about. Whatever is about mails takes it for the reply. */
export interface CommentSubject extends MailSubject {
	/** Whose series the comment is on. */
	readonly patchsetId: number;
	/** Its place among the comments of its mail, from 0. */
	readonly comment: number;
}

export type ListsSubject = ListSubject | PatchsetSubject | MailSubject | PatchFileSubject;

/** What the board of all lists and its sections are about; of commands only those that go from row to row take it. */
export interface AllListsSubject {
	readonly kind: 'allLists';
	readonly connectionKey: string;
}

/** Documents of mails; see mailUri.ts. */
export const mailScheme = 'forge-mail';

/**
 * Commands are handed rows of a view, bare subjects or addresses of open documents, by us or by anybody; what leads to
 * no list is `undefined`.
 */
export function listsSubject(value: unknown): ListsSubject | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate)) {
		return undefined;
	}
	if (candidate['scheme'] === mailScheme) {
		return subjectOfAddress(candidate);
	}
	const { connectionKey } = candidate;
	return typeof connectionKey === 'string' ? subjectOfKind(connectionKey, candidate) : undefined;
}

function subjectOfKind(connectionKey: string, fields: Readonly<Record<string, unknown>>): ListsSubject | undefined {
	const { kind, ref, list, id, messageId } = fields;
	switch (kind) {
		case 'list':
			return isNamedRef(ref) ? { kind, connectionKey, ref } : undefined;
		case 'patchset':
			return isPatchsetRef(ref) ? { kind, connectionKey, ref } : undefined;
		case 'mail':
			return isNamedRef(list) && isNumber(id)
				? { kind, connectionKey, list, id, messageId: typeof messageId === 'string' ? messageId : undefined }
				: undefined;
		case 'patchFile':
			return fileOfFields(connectionKey, fields);
		default:
			return undefined;
	}
}

/** A file of a patch by its path, as addresses name it. */
export interface NamedPatchFile extends Omit<PatchFileSubject, 'fileIndex'> {
	readonly path: string;
}

/** `undefined` for everything else, also for a file that is named by its place. */
export function namedPatchFile(value: unknown): NamedPatchFile | undefined {
	const candidate = bareSubject(value);
	const path = isRecord(candidate) ? candidate['path'] : undefined;
	const file = isRecord(candidate) && listsSubject({ ...candidate, fileIndex: 0 });
	return typeof path === 'string' && file && file.kind === 'patchFile' ? { ...file, path } : undefined;
}

function fileOfFields(
	connectionKey: string,
	{ list, patchsetId, mailId, fileIndex, at }: Readonly<Record<string, unknown>>,
): PatchFileSubject | undefined {
	return isNamedRef(list) && isNumber(patchsetId) && isNumber(mailId) && isPlace(fileIndex)
		? { kind: 'patchFile', connectionKey, list, patchsetId, mailId, fileIndex, ...(isPlace(at) ? { at } : {}) }
		: undefined;
}

function isPlace(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

function subjectOfAddress({ authority, path }: Readonly<Record<string, unknown>>): MailSubject | undefined {
	const [, owner = '', name = '', id = ''] = typeof path === 'string' ? path.split('/') : [];
	const list = { owner: decodedPart(owner) ?? '', name: decodedPart(name) ?? '' };
	return typeof authority === 'string' && list.owner !== '' && list.name !== '' && /^[1-9]\d{0,14}$/.test(id)
		? { kind: 'mail', connectionKey: authority, list, id: Number(id), messageId: undefined }
		: undefined;
}

/** The list that a command is about, if it was handed one. */
export function listSubject(value: unknown): ListSubject | undefined {
	const subject = listsSubject(value);
	return subject?.kind === 'list' ? subject : undefined;
}

/** The same for the board of all lists. */
export function allListsSubject(value: unknown): AllListsSubject | undefined {
	const candidate = bareSubject(value);
	const { kind, connectionKey } = isRecord(candidate) ? candidate : {};
	return kind === 'allLists' && typeof connectionKey === 'string' ? { kind, connectionKey } : undefined;
}

/** The same for patchsets. */
export function patchsetSubject(value: unknown): PatchsetSubject | undefined {
	const subject = listsSubject(value);
	return subject?.kind === 'patchset' ? subject : undefined;
}

/** The same for mails. */
export function mailSubject(value: unknown): MailSubject | undefined {
	const subject = listsSubject(value);
	return subject?.kind === 'mail' ? subject : undefined;
}

/** The same for comments of replies. */
export function commentSubject(value: unknown): CommentSubject | undefined {
	const mail = mailSubject(value);
	const candidate = bareSubject(value);
	const { patchsetId, comment } = isRecord(candidate) ? candidate : {};
	return mail && isNumber(patchsetId) && Number.isSafeInteger(comment)
		? { ...mail, patchsetId, comment: Number(comment) }
		: undefined;
}

function isPatchsetRef(value: unknown): value is PatchsetRef {
	return isRecord(value) && isNamedRef(value['list']) && isNumber(value['id']);
}

function isNumber(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) > 0;
}

/** What a command on a document of a patch is about. */
export function subjectOfPatchPlace({
	connectionKey,
	list,
	patchsetId,
	mailId,
	view,
}: PatchPlace): MailSubject | PatchFileSubject {
	return patchsetId === undefined || view.kind === 'raw'
		? { kind: 'mail', connectionKey, list, id: mailId, messageId: undefined }
		: { kind: 'patchFile', connectionKey, list, patchsetId, mailId, fileIndex: view.fileIndex };
}
