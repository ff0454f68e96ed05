import { minOf } from '@forge-desk/base/longArrays.ts';
import { senderIn } from '../mail/onlySender.ts';
import { mailText } from '../mail/mailText.ts';
import { splitMailbox } from '../mail/mailbox.ts';
import { headerValue } from '../mail/mailHead.ts';
import { readMail } from '../mail/readMail.ts';
import type { ListedPatchset } from './listedPatchset.ts';
import { readSeries } from './series.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';
import { statedVersions } from './statedVersions.ts';
import { subjectPlace } from './subjectPlace.ts';
import { versionsAmong, type VersionLink } from './versions.ts';

/**
 * Reads the mails of an mbox, numbered from 1. A reply has the number of its parent, if the mailbox has that mail.
 * Rejects with the signal's reason.
 */
export async function readMailbox(mbox: Uint8Array, signal: AbortSignal): Promise<readonly SeriesMail[]> {
	const numbers = new Map<string, number>();
	const mails: SeriesMail[] = [];
	for (const { envelope } of splitMailbox(mailText(mbox))) {
		const reading = await readMail(envelope, { evenIfLarge: true });
		signal.throwIfAborted();
		const id = mails.length + 1;
		const mail = reading.kind === 'read' ? reading.mail : undefined;
		const messageId = mail?.messageId ?? '';
		// A second copy, as of a mail to two lists, keeps the number of the first.
		if (messageId === '' || !numbers.has(messageId)) {
			numbers.set(messageId, id);
			const subject = mail?.subject ?? '';
			mails.push({
				id,
				messageId,
				parentId: undefined,
				createdMs: mail?.dateMs ?? 0,
				subject,
				account: undefined,
				reading,
			});
		}
	}
	return mails.map((mail) => {
		const { inReplyTo, references = [] } = mail.reading.kind === 'read' ? mail.reading.mail : {};
		const named = [...references, ...(inReplyTo === undefined ? [] : [inReplyTo])];
		// The nearest known ancestor.
		const parentId = named
			.toReversed()
			.map((name) => numbers.get(name))
			.find((number) => number !== undefined && number !== mail.id);
		return { ...mail, parentId };
	});
}

/** A version of a series as somebody posted it. */
export interface PostedSeries extends ListedPatchset {
	readonly series: SeriesReading;
	/** All mails of its thread, oldest first. */
	readonly thread: readonly SeriesMail[];
}

/** The series among mails of any threads, each version on its own, oldest first. Reads a thread once per version. */
export function postedSeries(mails: readonly SeriesMail[]): readonly PostedSeries[] {
	const roots = rootsOf(mails);
	const threads = Map.groupBy(mails, ({ id }) => roots.get(id));
	return Array.from(threads.values())
		.flatMap((unordered) => {
			const thread = unordered.toSorted((one, other) => one.createdMs - other.createdMs || one.id - other.id);
			const parts = thread.flatMap((mail) => {
				const place = subjectPlace(mail.subject);
				return place === undefined || place.isReply ? [] : [{ mail, place }];
			});
			const versions = Map.groupBy(parts, ({ mail, place: { prefix, version } }) =>
				JSON.stringify([prefix, version, senderIn(fromOf(mail))?.address.toLowerCase()]),
			);
			return Array.from(versions.values(), (group) => seriesOf(group, thread));
		})
		.filter(({ series }) => series.patches.length > 0)
		.toSorted((one, other) => one.createdMs - other.createdMs || one.id - other.id);
}

interface Part {
	readonly mail: SeriesMail;
	readonly place: NonNullable<ReturnType<typeof subjectPlace>>;
}

function seriesOf(group: readonly Part[], thread: readonly SeriesMail[]): PostedSeries {
	const [first] = group.toSorted((one, other) => one.place.index - other.place.index);
	const { version = 1, prefix = '', subject = '' } = first?.place ?? {};
	const patchIds = new Set(group.filter(({ place }) => place.index > 0).map(({ mail }) => mail.id));
	const series = readSeries(thread, {
		version,
		patchIds,
		coverLetterId: group.find(({ place }) => place.index === 0)?.mail.id,
	});
	const last = series.patches.at(-1)?.mail;
	return {
		id: first?.mail.id ?? 0,
		createdMs: first?.mail.createdMs ?? 0,
		subject,
		prefix: prefix === '' ? undefined : prefix,
		version,
		coverLetter: series.cover && { id: series.cover.id, sender: undefined },
		submitter: last && fromOf(last),
		messageId: last?.messageId,
		supersededById: undefined,
		series,
		thread,
	};
}

function fromOf({ reading }: SeriesMail): string {
	return (reading.kind === 'read' ? headerValue(reading.mail.headers, 'from') : undefined) ?? '';
}

/** Number of the first mail of each mail's thread. In a cycle, which a broken mailbox may have, the lowest number. */
function rootsOf(mails: readonly SeriesMail[]): ReadonlyMap<number, number> {
	const parents = new Map(mails.map(({ id, parentId }) => [id, parentId]));
	const roots = new Map<number, number>();
	for (const { id } of mails) {
		const path = new Set<number>();
		let at = id;
		let above = parents.get(at);
		while (!roots.has(at) && !path.has(at) && above !== undefined && parents.has(above)) {
			path.add(at);
			at = above;
			above = parents.get(at);
		}
		const root = roots.get(at) ?? (path.has(at) ? minOf(path) : at);
		path.add(at);
		path.forEach((each) => roots.set(each, root));
	}
	return roots;
}

/** All versions of a series among others, itself included, lowest first; `link`: the reason, `undefined` for itself. */
export function versionsOf(
	of: PostedSeries,
	among: readonly PostedSeries[],
): readonly { readonly patchset: PostedSeries; readonly link: VersionLink | undefined }[] {
	const stated = among.map((each) => {
		const { cover, patches } = each.series;
		const reading = (cover ?? patches[0]?.mail)?.reading;
		return { each, ...statedVersions(reading?.kind === 'read' ? reading.mail.body : '') };
	});
	const ofMails = new Map(
		among.flatMap(({ id, series: { cover, patches } }) =>
			[cover, ...patches.map(({ mail }) => mail)].flatMap((mail) => (mail ? [[mail.messageId, id] as const] : [])),
		),
	);
	const firsts = new Map<string, number>();
	// Pairs of series with one `change-id`, or with a link from one to the other.
	const statedPairs = stated.flatMap(({ each: { id }, changeId, links }) => {
		const first = changeId === undefined ? id : (firsts.get(changeId) ?? id);
		if (changeId !== undefined) {
			firsts.set(changeId, first);
		}
		return [first, ...links.flatMap(({ messageId }) => ofMails.get(messageId) ?? [])]
			.filter((other) => other !== id)
			.map((other) => [other, id] as const);
	});
	return versionsAmong(of, among, { linked: [], unlinked: [], stated: statedPairs });
}
