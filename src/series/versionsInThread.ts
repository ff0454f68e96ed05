import { onlySender } from '../mail/onlySender.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';
import { subjectPlace } from './subjectPlace.ts';

/** A version of a series that stands in the conversation of another one, where the server makes no patchset of it. */
export interface VersionInThread {
	readonly version: number;
	/** How many patches its subjects announce. */
	readonly count: number;
	/** How many of them are there. */
	readonly patches: number;
	/** Its cover letter, else its first patch. */
	readonly first: SeriesMail;
	readonly mailIds: ReadonlySet<number>;
}

/**
 * Further versions that came as replies in the conversation of a series, lowest first: mails of the same sender whose
 * subjects say a higher version, reply to nothing by their subject, and are in no patchset. `knownVersions` are patchsets
 * of their own. A lower version is none: who sends a fix without a number means no first version.
 */
export function versionsInThread(
	mails: readonly SeriesMail[],
	series: SeriesReading,
	knownVersions: ReadonlySet<number>,
): readonly VersionInThread[] {
	const own = [...(series.cover ? [series.cover] : []), ...series.patches.map(({ mail }) => mail)];
	const ownIds = new Set(own.map(({ id }) => id));
	const senders = new Set(own.flatMap(senderOf));
	const ownVersion = own.reduce((highest, { subject }) => Math.max(highest, subjectPlace(subject)?.version ?? 1), 1);
	const found = new Map<number, Part[]>();
	for (const mail of mails) {
		const place = ownIds.has(mail.id) || mail.patchsetId !== undefined ? undefined : subjectPlace(mail.subject);
		const isOwn = senderOf(mail).some((sender) => senders.has(sender));
		if (place && !place.isReply && place.version > ownVersion && isOwn && !knownVersions.has(place.version)) {
			const parts = found.get(place.version) ?? [];
			parts.push({ mail, index: place.index, count: place.count });
			found.set(place.version, parts);
		}
	}
	return Array.from(found)
		.toSorted(([a], [b]) => a - b)
		.flatMap(([version, parts]) => versionOf(version, parts));
}

/** A mail and what its subject says of its place. */
interface Part {
	readonly mail: SeriesMail;
	/** 0 for a cover letter. */
	readonly index: number;
	readonly count: number;
}

function versionOf(version: number, parts: readonly Part[]): readonly VersionInThread[] {
	const [first] = parts.toSorted((a, b) => a.index - b.index || a.mail.id - b.mail.id);
	const count = parts.reduce((most, part) => Math.max(most, part.count), 1);
	const indexes = new Set(parts.map(({ index }) => index).filter((index) => index > 0));
	const mailIds = new Set(parts.map(({ mail }) => mail.id));
	return first === undefined ? [] : [{ version, count, patches: indexes.size, first: first.mail, mailIds }];
}

/** Nothing for a mail whose sender is in doubt. */
function senderOf({ reading }: SeriesMail): readonly string[] {
	const address = reading.kind === 'read' ? onlySender(reading.mail)?.address.toLowerCase() : undefined;
	return address === undefined || address === '' ? [] : [address];
}
