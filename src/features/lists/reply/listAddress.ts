import * as vscode from 'vscode';
import { askFor } from '../../../editor/ask/ask.ts';
import type { ListRef } from '../../../forge/port/list.ts';
import type { ReadableMail } from '../../../engine/mail/readableMail.ts';
import { isSendable } from '../../../engine/mail/writtenAddress.ts';
import { postingAddress, type PostingAddress } from '../../../engine/review/replyPeople.ts';
import type { Connection } from '../../../store/connection.ts';

/** Maximum number of recent mails loaded to find a list's address. */
const mostRead = 8;

/**
 * The confirmed address of a list, otherwise the one in the given and the newest mails. Without confirmation it is
 * certain only on the forge's host: a single stranger may have sent all given mails.
 */
export async function addressOf(
	{ instance, lists, listChoices, texts }: Connection,
	ref: ListRef,
	mails: readonly ReadableMail[],
	signal: AbortSignal,
): Promise<PostingAddress | undefined> {
	const confirmed = listChoices.posting(ref);
	if (confirmed !== undefined) {
		return { address: confirmed, isSure: true };
	}
	const host = URL.parse(instance.areas.lists)?.hostname;
	const isOwn = (address: string | undefined): boolean =>
		host !== undefined && address?.toLowerCase().endsWith(`@${host}`) === true;
	const known = [...mails];
	let found = postingAddress(ref, known, host);
	if (isOwn(found?.address)) {
		return found;
	}
	const { items } = await lists.posts(ref).first(signal);
	for (const { id } of items.slice(0, mostRead)) {
		const { reading } = await texts.readPatch(id, signal);
		known.push(...(reading.kind === 'read' ? [reading.mail] : []));
		found = postingAddress(ref, known, host);
		if (isOwn(found?.address)) {
			return found;
		}
	}
	return found;
}

/** The known address, or the one that the user confirms, which is stored. */
export async function sureAddress(
	{ listChoices }: Connection,
	ref: ListRef,
	known: PostingAddress | undefined,
): Promise<string> {
	if (known?.isSure === true) {
		return known.address;
	}
	const confirmed = await askAddress(ref, known?.address);
	await listChoices.keepPosting(ref, confirmed);
	return confirmed;
}

function askAddress({ owner, name }: ListRef, likely: string | undefined): Promise<string> {
	return askFor({
		title: vscode.l10n.t('Email address of {0}/{1}', owner, name),
		prompt:
			likely === undefined
				? vscode.l10n.t('No message of this list names its email address.')
				: vscode.l10n.t(
						"Check this email address. It isn't on the host of the forge, and only one person's messages name it, or others name another.",
					),
		placeHolder: `${owner}/${name}@lists.example.org`,
		...(likely === undefined ? {} : { value: likely }),
		complaint: (text) => (isSendable(text.trim()) ? undefined : vscode.l10n.t('Enter an email address.')),
	});
}
