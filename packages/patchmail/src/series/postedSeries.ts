import { headerValue, messageIdsIn } from '../mail/mailHead.ts';
import { readMail } from '../mail/readMail.ts';
import { likenesses } from './likeness.ts';
import { patchIdentity } from './patchIdentity.ts';
import type { ListedPatchset } from './listedPatchset.ts';
import { arrivalOrder } from './sentOrder.ts';
import { readSeries } from './series.ts';
import type { SetMail } from './setParts.ts';
import { authorAbove, hasDiffLines, senderNames } from './setText.ts';
import { threadsOf } from './setThreads.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';
import { statedVersions } from './statedVersions.ts';
import { formedFacts, setsAmong, withoutParts, type MailSet } from './threadSets.ts';
import { subjectPlace } from './subjectPlace.ts';
import { versionsAmong, type VersionLink } from './versions.ts';

/**
 * Reads mails, numbered from 1. A reply has the number of its parent, if that mail is among them. Rejects with the
 * signal's reason.
 */
export async function readEnvelopes(envelopes: readonly string[], signal: AbortSignal): Promise<readonly SeriesMail[]> {
	const numbers = new Map<string, number>();
	const mails: SeriesMail[] = [];
	for (const envelope of envelopes) {
		const reading = await readMail(envelope, { evenIfLarge: true });
		signal.throwIfAborted();
		const id = mails.length + 1;
		const mail = reading.kind === 'read' ? reading.mail : undefined;
		const messageId = mail?.messageId ?? '';
		// Replies answer the first text under a Message-ID.
		numbers.set(messageId, numbers.get(messageId) ?? id);
		mails.push({
			id,
			messageId,
			parentId: undefined,
			createdMs: mail?.dateMs ?? 0,
			subject: mail?.subject ?? '',
			account: undefined,
			reading,
		});
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

/**
 * The sets of patches among mails of any threads, each on its own, oldest first. Reads a thread once per set. A mail to
 * two lists counts once.
 */
export function postedSeries(all: readonly SeriesMail[]): readonly PostedSeries[] {
	const mails = withoutCopies(all);
	const named = new Map(mails.map((mail) => [mail.id, { mail, ...setMailOf(mail) }]));
	const roots = threadsOf([...named.values()]);
	const threads = Map.groupBy(mails, ({ id }) => roots.get(id));
	return Array.from(threads.values())
		.flatMap((unordered) => {
			const thread = unordered.toSorted(arrivalOrder);
			const sets = withoutParts(setsAmong(thread.flatMap(({ id }) => named.get(id) ?? [])));
			const versions = Map.groupBy(sets, (set) => set.of ?? set);
			return sets.map((set) => {
				const others = versions.get(set.of ?? set) ?? [];
				return seriesOf(set, thread, new Set(others.flatMap(({ own }) => own.map(({ id }) => id))));
			});
		})
		.filter(({ series }) => series.patches.length > 0)
		.toSorted((one, other) => one.createdMs - other.createdMs || one.id - other.id);
}

/** Of texts under one Message-ID. A list may have added its lines below. */
function withoutCopies(mails: readonly SeriesMail[]): readonly SeriesMail[] {
	const texts = new Map<string, string[]>();
	return mails.filter(({ messageId, reading }) => {
		const text = (reading.kind === 'read' ? reading.mail.text : reading.text).trimEnd();
		const others = texts.get(messageId) ?? [];
		const isCopy = messageId !== '' && others.some((other) => text.startsWith(other) || other.startsWith(text));
		texts.set(messageId, [...others, text]);
		return !isCopy;
	});
}

type SetOfMails = MailSet<SetMail & { readonly mail: SeriesMail }>;

function seriesOf(set: SetOfMails, thread: readonly SeriesMail[], elsewhere: ReadonlySet<number>): PostedSeries {
	const { subject, prefix, version, count, own, of, cover } = set;
	const patches = set.patches.map(({ mail: { id }, index, keptFrom }) => ({ id, index, keptFrom }));
	const replaced = set.replaced.map(({ mail: { id }, index }) => ({ id, index }));
	const series = readSeries(thread, {
		version,
		coverLetterId: cover?.id,
		set: { count, patches, replaced },
		elsewhere,
	});
	const first = cover ?? own[0];
	const last = own.at(-1)?.mail;
	return {
		id: idOf(set),
		createdMs: first?.createdMs ?? 0,
		subject,
		prefix: prefix === '' ? undefined : prefix,
		version,
		coverLetter: series.cover && { id: series.cover.id, sender: undefined },
		submitter: last && fromOf(last),
		messageId: last?.messageId,
		supersededById: undefined,
		...(of ? { supersedesId: idOf(of) } : {}),
		formed: formedFacts(set, undefined, idOf),
		series,
		thread,
	};
}

function idOf({ own }: SetOfMails): number {
	return own[0]?.id ?? 0;
}

function setMailOf(mail: SeriesMail): SetMail {
	const { id, parentId, createdMs, subject, reading } = mail;
	const names = senderNames(fromOf(mail));
	const text = reading.kind === 'read' ? reading.mail.text : '';
	const author = authorAbove(text) ?? names[0];
	const lostAbove =
		parentId === undefined && reading.kind === 'read' ? messageIdsIn(reading.mail.inReplyTo)[0] : undefined;
	const hasDiff = diffIn(mail);
	const place = subjectPlace(subject, hasDiff);
	return {
		id,
		parentId,
		createdMs,
		arrivedMs: createdMs,
		subject,
		place,
		names,
		hasDiff,
		author,
		patchsetId: undefined,
		lostAbove,
	};
}

function diffIn({ reading }: SeriesMail): boolean | undefined {
	return reading.kind === 'raw'
		? undefined
		: hasDiffLines(reading.mail.body) || reading.mail.attachments.some(({ patch }) => patch !== undefined);
}

function fromOf({ reading }: SeriesMail): string {
	return (reading.kind === 'read' ? headerValue(reading.mail.headers, 'from') : undefined) ?? '';
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
	const compared = among.map(({ id, series: { patches } }) => ({
		id,
		patches: patches.flatMap(({ patch }) => patchIdentity(patch) ?? []),
	}));
	const alike = compared.filter(({ id }) => id === of.id).flatMap((each) => likenesses(each, compared));
	return versionsAmong(of, among, { linked: [], unlinked: [], stated: statedPairs, alike });
}
