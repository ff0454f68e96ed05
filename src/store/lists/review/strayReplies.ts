import type { ListRef, ShortEmail } from '../../../forge/port/list.ts';
import { subjectOfThread } from '../../../forge/port/patchSubject.ts';
import type { ListStore } from '../listStore.ts';
import type { MailTexts, ReadText } from '../listMailTexts.ts';
import type { MailSummary, Series } from '../mailSummary.ts';

/** The mails of a patchset and its thread. */
export interface ReadConversation {
	readonly list: ListRef;
	readonly series: Series;
	readonly thread: readonly MailSummary[];
}

/** Limit per patchset. */
const mostRoots = 20;

/**
 * First mails of threads that may belong to a patchset: servers start a new thread for a reply whose parent never
 * reached the list (docs/protocol.md#threads). Subjects of the series come first, then the newest.
 */
export function strayRoots(posts: readonly ShortEmail[], { series, thread }: ReadConversation): readonly ShortEmail[] {
	const mails = mailsOf(series);
	const sinceMs = Math.min(...mails.map(({ createdMs }) => createdMs));
	const known = new Set([...mails, ...thread].map(({ id }) => id));
	const subjects = new Set(mails.map(subjectKey));
	const isNamed = (mail: ShortEmail): number => (subjects.has(subjectKey(mail)) ? 0 : 1);
	return posts
		.filter((mail) => isReply(mail) && (mail.threadId ?? mail.id) === mail.id)
		.filter(({ id, createdMs }) => createdMs >= sinceMs && !known.has(id))
		.toSorted((a, b) => isNamed(a) - isNamed(b) || b.id - a.id)
		.slice(0, mostRoots);
}

/** Mails of stray threads that belong to the patchset by `References` or by subject. */
export async function readStrays(
	{ lists, texts }: { readonly lists: ListStore; readonly texts: MailTexts },
	roots: readonly ShortEmail[],
	{ list, series, thread }: ReadConversation,
	signal: AbortSignal,
): Promise<readonly MailSummary[]> {
	if (roots.length === 0) {
		return [];
	}
	const named = new Set([...mailsOf(series), ...thread].map(({ messageId }) => messageId));
	const subjects = new Set(mailsOf(series).map(subjectKey));
	const read = await texts.readAll(
		roots.map(({ id }) => id),
		signal,
	);
	const found: MailSummary[] = [];
	for (const root of roots) {
		const text = read.get(root.id);
		if (text && (referencesOf(text).some((id) => named.has(id)) || subjects.has(subjectKey(root)))) {
			found.push(...(await lists.thread(list, root.id, signal)));
		}
	}
	return found;
}

function mailsOf({ cover, patches }: Series): readonly MailSummary[] {
	return cover ? [cover, ...patches] : patches;
}

function isReply({ subject }: ShortEmail): boolean {
	return /^\s*re:/i.test(subject);
}

function subjectKey({ subject }: Pick<ShortEmail, 'subject'>): string {
	return subjectOfThread(subject).replaceAll(/\s+/g, ' ').toLowerCase();
}

function referencesOf({ reading }: ReadText): readonly string[] {
	return reading.kind === 'raw'
		? []
		: [...reading.mail.references, ...(reading.mail.inReplyTo === undefined ? [] : [reading.mail.inReplyTo])];
}
