import type { Email, ListRef, Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import type { SearchedMail, SearchedPatchset } from '../../../engine/search/mails/searchedMail.ts';
import { asksForPull } from 'patchmail/series/pullRequest.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import type { ThreadSummary } from '../../../store/lists/listThreads.ts';
import type { ReadText } from '../../../store/lists/listMailTexts.ts';

/*
 * Patchsets and threads with their loaded mails, in the form that the search needs. Makes no requests.
 */

/** Something as the search looks at it. */
export interface Searched<T> {
	/** Lazy. */
	readonly things: () => T;
	/** Inputs of `things`; identical objects as long as the loaded data is unchanged. */
	readonly from: readonly (object | string | undefined)[];
}

/** A patchset with its loaded mails. */
export function searchedPatchset(
	connection: Connection,
	list: ListRef,
	{ patchset, mark }: Pick<SearchedPatchset, 'patchset' | 'mark'>,
): Searched<SearchedPatchset> {
	const series = connection.lists.knownSeries({ list, id: patchset.id });
	const mails = (series ? [...(series.cover ? [series.cover] : []), ...series.patches] : []).map((mail) =>
		knownOf(connection, mail),
	);
	return {
		things: () => ({ patchset, mark, mails: mails.map((mail) => searchedMail(mail, { patchset, mark })) }),
		from: [patchset, mark, series, ...mails.flatMap(({ whole, read }) => [whole, read])],
	};
}

/** A thread with its loaded mails: at least its first or its newest. */
export function searchedThread(
	connection: Connection,
	list: ListRef,
	{ thread, mark }: { readonly thread: ThreadSummary; readonly mark: Mark | undefined },
): Searched<readonly SearchedMail[]> {
	const { id, first, latest } = thread;
	const known = connection.lists.knownThread(list, id);
	const glances = known ?? [...(first ? [first] : []), ...(latest.id === first?.id ? [] : [latest])];
	const mails = glances.map((mail) => knownOf(connection, mail));
	const patchset = patchsetOf(connection, list, first ?? latest);
	return {
		things: () => mails.map((mail) => searchedMail(mail, { patchset, mark })),
		from: [patchset, mark, known, latest, ...mails.flatMap(({ whole, read }) => [whole, read])],
	};
}

/** A mail with its parsed text. */
interface KnownMail {
	readonly mail: ShortEmail | MailSummary;
	readonly whole: Email | undefined;
	readonly read: ReadText | undefined;
}

function knownOf({ lists, texts }: Connection, mail: ShortEmail | MailSummary): KnownMail {
	return { mail, whole: lists.knownMail(mail.id), read: texts.known(mail.id) };
}

function searchedMail({ mail, whole, read }: KnownMail, { patchset, mark }: Pick<SearchedMail, 'patchset' | 'mark'>) {
	const reading = read?.reading;
	return {
		subject: mail.subject,
		account: mail.sender?.canonicalName,
		isReply: mail.parentId !== undefined,
		isPatch: whole?.isPatch ?? ('isPatch' in mail ? mail.isPatch : undefined),
		// Lazy: few filters need it, and it scans the text.
		get isRequestPull() {
			return asksForPull({ subject: mail.subject, isTold: whole?.isRequestPull, reading });
		},
		patchset,
		mark,
		read:
			reading?.kind === 'raw'
				? { from: [], to: [], cc: [], headers: [], dateMs: undefined, text: reading.text }
				: reading?.mail,
	};
}

/** The patchset of a thread: from the server, otherwise by the subject of the first mail. */
function patchsetOf({ lists }: Connection, list: ListRef, first: ShortEmail): Patchset | undefined {
	const patchsets = lists.knownPatchsets(list);
	let index = indexes.get(patchsets);
	if (!index) {
		const oldestFirst = patchsets.toReversed();
		index = {
			byId: new Map(patchsets.map((each) => [each.id, each])),
			byCover: new Map(oldestFirst.flatMap((each) => (each.coverLetter ? [[each.coverLetter.id, each] as const] : []))),
			byTitle: new Map(oldestFirst.map((each) => [titleKey(each.subject, each.version, each.prefix ?? ''), each])),
		};
		indexes.set(patchsets, index);
	}
	const { byId, byCover, byTitle } = index;
	const stated = first.patchsetId ?? lists.knownMail(first.id)?.patchsetId;
	if (stated !== undefined) {
		return byId.get(stated);
	}
	const place = patchSubject(first.subject);
	return byCover.get(first.id) ?? (place && byTitle.get(titleKey(place.subject, place.version, place.prefix)));
}

interface PatchsetIndex {
	readonly byId: ReadonlyMap<number, Patchset>;
	/** By the number of the cover letter. */
	readonly byCover: ReadonlyMap<number, Patchset>;
	/** The newest one of each title. */
	readonly byTitle: ReadonlyMap<string, Patchset>;
}

/** Index of a list's loaded patchsets, built once for all its threads. */
const indexes = new WeakMap<readonly Patchset[], PatchsetIndex>();

function titleKey(subject: string, version: number, prefix: string): string {
	return JSON.stringify([subject, version, prefix]);
}
