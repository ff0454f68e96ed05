import { isNumbered } from 'patchmail/series/listedPatchset.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { webAddress } from '../../../editor/links/webOf.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { listsSubject } from './subjects.ts';

/** Message-ID that people quote for a patchset: of the cover letter, else of the first patch. */
export function quotedMessageId({ lists, reviews }: Connection, ref: PatchsetRef): string | undefined {
	const patchset = lists.knownPatchset(ref);
	const { cover, patches = [] } = reviews.known(ref)?.series ?? {};
	return patchset?.formed
		? patchset.messageId
		: (patchset?.coverLetter?.messageId ?? (cover ?? patches[0]?.mail)?.messageId ?? patchset?.messageId);
}

/** A patchset's page on the web. One without a number has the page of a mail. */
export function patchsetWebLink(connection: Connection, ref: PatchsetRef): string {
	const { instance } = connection;
	if (isNumbered(ref.id)) {
		return webAddress(instance, { kind: 'patchset', ref });
	}
	const messageId = quotedMessageId(connection, ref);
	return webAddress(
		instance,
		messageId === undefined ? { kind: 'list', ref: ref.list } : { kind: 'mail', list: ref.list, messageId },
	);
}

/**
 * Web address of a list, a patchset or a mail, or of the mail in a document; `undefined` for everything else and after
 * sign-out.
 */
export function webLink(connections: Connections, value: unknown): string | undefined {
	const subject = listsSubject(value);
	const connection = connections.byKey(subject?.connectionKey ?? '');
	// Mailboxes of this computer have no pages.
	if (!subject || !connection || !/^https?:/.test(connection.instance.areas.meta)) {
		return undefined;
	}
	const { instance, lists } = connection;
	switch (subject.kind) {
		case 'list':
			return webAddress(instance, { kind: 'list', ref: subject.ref });
		case 'patchset':
			return patchsetWebLink(connection, subject.ref);
		case 'mail': {
			const messageId = subject.messageId ?? lists.knownMail(subject.id)?.messageId;
			return messageId === undefined
				? undefined
				: webAddress(instance, { kind: 'mail', list: subject.list, messageId });
		}
		case 'patchFile': {
			const messageId = lists.knownMail(subject.mailId)?.messageId;
			return messageId === undefined
				? patchsetWebLink(connection, { list: subject.list, id: subject.patchsetId })
				: webAddress(instance, { kind: 'mail', list: subject.list, messageId });
		}
	}
}
