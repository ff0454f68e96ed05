import type { Patchset, ShortEmail } from '../../forge/list.ts';
import type { OwnerName } from '../../forge/user.ts';
import { isSameAddress, senderIn } from '../../mail/onlySender.ts';
import { titleOf, titleOfMail } from '../../series/setAmong.ts';

/** What is known of somebody who sends patches. */
export interface PatchSender {
	/** `~name`, where there is an account. */
	readonly account: OwnerName | undefined;
	readonly address: string | undefined;
	/** Mails of theirs that came to the list in question, as far as they are known. */
	readonly mails: readonly ShortEmail[];
}

/**
 * Tells which of a list's patchsets somebody sent. Servers tell a submitter and the Message-ID of the last mail, or the
 * cover letter with its sender (docs/protocol.md#patchset-fields); where a patchset has none of them, the subject of a
 * mail that they sent has to do.
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
