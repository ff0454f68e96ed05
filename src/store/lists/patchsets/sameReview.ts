import type { MailReading } from 'patchmail/mail/readableMail.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import type { PatchsetFacts } from './patchsetFacts.ts';
import type { PatchsetReview } from './patchsetReview.ts';

export function isSameSource(one: PatchsetFacts, other: PatchsetFacts): boolean {
	return (
		one.from.series === other.from.series &&
		one.from.threads.size === other.from.threads.size &&
		[...one.from.threads].every(([id, mails]) => other.from.threads.get(id) === mails) &&
		isSameValue(one.from.strayRoots, other.from.strayRoots) &&
		one.from.usualPrefix === other.from.usualPrefix &&
		one.mails.length === other.mails.length &&
		one.mails.every(({ reading }, at) => isSameReading(reading, other.mails[at]?.reading))
	);
}

/** The facts are equal, so only the data of other patchsets can differ. */
export function isSameReview(one: PatchsetReview, other: PatchsetReview): boolean {
	return (
		one.patchset === other.patchset &&
		isSameValue(one.versions, other.versions) &&
		isSameValue(one.trailers, other.trailers) &&
		isSameValue(one.failures, other.failures) &&
		isSameValue(one.suggestions, other.suggestions)
	);
}

/** Mails never change, so an unreadable mail stays unreadable for the same reason. */
export function isSameReading(one: MailReading, other: MailReading | undefined): boolean {
	return one === other || (one.kind === 'raw' && other?.kind === 'raw' && one.reason === other.reason);
}
