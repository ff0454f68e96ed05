import * as vscode from 'vscode';
import { askFor } from '../../../editor/ask/ask.ts';
import type { ListRef } from '../../../forge/list.ts';
import type { ReadableMail } from '../../../mail/readableMail.ts';
import { isSendable } from '../../../mail/writtenAddress.ts';
import { postingAddress, type PostingAddress } from '../../../review/replyPeople.ts';
import type { Connection } from '../../../state/connection.ts';

/** So many of the newest mails of a list are read at most to tell its address. */
const mostRead = 8;

/** The address of a list as these mails name it, else as its newest mails do. */
export async function addressOf(
	{ instance, lists, texts }: Pick<Connection, 'instance' | 'lists' | 'texts'>,
	ref: ListRef,
	mails: readonly ReadableMail[],
	signal: AbortSignal,
): Promise<PostingAddress | undefined> {
	const host = URL.parse(instance.areas.lists)?.hostname;
	const known = [...mails];
	let found = postingAddress(ref, known, host);
	if (found?.isSure === true) {
		return found;
	}
	const { items } = await lists.posts(ref, signal);
	for (const { id } of items.slice(0, mostRead)) {
		const { reading } = await texts.readPatch(id, signal);
		known.push(...(reading.kind === 'read' ? [reading.mail] : []));
		found = postingAddress(ref, known, host);
		if (found?.isSure === true) {
			return found;
		}
	}
	return found;
}

/** The address, or what the person says that it is: one that a single stranger may have written is shown first. */
export async function sureAddress(ref: ListRef, known: PostingAddress | undefined): Promise<string> {
	return known?.isSure === true ? known.address : askAddress(ref, known?.address);
}

function askAddress({ owner, name }: ListRef, likely: string | undefined): Promise<string> {
	return askFor({
		title: vscode.l10n.t('Address of {0}/{1}', owner, name),
		prompt:
			likely === undefined
				? vscode.l10n.t('No mail of this list names its address.')
				: vscode.l10n.t(
						"Check this address. It isn't on the host of the forge, and only one person's mails name it, or others name another.",
					),
		placeHolder: `${owner}/${name}@lists.example.org`,
		...(likely === undefined ? {} : { value: likely }),
		complaint: (text) => (isSendable(text.trim()) ? undefined : vscode.l10n.t('Enter an e-mail address.')),
	});
}
