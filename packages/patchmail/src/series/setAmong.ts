import type { ListedPatchset } from './listedPatchset.ts';
import { patchSubject } from './patchSubject.ts';

/** A mail in a thread. */
interface ThreadMail {
	readonly id: number;
	/** With angle brackets. */
	readonly messageId: string;
	readonly subject: string;
}

/**
 * True if a patchset consists of some of these mails. Servers state a Message-ID or the cover letter. Without both, the
 * subject decides.
 */
export function isSetAmong(mails: readonly ThreadMail[], patchset: ListedPatchset): boolean {
	const rowOf = rowsByMail([patchset]);
	return mails.some((mail) => rowOf(mail) !== undefined);
}

/** Maps a mail to the row of the patchset that `isSetAmong` accepts; the last row of several. */
export function rowsByMail(patchsets: readonly ListedPatchset[]): (mail: ThreadMail) => number | undefined {
	const byId = new Map<number, number>();
	const byMessageId = new Map<string, number>();
	const byTitle = new Map<string, number>();
	for (const [row, patchset] of patchsets.entries()) {
		const { coverLetter, submitter, messageId } = patchset;
		if (coverLetter) {
			byId.set(coverLetter.id, row);
		}
		if (messageId !== undefined) {
			byMessageId.set(messageId, row);
		}
		if (!coverLetter && messageId === undefined && submitter === undefined) {
			byTitle.set(titleOf(patchset), row);
		}
	}
	return ({ id, messageId, subject }) => {
		const title = byTitle.size > 0 ? titleOfMail(subject) : undefined;
		const rows = [byId.get(id), byMessageId.get(messageId), byTitle.get(title ?? '')];
		const last = rows.reduce((latest: number, row) => Math.max(latest, row ?? -1), -1);
		return last === -1 ? undefined : last;
	};
}

/** Servers name a patchset after its cover letter, else after its first patch (docs/protocol.md#how-patchsets-form). */
export function titleOfMail(subject: string): string | undefined {
	const place = patchSubject(subject);
	return place === undefined || place.isReply || place.index > 1
		? undefined
		: titleOf({ subject: place.subject, prefix: place.prefix, version: place.version });
}

export function titleOf({ subject, prefix, version }: Pick<ListedPatchset, 'subject' | 'prefix' | 'version'>): string {
	return JSON.stringify([subject, prefix ?? '', version]);
}
