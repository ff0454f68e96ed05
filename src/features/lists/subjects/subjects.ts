import { decodedPart } from '../../../base/decodedPart.ts';
import { bareSubject, isNamedRef, isRecord, type NamedSubject } from '../../../editor/commands/subjects.ts';
import type { ListRef, PatchsetRef } from '../../../forge/port/list.ts';
import type { PatchPlace } from '../../../editor/patchDocuments/patchUri.ts';

export type ListSubject = NamedSubject<'list'>;

export interface PatchsetSubject {
	readonly kind: 'patchset';
	readonly connectionKey: string;
	readonly ref: PatchsetRef;
}

/** Subject of commands on a mail or on the thread that it starts. */
export interface MailSubject {
	readonly kind: 'mail';
	readonly connectionKey: string;
	readonly list: ListRef;
	readonly id: number;
	/** With angle brackets, if known. */
	readonly messageId: string | undefined;
}

export interface PatchFileSubject {
	readonly kind: 'patchFile';
	readonly connectionKey: string;
	readonly list: ListRef;
	readonly patchsetId: number;
	/** The patch. */
	readonly mailId: number;
	/** Place in the diff of the patch, from 0. */
	readonly fileIndex: number;
	/** Line of interest, as an offset in the patch's `diffText`; absent for the first line. */
	readonly at?: number;
}

/** Subject of commands on a comment of a reply. Commands on mails treat it as the reply. */
export interface CommentSubject extends MailSubject {
	/** Whose series the comment is on. */
	readonly patchsetId: number;
	/** Its place among the comments of its mail, from 0. */
	readonly comment: number;
}

export type ListsSubject = ListSubject | PatchsetSubject | MailSubject | PatchFileSubject;

/** Subject of the board of all lists and its sections; only row navigation accepts it. */
export interface AllListsSubject {
	readonly kind: 'allLists';
	readonly connectionKey: string;
}

/** Documents of mails; see mailUri.ts. */
export const mailScheme = 'forge-mail';

/** Accepts tree rows, bare subjects and document addresses from any caller; returns `undefined` for anything else. */
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

/** `undefined` for anything else, even a file given by index. */
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

/** Subject of a patch document. */
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
