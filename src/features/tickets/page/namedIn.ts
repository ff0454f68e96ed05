import * as vscode from 'vscode';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { NamedInView } from '../../../pages/protocol/ticketProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { knownLists } from '../../../store/lists/knownLists.ts';
import type { TicketMention } from '../../../store/mentions/ticketMentions.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** More than these are no overview any more. */
const most = 30;

/** Patchsets and loaded mails that mention the ticket, newest first, one row per patchset. */
export function namedInViews({ mentions }: Connection, ref: TicketRef): readonly NamedInView[] {
	const rows = new Map<string, NamedInView>();
	for (const mention of mentions.of(ref)) {
		const key = keyOf(mention);
		const known = rows.get(key);
		// A trailer outranks a plain mention in any mail of the patchset.
		if (!known || (known.trailer === undefined && mention.trailer !== undefined)) {
			const { subject, list, trailer, patchsetId } = mention;
			const read = patchSubject(subject);
			const patch = read?.isReply === false ? read : undefined;
			const title = visibleLine(patch?.subject ?? subject);
			rows.set(key, {
				key,
				kind: patchsetId === undefined ? 'mail' : 'patchset',
				title: title === '' ? vscode.l10n.t('Message without subject') : title,
				version: patch ? `v${patch.version}` : '',
				list: visibleLine(refText(list)),
				trailer: trailer === undefined ? undefined : visibleLine(trailer),
			});
		}
		if (rows.size === most) {
			break;
		}
	}
	return [...rows.values()];
}

/** Opens the patchset, or the mail in its thread. An unknown key opens nothing. */
export async function openNamedIn(
	{ key: connectionKey, mentions }: Connection,
	ref: TicketRef,
	key: string,
): Promise<void> {
	const found = mentions.of(ref).find((mention) => keyOf(mention) === key);
	if (!found) {
		return;
	}
	const { list, mailId, patchsetId } = found;
	await (patchsetId === undefined
		? vscode.commands.executeCommand('forge.lists.openThread', {
				kind: 'mail',
				connectionKey,
				list,
				id: mailId,
				messageId: undefined,
			})
		: vscode.commands.executeCommand('forge.patchsets.open', {
				kind: 'patchset',
				connectionKey,
				ref: { list, id: patchsetId },
			}));
}

/**
 * Searches the account's lists on the server for the ticket and loads the hits, so that real mentions appear. If
 * nothing is found, throws the first error, or an error that the forge can't search.
 */
export async function lookForNamings(
	{ lists, texts, mentions }: Connection,
	ref: TicketRef,
	signal: AbortSignal,
): Promise<void> {
	const { tracker, id } = ref;
	const known = await knownLists(lists.collection, signal);
	const name = `${tracker.owner.replace(/^~/, '')}/${tracker.name}`;
	const looked = await Promise.allSettled(
		known.lists.slice(0, mostLists).map(async (list) => {
			for (const terms of [`${name}#${id}`, `${name}/${id}`]) {
				const found = await lists.uncached.search?.(list, `"${terms}"`, signal).next();
				const mails = found?.done === false ? found.value.items : [];
				await texts.readAll(
					mails.slice(0, mostMails).map((mail) => mail.id),
					signal,
				);
			}
		}),
	);
	signal.throwIfAborted();
	if (mentions.of(ref).length === 0 && !lists.uncached.search) {
		throw new ForgeError({ kind: 'notOffered' });
	}
	const failed = looked.find((result) => result.status === 'rejected');
	if (mentions.of(ref).length === 0 && (failed || known.failure)) {
		// No hits, but the search was incomplete.
		throw failed?.reason ?? known.failure?.error;
	}
}

/** Users with more lists search on the web. */
const mostLists = 20;

/** Maximum number of hits per list. */
const mostMails = 20;

function keyOf({ list, mailId, patchsetId }: TicketMention): string {
	return patchsetId === undefined ? `mail ${mailId}` : `patchset ${refText(list)} ${patchsetId}`;
}
