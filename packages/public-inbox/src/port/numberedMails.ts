import { createHash } from 'node:crypto';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { headerValue } from 'patchmail/mail/mailHead.ts';
import { mailOrder } from 'patchmail/mail/mailOrder.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import type { ReadableMail } from 'patchmail/mail/readableMail.ts';
import { personText } from 'patchmail/mail/writtenAddress.ts';
import { subjectOfThread } from 'patchmail/series/patchSubject.ts';
import { holdsDiff } from 'patchmail/mail/readMail.ts';
import type { Email, ListRef, ShortEmail, ShortList } from 'sourcehut/port/list.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Page, Pages } from 'sourcehut/port/page.ts';
import { provisionalSeries } from '../series/provisionalSeries.ts';
import { idOfMail, mailWithHead } from '../local/mailFacts.ts';
import type { MailNumbers } from './mailNumbers.ts';

interface ReadMail {
	readonly mail: Email;
	/** Message-IDs of In-Reply-To and References. */
	readonly named: readonly string[];
}

/**
 * Reads raw mails, in order of the thread. A second text under a Message-ID is a mail of its own. `linkedTo`: only
 * mails that References connect to this one.
 */
export async function numberedMails(
	ids: MailNumbers,
	list: ShortList,
	raw: readonly Uint8Array[],
	signal: AbortSignal,
	linkedTo?: string,
): Promise<readonly Email[]> {
	const read: ReadMail[] = [];
	const numbers = new Map<string, number>();
	for (const bytes of raw) {
		const envelope = mailText(bytes);
		const readable = await mailWithHead(envelope);
		signal.throwIfAborted();
		const messageId = idOfMail(readable, bytes);
		const { named, ...head } = headOf(readable);
		const isSecond = numbers.has(messageId);
		const text = isSecond ? { text: digestOf(bytes) } : {};
		const id = ids.numberOf({ inbox: list.name, messageId, ...text }, head.createdMs);
		if (!isSecond) {
			numbers.set(messageId, id);
		}
		const unknown = {
			parentId: undefined,
			threadId: undefined,
			sender: undefined,
			patchsetId: undefined,
			isRequestPull: false,
			replies: 0,
			participants: 0,
		};
		read.push({ mail: { id, list, envelope, messageId, ...head, ...unknown }, named });
	}
	const mails = (linkedTo === undefined ? read : linked(read, linkedTo)).map(({ mail, named }) => {
		// The nearest known ancestor.
		const parentId = named
			.toReversed()
			.map((name) => numbers.get(name))
			.find((number) => number !== undefined && number !== mail.id);
		return { ...mail, parentId };
	});
	const ordered = mailOrder(mails);
	const [first] = ordered;
	return ordered.map((mail) => ({ ...mail, threadId: mail === first ? undefined : first?.id }));
}

/** Posts whose patches name the first mail of their series as thread, because rows of a search do not. Notes their titles. */
export async function* inSeries(
	{ name }: ListRef,
	pages: Pages<ShortEmail>,
	titles: Map<string, number>,
): Pages<ShortEmail> {
	for await (const page of pages) {
		const rows = page.items.map(({ messageId, subject, from = '', createdMs }) => {
			// The address of some is known.
			return { messageId, subject, author: from.replace(/ <[^<>]*>$/, ''), dateMs: createdMs };
		});
		const numbers = new Map(page.items.map(({ messageId, id }) => [messageId, id]));
		const threadOf = new Map(
			provisionalSeries(rows).flatMap(({ messageId, patches }) =>
				patches.flatMap((patch) => (patch.messageId === messageId ? [] : [[patch.messageId, numbers.get(messageId)]])),
			),
		);
		const items = page.items.map((mail) => ({ ...mail, threadId: mail.threadId ?? threadOf.get(mail.messageId) }));
		items.toReversed().forEach(({ id, threadId = id, subject }) => titles.set(titleInList(name, subject), threadId));
		yield { ...page, items };
	}
}

/** `undefined` at the end, and of a list that is gone: it must not hide the others. */
export async function nextPage<T>(pages: Pages<T>): Promise<Page<T> | undefined> {
	try {
		return (await pages.next()).value ?? undefined;
	} catch (error) {
		if (!isForgeError(error) || !['notFound', 'notAllowed'].includes(error.problem.kind)) {
			throw error;
		}
		return undefined;
	}
}

/**
 * A row that a search by the user's addresses found. Searches look for their words in names, too, so a name with the words
 * of one proves nothing.
 */
export function ownRow(mail: ShortEmail, addresses: readonly string[]): ShortEmail {
	const { from: name = '' } = mail;
	const [address = ''] = addresses;
	const isDoubtful = addresses.some((each) => wordsOf(name).includes(wordsOf(each)));
	return isDoubtful || address === '' ? mail : { ...mail, from: personText({ name, address }) };
}

/** As a search compares them. */
function wordsOf(text: string): string {
	return ` ${text
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== '')
		.join(' ')} `;
}

/** Equal for a mail and the replies to it. */
export function titleInList(inbox: string, subject: string): string {
	return `${inbox} ${subjectOfThread(subject)}`;
}

function digestOf(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Facts of a mail. `named`: Message-IDs of References and In-Reply-To. */
function headOf({ dateMs = 0, subject, headers, text, references, inReplyTo }: ReadableMail) {
	const from = headerValue(headers, 'from') ?? '';
	const named = [...references, ...(inReplyTo === undefined ? [] : [inReplyTo])];
	return { createdMs: dateMs, subject, from, isPatch: holdsDiff(text), named };
}

/** Archives add mails of other threads with an equal subject to a thread. */
function linked(mails: readonly ReadMail[], messageId: string): readonly ReadMail[] {
	const byName = new Map<string, ReadMail[]>();
	for (const each of mails) {
		for (const name of [each.mail.messageId, ...each.named]) {
			const known = byName.get(name);
			if (known) {
				known.push(each);
			} else {
				byName.set(name, [each]);
			}
		}
	}
	const found = new Set<ReadMail>();
	const names = [messageId];
	for (let name = names.pop(); name !== undefined; name = names.pop()) {
		for (const each of byName.get(name) ?? []) {
			if (!found.has(each)) {
				found.add(each);
				names.push(each.mail.messageId);
				pushAll(names, each.named);
			}
		}
		byName.delete(name);
	}
	// A reply without a parent belongs to the thread of its subject.
	const isStray = (each: ReadMail): boolean =>
		!found.has(each) && each.named.length === 0 && /^re:/i.test(each.mail.subject);
	const titleOf = ({ mail: { subject } }: ReadMail): string => subjectOfThread(subject);
	const own = new Set(Array.from(found, titleOf));
	const ofOthers = new Set(mails.filter((each) => !found.has(each) && !isStray(each)).map(titleOf));
	const isOwn = (title: string): boolean => found.size === 0 || own.has(title) || !ofOthers.has(title);
	return mails.filter((each) => found.has(each) || (isStray(each) && isOwn(titleOf(each))));
}
