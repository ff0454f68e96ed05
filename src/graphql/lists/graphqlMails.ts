import type { ListApi } from '../../forge/forge.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { Email, EmailId, PatchsetRef, ShortEmail } from '../../forge/list.ts';
import { mailOrder } from '../../forge/mailOrder.ts';
import type { Pages } from '../../forge/page.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { orNotFound } from '../door/listed.ts';
import { inList } from './listIds.ts';
import type { MailOfMailbox } from './mailboxFile.ts';
import { findMail, readMail, readPatchsetThread, readThread } from './mailDocuments.ts';
import { bracketed } from './listAnswers.ts';
import { rawMails, type RawMails } from './rawMails.ts';

/** Mails of threads and patchsets, over GraphQL, their texts out of mailboxes. */
export function graphqlMails(caller: GraphqlCaller): Pick<ListApi, 'email' | 'thread' | 'patches'> {
	const { ask } = caller;
	const raw = rawMails(caller);

	async function find(id: EmailId, signal: AbortSignal): Promise<FoundMail> {
		if (typeof id === 'number') {
			return orNotFound(await ask(readMail, { id }, signal));
		}
		if (id.list === undefined) {
			// A Message-ID is known to its list alone.
			throw new ForgeError({ kind: 'notFound' });
		}
		return orNotFound(await ask(findMail, { ...inList(id.list), messageId: bracketed(id.messageId) }, signal));
	}

	return {
		async email(id, signal) {
			const found = await find(id, signal);
			return { ...longMail(found, await raw.mail(found.mail.id, signal)), ...countsOf(found) };
		},
		async thread(id, signal) {
			const anyId = typeof id === 'number' ? id : (await find(id, signal)).mail.id;
			const { rootId, mails } = orNotFound(await ask(readThread, { id: anyId }, signal));
			const texts = await textsOf(raw, { mails, mailbox: await raw.thread(rootId, signal) }, signal);
			return mailOrder(mails.map((each) => withText(each, texts.get(each.mail.messageId))));
		},
		async *patches(ref, signal): Pages<Email> {
			const items = await patchesOf(ref, signal);
			yield { items, seen: items.length, completeness: { kind: 'complete' } };
		},
	};

	async function patchesOf(ref: PatchsetRef, signal: AbortSignal): Promise<readonly Email[]> {
		const [found, mailbox] = await Promise.all([
			ask(readPatchsetThread, { id: ref.id }, signal),
			raw.patches(ref, signal),
		]);
		const { mails } = orNotFound(found);
		const texts = await textsOf(raw, { mails, mailbox }, signal);
		// The mailbox has them in order, and nothing else than them.
		return mailbox.flatMap(({ messageId }) => {
			const mail = mails.find((each) => each.mail.messageId === messageId);
			const text = texts.get(messageId);
			return mail && text !== undefined ? [longMail({ ...mail, isPatch: true }, text)] : [];
		});
	}
}

interface KnownMail {
	readonly mail: ShortEmail;
	readonly isPatch: boolean;
}

interface FoundMail extends KnownMail {
	readonly replies: number;
	readonly participants: number;
}

interface Mailbox {
	readonly mails: readonly KnownMail[];
	readonly mailbox: readonly MailOfMailbox[];
}

/** Texts by Message-ID. One that the mailbox may have changed is asked for by itself. */
async function textsOf(
	raw: RawMails,
	{ mails, mailbox }: Mailbox,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	const texts = new Map<string, string>();
	for (const { messageId, envelope, isDoubtful } of mailbox) {
		const id = isDoubtful ? mails.find(({ mail }) => mail.messageId === messageId)?.mail.id : undefined;
		texts.set(messageId, id === undefined ? envelope : await raw.mail(id, signal));
	}
	return texts;
}

function withText(known: KnownMail, text: string | undefined): Email | ShortEmail {
	return text === undefined ? known.mail : longMail(known, text);
}

function longMail({ mail, isPatch }: KnownMail, envelope: string): Email {
	// The server says nothing of requests to pull; who shows them reads the text.
	return { ...mail, isPatch, isRequestPull: false, replies: 0, participants: 0, envelope };
}

/** Servers of the other protocol tell these with the first mail of a thread, too. */
function countsOf({ mail, replies, participants }: FoundMail): Pick<Email, 'replies' | 'participants'> {
	return mail.threadId === undefined ? { replies, participants } : { replies: 0, participants: 0 };
}
