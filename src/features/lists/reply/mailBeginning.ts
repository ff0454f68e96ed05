import { connectionOf } from '../../../editor/commands/subjects.ts';
import { mailDraftText } from '../../../engine/mail/mailDraftText.ts';
import type { ReadableMail } from '../../../engine/mail/readableMail.ts';
import { attributionOf, replySubject } from '../../../engine/review/replyHead.ts';
import { replyPeople } from '../../../engine/review/replyPeople.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MailDraftSubject } from '../../../store/drafts/drafts.ts';
import { addressOf, sureAddress } from './listAddress.ts';
import { writerOf, type ReadReviewParts } from './readReview.ts';

/*
 * Initial text of a mail: its recipients and its quote.
 */

export async function replyText(
	parts: Pick<ReadReviewParts, 'connections' | 'mailer'>,
	about: MailDraftSubject,
	signal: AbortSignal,
): Promise<string> {
	const connection = connectionOf(parts.connections, about);
	const { answered, mail } = await readAnswered(connection, about, signal);
	const own = await writerOf(connection, parts, undefined, signal);
	const mails = mail ? [mail, ...(await threadMails(connection, about, signal))] : [];
	const posting = await sureAddress(connection, about.ref, await addressOf(connection, about.ref, mails, signal));
	const { to, cc } = replyPeople(mail, { own: own?.own ?? [], posting });
	const quoted = withoutSignature((mail?.text ?? '').split('\n'));
	const body = [
		attributionOf(answered, mail),
		...quoted.map((line) => (line.trim() === '' ? '>' : `> ${line}`)),
		'',
		'',
	];
	return mailDraftText({ to, cc, subject: replySubject(answered.subject), body: body.join('\n') });
}

/** More lines below the last `-- ` are no signature. */
const longestSignature = 10;

function withoutSignature(lines: readonly string[]): readonly string[] {
	const at = lines.findLastIndex((line) => /^-- ?$/.test(line));
	const text = at === -1 || lines.length - at > longestSignature ? lines : lines.slice(0, at);
	return text.slice(0, text.findLastIndex((line) => line.trim() !== '') + 1);
}

interface Answered {
	readonly answered: { readonly messageId: string; readonly createdMs: number; readonly subject: string };
	readonly mail: ReadableMail | undefined;
}

export async function readAnswered(
	{ lists, texts }: Connection,
	{ answers = 0 }: MailDraftSubject,
	signal: AbortSignal,
): Promise<Answered> {
	const [answered, { reading }] = await Promise.all([lists.mail(answers, signal), texts.readPatch(answers, signal)]);
	return { answered, mail: reading.kind === 'read' ? reading.mail : undefined };
}

/** First mail of the thread; it may name the list's address when a reply doesn't. */
async function threadMails(
	{ lists, texts }: Connection,
	{ answers = 0 }: MailDraftSubject,
	signal: AbortSignal,
): Promise<readonly ReadableMail[]> {
	const threadId = lists.knownMail(answers)?.threadId;
	if (threadId === undefined || threadId === answers) {
		return [];
	}
	const { reading } = await texts.readPatch(threadId, signal);
	return reading.kind === 'read' ? [reading.mail] : [];
}
