import * as vscode from 'vscode';
import { askFor } from '../../../editor/ask/ask.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { ListRef } from '../../../forge/list.ts';
import { mailDraftText } from '../../../mail/mailDraftText.ts';
import type { ReadableMail } from '../../../mail/readableMail.ts';
import { isSendable } from '../../../mail/writtenAddress.ts';
import { attributionOf, replySubject } from '../../../review/replyHead.ts';
import { postingAddress, replyPeople } from '../../../review/replyPeople.ts';
import type { Connection } from '../../../state/connection.ts';
import type { MailDraftSubject } from '../../../state/drafts/drafts.ts';
import { writerOf, type ReadReviewParts } from './readReview.ts';

/*
 * What a mail begins with before somebody has written anything: whom it goes to, and what it answers.
 */

/** So many of the newest mails of a list tell its address. */
const looked = 3;

export async function replyText(
	parts: Pick<ReadReviewParts, 'connections' | 'mailer'>,
	about: MailDraftSubject,
	signal: AbortSignal,
): Promise<string> {
	const connection = connectionOf(parts.connections, about);
	const { answered, mail } = await readAnswered(connection, about, signal);
	const own = await writerOf(connection, parts.mailer, signal);
	const mails = mail ? [mail, ...(await threadMails(connection, about, signal))] : [];
	const posting =
		postingAddress(about.ref, mails, undefined)?.address ??
		(await addressOf(connection, about.ref, signal)) ??
		(await askAddress(about.ref));
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

/** The first mail of the conversation: it tells the address of the list where a reply does not. */
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

/** As the newest mails of a list name it. */
export async function addressOf(
	{ lists, texts }: Connection,
	ref: ListRef,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { items } = await lists.posts(ref, signal);
	const mails: ReadableMail[] = [];
	for (const { id } of items.slice(0, looked)) {
		const { reading } = await texts.readPatch(id, signal);
		mails.push(...(reading.kind === 'read' ? [reading.mail] : []));
	}
	return postingAddress(ref, mails, undefined)?.address;
}

export function askAddress({ owner, name }: ListRef): Promise<string> {
	return askFor({
		title: vscode.l10n.t('Address of {0}/{1}', owner, name),
		prompt: vscode.l10n.t('No mail of this list names its address.'),
		placeHolder: `${owner}/${name}@lists.example.org`,
		complaint: (text) => (isSendable(text.trim()) ? undefined : vscode.l10n.t('Enter an e-mail address.')),
	});
}
