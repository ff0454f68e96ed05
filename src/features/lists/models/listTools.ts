import * as vscode from 'vscode';
import { ForgeError } from '../../../forge/forgeError.ts';
import { findMail } from '../../../state/lists/findMail.ts';
import { readingTool, writingTool } from '../../../editor/models/languageTool.ts';
import type { LanguageTools, ListToolName } from '../../../editor/models/languageTools.ts';
import { readBeforeLines } from '../../../editor/ask/readBefore.ts';
import { largestAnswerBytes } from '../../../editor/models/toolInput.ts';
import { refText } from '../../../forge/namedRef.ts';
import { untrustedFrame } from '../../../text/untrustedFrame.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import type { MailSummary } from '../../../state/lists/mailSummary.ts';
import { visible } from '../../../text/visible.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { commentsText } from './commentsText.ts';
import { askedDraft, draftQuestion, keepAskedDraft, type DraftToolParts } from './draftComment.ts';
import { mailText, oneLine } from './mailTexts.ts';
import { patchsetText } from './patchsetText.ts';
import { mailField, patchsetField } from './toolTargets.ts';

/** Maximum number of mails that one call loads; drops the newest beyond it. */
const mostMails = 200;
/** A few mails fill an answer, so load them in batches. */
const mailsAtOnce = 12;
/** Maximum size of the frame and its head line. */
const frameBytes = 1000;

export interface ListToolsParts extends DraftToolParts, Pick<ListsParts, 'problems'> {}

/**
 * Mailing list tools for language models. List content carries the remote mark; written texts become drafts that the
 * user has seen. The tools never send.
 */
export function listTools(parts: ListToolsParts): Pick<LanguageTools, ListToolName> {
	const { connections, problems, clock } = parts;
	return {
		forge_getPatchset: readingTool(
			problems,
			(input, signal) => getPatchset({ connections, clock }, input, signal),
			() => vscode.l10n.t('Loading a patchset'),
		),
		forge_getThread: readingTool(
			problems,
			(input, signal) => getThread(connections, input, signal),
			() => vscode.l10n.t('Loading a thread'),
		),
		forge_addDraftComment: writingTool(problems, {
			asked: (input, signal) => askedDraft(connections, input, signal),
			question: (asked) => draftQuestion(connections, asked),
			carryOut: (asked) => keepAskedDraft(parts, asked),
		}),
	};
}

/** A patchset with its state, patches and review comments, up to the size limit. */
export async function getPatchset(
	{ connections, clock }: Pick<ListsParts, 'connections' | 'clock'>,
	input: unknown,
	signal: AbortSignal,
): Promise<string> {
	const { connection, what } = patchsetField(input, connections);
	const standing = await connection.reviews.read(what, signal);
	const text = patchsetText(standing, connection.texts, await commentsText(standing, clock, signal));
	const lines = readBeforeLines(connection.lists.patchsetBefore(what));
	const leftOut = connection.lists.versionsLeftOut(what.list, standing.threadId);
	const older = leftOut === 0 ? [] : [`older versions that only the mails of the thread show: ${leftOut}`];
	return untrustedFrame([...lines, ...older, text].join('\n'), largestAnswerBytes);
}

/** One conversation, mail by mail, as far as it fits. */
export async function getThread(connections: Connections, input: unknown, signal: AbortSignal): Promise<string> {
	const { connection, what } = mailField(input, connections);
	const found = await findMail(connection, what, signal);
	if (!found) {
		throw new ForgeError({ kind: 'notFound' });
	}
	const { id, threadId } = found.mail;
	const mails = await connection.lists.thread(what.list, threadId ?? id, signal);
	const shown = await mailsThatFit(connection, mails.slice(0, mostMails), signal);
	const counts = `${mails.length} mails, of which ${shown.length} are shown`;
	const content = [
		...readBeforeLines(connection.lists.threadBefore(what.list, threadId ?? id)),
		oneLine(`Thread in ${refText(what.list)} of ${counts}, in reading order; the last of them may be cut short.`),
		'',
		...shown,
	].join('\n');
	return untrustedFrame(content, largestAnswerBytes);
}

/** Texts of as many mails as fit; may truncate the last one. */
async function mailsThatFit(
	{ texts }: Connection,
	mails: readonly MailSummary[],
	signal: AbortSignal,
): Promise<readonly string[]> {
	const shown: string[] = [];
	let roomBytes = largestAnswerBytes - frameBytes;
	for (let from = 0; from < mails.length && roomBytes > 0; from += mailsAtOnce) {
		const some = mails.slice(from, from + mailsAtOnce);
		const read = await texts.readAll(
			some.map(({ id }) => id),
			signal,
		);
		for (const mail of some) {
			const reading = read.get(mail.id)?.reading;
			if (reading && roomBytes > 0) {
				const head = { ...mail, account: mail.sender?.canonicalName };
				const patch = texts.patchOf({ subject: mail.subject, reading });
				const section = `== mail ${mail.id}\n${mailText(head, reading, patch)}\n`;
				shown.push(section);
				roomBytes -= framedBytes(section);
			}
		}
	}
	return shown;
}

/** Each line gets a mark of its own. */
function framedBytes(section: string): number {
	return Buffer.byteLength(visible(section)) + 2 * section.split('\n').length + 1;
}
