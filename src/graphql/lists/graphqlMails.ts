import type { Clock } from '../../base/clock.ts';
import type { ListApi } from '../../forge/forge.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import { listKey, refOfList } from '../../forge/list.ts';
import type { Email, EmailId, ListRef, PatchsetRef, ShortEmail } from '../../forge/list.ts';
import { mailOrder } from '../../forge/mailOrder.ts';
import type { Page, Pages } from '../../forge/page.ts';
import { moreOfUnknown } from '../../answers/pagingWay.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { orNotFound } from '../door/listed.ts';
import { askableId, byName } from '../door/variables.ts';
import type { ListIds } from './listIds.ts';
import { bracketed, type FoundMail } from './listAnswers.ts';
import type { MailOfMailbox } from './mailboxFile.ts';
import { findMail, readMail, readPatchsetThread, readThread, type ThreadMails } from './mailDocuments.ts';
import { findMailAnywhere } from './oldMailDocuments.ts';
import { rawMails, type RawMails } from './rawMails.ts';
import { threadsOfPatches } from './threadsOfPatches.ts';

/**
 * Mails of threads and patchsets over GraphQL. Mailboxes are complete, so they supply mails and text; the ids of mails
 * come from their thread's blocks (docs/protocol.md#graphql-mailboxes).
 */
export function graphqlMails(
	caller: GraphqlCaller,
	clock: Pick<Clock, 'nowMs'>,
	ids: Pick<ListIds, 'met'>,
): Pick<ListApi, 'email' | 'thread' | 'patches'> {
	const { ask } = caller;
	const raw = rawMails(caller);
	const known = threadsOfPatches(clock);

	/** Only the list of a mail knows its Message-ID. */
	async function findNamed(list: ListRef, name: string, signal: AbortSignal): Promise<FoundMail | undefined> {
		const messageId = bracketed(name);
		const found = await ask(findMail, { ...byName(list), messageId }, signal);
		if (found?.kind !== 'notAskedFor') {
			return found?.mail;
		}
		const anywhere = await ask(findMailAnywhere, { messageId }, signal);
		const isThere = anywhere?.mail.list && listKey(refOfList(anywhere.mail.list)) === listKey(list);
		return isThere ? anywhere : undefined;
	}

	async function find(id: EmailId, signal: AbortSignal): Promise<FoundMail> {
		if (typeof id === 'number') {
			return orNotFound(await ask(readMail, { id: askableId(id) }, signal));
		}
		return orNotFound(id.list && (await findNamed(id.list, id.messageId, signal)));
	}

	/** The mails of a mailbox with their ids, and mails that only the blocks contain. */
	async function named({ mails, mailbox, list }: Mailbox, signal: AbortSignal): Promise<NamedMails> {
		const byMessageId = new Map(mails.map((each) => [each.mail.messageId, each]));
		let isWhole = true;
		for (const { messageId } of mailbox) {
			if (!byMessageId.has(messageId)) {
				// Mails without text have no block.
				const found = list && (await findNamed(list, messageId, signal));
				isWhole &&= found !== undefined;
				if (found) {
					byMessageId.set(messageId, found);
				}
			}
		}
		return { byMessageId, isWhole };
	}

	async function patchesOf(ref: PatchsetRef, signal: AbortSignal): Promise<Page<Email>> {
		const id = askableId(ref.id);
		const [found, mailbox] = await Promise.all([ask(readPatchsetThread, { id }, signal), raw.patches(id, signal)]);
		const { mails } = known.told(orNotFound(found));
		const { byMessageId, isWhole } = await named({ mails, mailbox, list: ref.list }, signal);
		const texts = await textsOf({ raw, byMessageId, mailbox }, signal);
		// The mailbox has exactly the patches, in order.
		const items = mailbox.flatMap(({ messageId }) => {
			const mail = byMessageId.get(messageId);
			return mail ? [longMail({ ...mail, isPatch: true }, texts.get(messageId) ?? '')] : [];
		});
		return { items, seen: items.length, completeness: isWhole ? { kind: 'complete' } : moreOfUnknown };
	}

	/** A thread and its mailbox. Reuses a thread that arrived with its patches, if the mailbox has the same mails. */
	async function threadOf(id: number, signal: AbortSignal): Promise<ThreadWithMailbox> {
		const before = known.taken(id);
		const mailbox = before && (await raw.thread(before.rootId, signal));
		if (before && mailbox && hasAllOf(before, mailbox)) {
			return { thread: before, mailbox };
		}
		const thread = orNotFound(await ask(readThread, { id }, signal));
		return { thread, mailbox: await raw.thread(thread.rootId, signal) };
	}

	return {
		async email(id, signal) {
			const found = await find(id, signal);
			if (found.mail.list) {
				ids.met(refOfList(found.mail.list));
			}
			return longMail(found, await raw.mail(found.mail.id, signal));
		},
		async thread(id, signal) {
			const anyId = typeof id === 'number' ? askableId(id) : (await find(id, signal)).mail.id;
			const { thread, mailbox } = await threadOf(anyId, signal);
			const { mails, list } = thread;
			if (list) {
				ids.met(refOfList(list));
			}
			const { byMessageId, isWhole } = await named({ mails, mailbox, list: list && refOfList(list) }, signal);
			if (!isWhole) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'the thread', why: 'a mail of it has no number' });
			}
			const texts = await textsOf({ raw, byMessageId, mailbox }, signal);
			return mailOrder([...byMessageId.values()].map((each) => withText(each, texts.get(each.mail.messageId))));
		},
		async *patches(ref, signal): Pages<Email> {
			yield await patchesOf(ref, signal);
		},
	};
}

interface ThreadWithMailbox {
	readonly thread: ThreadMails;
	readonly mailbox: readonly MailOfMailbox[];
}

/** True if no mail was added or deleted since. */
function hasAllOf({ mails }: ThreadMails, mailbox: readonly MailOfMailbox[]): boolean {
	const there = new Set(mailbox.map(({ messageId }) => messageId));
	return there.size === mails.length && mails.every(({ mail }) => there.has(mail.messageId));
}

interface Mailbox {
	readonly mails: readonly FoundMail[];
	readonly mailbox: readonly MailOfMailbox[];
	readonly list: ListRef | undefined;
}

interface NamedMails {
	readonly byMessageId: ReadonlyMap<string, FoundMail>;
	/** False if the mailbox has a mail without a known id. */
	readonly isWhole: boolean;
}

interface WantedTexts {
	readonly raw: RawMails;
	readonly byMessageId: NamedMails['byMessageId'];
	readonly mailbox: readonly MailOfMailbox[];
}

/** Texts by Message-ID. Downloads a mail alone if its text in the mailbox may be altered. */
async function textsOf(
	{ raw, byMessageId, mailbox }: WantedTexts,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	const texts = new Map<string, string>();
	for (const { messageId, envelope, isDoubtful } of mailbox) {
		const id = isDoubtful ? byMessageId.get(messageId)?.mail.id : undefined;
		texts.set(messageId, id === undefined ? envelope : await raw.mail(id, signal));
	}
	return texts;
}

function withText(known: FoundMail, text: string | undefined): Email | ShortEmail {
	return text === undefined ? known.mail : longMail(known, text);
}

function longMail({ mail, isPatch, replies, participants }: FoundMail, envelope: string): Email {
	const isFirst = mail.threadId === undefined;
	return {
		...mail,
		isPatch,
		// The server doesn't mark pull requests; the view detects them in the text.
		isRequestPull: false,
		// REST servers report these only with a thread's first mail, too.
		replies: isFirst ? replies : 0,
		participants: isFirst ? participants : 0,
		envelope,
	};
}
