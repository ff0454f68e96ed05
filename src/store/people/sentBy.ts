import type { Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { isSameAddress, onlySender, senderIn } from 'patchmail/mail/onlySender.ts';
import type { SeriesMail } from 'patchmail/series/seriesReading.ts';
import { titleOf, titleOfMail } from 'patchmail/series/setAmong.ts';

/** Who wrote a mail: the account, else the only address, in lower case. `undefined` for a name alone. */
export function writerOf({
	sender,
	from = '',
}: {
	readonly sender: ShortEmail['sender'];
	readonly from?: string | undefined;
}): string | undefined {
	return sender?.canonicalName ?? senderIn(from)?.address.toLowerCase();
}

/** The same for a parsed mail. */
export function writerOfRead({ account, reading }: SeriesMail): string | undefined {
	return account ?? (reading.kind === 'read' ? onlySender(reading.mail)?.address.toLowerCase() : undefined);
}

/** True for the account and its address. `writer`: as of `writerOf`. */
export function isOwnWriter(
	{ me, people }: { readonly me: OwnerName; readonly people: { readonly ownAddress: () => string | undefined } },
	writer: string | undefined,
): boolean {
	return (
		writer !== undefined && (writer === me || (writer.includes('@') && writer === people.ownAddress()?.toLowerCase()))
	);
}

/** Known data of a patch sender. */
export interface PatchSender {
	/** `~name`, if there is an account. */
	readonly account: OwnerName | undefined;
	readonly address: string | undefined;
	/** Their loaded mails on the list in question. */
	readonly mails: readonly ShortEmail[];
}

/**
 * Matches patchsets by sender. Servers send the submitter, the last mail's Message-ID, or the cover letter
 * (docs/protocol.md#patchset-fields). Without all of these, compares subjects with the sender's mails.
 */
export function sentBy({ account, address, mails }: PatchSender): (patchset: Patchset) => boolean {
	const ids = new Set(mails.map(({ messageId }) => messageId));
	const titles = new Set(mails.map(({ subject }) => titleOfMail(subject)).filter((title) => title !== undefined));
	return (patchset) => {
		const { submitter, messageId, coverLetter } = patchset;
		if (isSameAddress(submitter && senderIn(submitter)?.address, address)) {
			return true;
		}
		if (messageId !== undefined && ids.has(messageId)) {
			return true;
		}
		const sender = coverLetter?.sender?.canonicalName;
		if (sender !== undefined) {
			return sender === account;
		}
		const isUntold = submitter === undefined && messageId === undefined;
		return isUntold && titles.has(titleOf(patchset));
	};
}
