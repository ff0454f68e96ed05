import type { Email } from './mailModel.ts';
import type { PatchPlace } from '../mail/patchSubject.ts';

/** The mails that make up a set. */
export interface FormedSet {
	readonly place: PatchPlace;
	readonly subject: string;
	readonly coverLetter: Email | null;
	/** Index 1 to n. */
	readonly patches: readonly [Email, ...Email[]];
}

/**
 * The set that `newest` completes, if any (docs/protocol.md#how-patchsets-form): patches 1 to n of one prefix, version
 * and count within one thread that holds no set yet. Only mails with a diff in their text count as patches.
 */
export function formSet(thread: readonly Email[], newest: Email): FormedSet | undefined {
	const { place } = newest;
	const taken = thread.some(({ patchset }) => patchset !== null);
	if (place === undefined || taken || !countsFor(newest, place.index)) {
		return undefined;
	}
	const byIndex = seriesByIndex(thread, place);
	const first = byIndex.get(1);
	const rest = Array.from({ length: Math.max(0, place.count - 1) }, (_, at) => byIndex.get(at + 2));
	const found = rest.filter((email) => email !== undefined);
	if (first === undefined || place.count === 0 || found.length < rest.length) {
		return undefined;
	}
	const coverLetter = byIndex.get(0) ?? null;
	const subject = (coverLetter ?? first).place?.subject ?? '';
	return { place, subject, coverLetter, patches: [first, ...found] };
}

/** Of several mails with one index the oldest counts. */
function seriesByIndex(thread: readonly Email[], place: PatchPlace): ReadonlyMap<number, Email> {
	const byIndex = new Map<number, Email>();
	for (const email of thread) {
		const index = email.place?.index;
		const fits = index !== undefined && isSameSeries(email.place, place) && countsFor(email, index);
		if (fits && !byIndex.has(index)) {
			byIndex.set(index, email);
		}
	}
	return byIndex;
}

function countsFor(email: Email, index: number): boolean {
	return index === 0 || email.message.holdsPatch;
}

function isSameSeries(a: PatchPlace | undefined, b: PatchPlace): boolean {
	return a?.prefix === b.prefix && a.version === b.version && a.count === b.count;
}
