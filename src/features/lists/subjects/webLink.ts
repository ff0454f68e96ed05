import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { pastedPath, userPath } from '../../../engine/text/forgeAddress.ts';
import { listRefOf } from '../../../store/lists/lists.ts';
import { listsSubject, type ListsSubject } from './subjects.ts';

/** A list's page on the web (docs/protocol.md#web-addresses). */
export function listWebLink({ areas }: ForgeInstance, { owner, name }: ListRef): string {
	return `${areas.lists}${userPath(owner)}${userPath(name)}`;
}

/** A patchset's page on the web. A formed patchset has the page of its first mail. */
export function patchsetWebLink({ instance, lists }: Connection, ref: PatchsetRef): string {
	const page = listWebLink(instance, ref.list);
	if (firstMailOfFormed(ref.id) === undefined) {
		return `${page}/patches/${ref.id}`;
	}
	const messageId = lists.knownPatchset(ref)?.messageId;
	return messageId === undefined ? page : mailWebLink(instance, ref.list, messageId);
}

/** A mail's page on the web. `messageId` with its angle brackets. */
function mailWebLink(instance: ForgeInstance, list: ListRef, messageId: string): string {
	return `${listWebLink(instance, list)}/${encodeURIComponent(messageId.toWellFormed())}`;
}

/**
 * Web address of a list, a patchset or a mail, or of the mail in a document; `undefined` for everything else and after
 * sign-out.
 */
export function webLink(connections: Connections, value: unknown): string | undefined {
	const subject = listsSubject(value);
	const connection = connections.byKey(subject?.connectionKey ?? '');
	return subject && connection && linkOf(connection, subject);
}

function linkOf(connection: Connection, subject: ListsSubject): string | undefined {
	const { instance, lists } = connection;
	switch (subject.kind) {
		case 'list':
			return listWebLink(instance, subject.ref);
		case 'patchset':
			return patchsetWebLink(connection, subject.ref);
		case 'mail': {
			const messageId = subject.messageId ?? lists.knownMail(subject.id)?.messageId;
			return messageId === undefined ? undefined : mailWebLink(instance, subject.list, messageId);
		}
		case 'patchFile': {
			const messageId = lists.knownMail(subject.mailId)?.messageId;
			return messageId === undefined
				? patchsetWebLink(connection, { list: subject.list, id: subject.patchsetId })
				: mailWebLink(instance, subject.list, messageId);
		}
	}
}

/**
 * The list named by pasted text: `~owner/name`, `address@host/name`, or a URL inside a list of this forge. Rejects other hosts
 * and areas.
 */
export function pastedList(text: string, listsOrigin: string): ListRef | undefined {
	const trimmed = text.trim();
	const path = pastedPath(trimmed, listsOrigin);
	if (path === undefined) {
		return namedList(trimmed.replace(/\/$/, ''));
	}
	const [owner = '', name = ''] = path.split('/');
	return namedList(`${owner}/${name}`);
}

/** An owner is `~name` or an e-mail address (docs/protocol.md#names-in-paths). */
function namedList(text: string): ListRef | undefined {
	const ref = listRefOf(text);
	return ref && /^~.|.@./.test(ref.owner) ? ref : undefined;
}
