import * as v from 'valibot';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import { bareSubject, forgeNumber, isRecord, refining, subjectReader } from '../../../editor/commands/subjects.ts';
import type { PatchPlace } from '../../../editor/patchDocuments/patchUri.ts';
import type { Connections } from '../../../store/connection.ts';
import { named, whole } from '../../../store/shared/keptText.ts';

/** A place in a list, from 0. */
const index = v.pipe(whole, v.minValue(0));

const list = v.object({ kind: v.literal('list'), connectionKey: v.string(), ref: named });
export type ListSubject = Readonly<v.InferOutput<typeof list>>;
export const listSubject = subjectReader(list);

const patchset = v.object({
	kind: v.literal('patchset'),
	connectionKey: v.string(),
	ref: v.object({ list: named, id: forgeNumber }),
});
export type PatchsetSubject = Readonly<v.InferOutput<typeof patchset>>;
export const patchsetSubject = subjectReader(patchset);

/** A patchset by its present number at each use: the server, or a fuller read, may number it anew. */
export function present<T extends { readonly connectionKey: string; readonly ref: PatchsetRef }>(
	connections: Connections,
	subject: T,
): T {
	return {
		...subject,
		get ref() {
			return connections.byKey(subject.connectionKey)?.lists.nowOf(subject.ref) ?? subject.ref;
		},
	};
}

/** Subject of commands on a mail or on the thread that it starts. */
const mail = v.object({
	kind: v.literal('mail'),
	connectionKey: v.string(),
	list: named,
	id: forgeNumber,
	/** With angle brackets, if known. */
	messageId: refining(v.string()),
});
export type MailSubject = Readonly<v.InferOutput<typeof mail>>;

const inPatch = {
	kind: v.literal('patchFile'),
	connectionKey: v.string(),
	list: named,
	patchsetId: forgeNumber,
	/** The patch. */
	mailId: forgeNumber,
	/** Line of interest, as an offset in the patch's `diffText`; absent for the first line. */
	at: refining(index),
} as const;
/** `fileIndex`: place in the diff of the patch. */
const patchFile = v.object({ ...inPatch, fileIndex: index });
export type PatchFileSubject = Readonly<v.InferOutput<typeof patchFile>>;

/** A file of a patch by its path, as addresses name it. */
export const namedPatchFile = subjectReader(v.object({ ...inPatch, path: v.string() }));

/** Subject of commands on a comment of a reply. Commands on mails treat it as the reply. */
const comment = v.object({
	...mail.entries,
	/** Whose series the comment is on. */
	patchsetId: forgeNumber,
	/** Its place among the comments of its mail, from 0. */
	comment: whole,
});
export type CommentSubject = Readonly<v.InferOutput<typeof comment>>;
export const commentSubject = subjectReader(comment);

/** Subject of the board of all lists and its sections; only row navigation accepts it. */
export const allListsSubject = subjectReader(v.object({ kind: v.literal('allLists'), connectionKey: v.string() }));
export type AllListsSubject = NonNullable<ReturnType<typeof allListsSubject>>;

const listsThing = v.variant('kind', [list, patchset, mail, patchFile]);
export type ListsSubject = Readonly<v.InferOutput<typeof listsThing>>;
const listsThingSubject = subjectReader(listsThing);

/** Documents of mails; see mailUri.ts. */
export const mailScheme = 'forge-mail';

/** Accepts tree rows, bare subjects and document addresses from any caller; returns `undefined` for anything else. */
export function listsSubject(value: unknown): ListsSubject | undefined {
	const bare = bareSubject(value);
	if (!isRecord(bare) || bare['scheme'] !== mailScheme) {
		return listsThingSubject(bare);
	}
	const { authority, path } = bare;
	const [, owner = '', name = '', id = ''] = typeof path === 'string' ? path.split('/') : [];
	const list = { owner: decodedPart(owner) ?? '', name: decodedPart(name) ?? '' };
	// Numbers in archives have 16 digits.
	return typeof authority === 'string' && list.owner !== '' && list.name !== '' && /^[1-9]\d{0,15}$/.test(id)
		? listsThingSubject({ kind: 'mail', connectionKey: authority, list, id: Number(id), messageId: undefined })
		: undefined;
}

/** The same for mails. */
export function mailSubject(value: unknown): MailSubject | undefined {
	const subject = listsSubject(value);
	return subject?.kind === 'mail' ? subject : undefined;
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
