import { largestAnswerBytes } from '../../../editor/models/toolInput.ts';
import type { MailReading } from '../../../engine/mail/readableMail.ts';
import type { FileDiff, ParsedDiff } from '../../../engine/patch/fileDiff.ts';
import type { PatchMail } from '../../../engine/series/seriesReading.ts';

/*
 * Mails as plain text for a language model. All of it is remote text and belongs into the frame for remote text.
 */

/** Subject, sender and date, one line each. */
export interface MailHead {
	readonly subject: string;
	/** `~name` of the sender's account. */
	readonly account: string | undefined;
	readonly createdMs: number;
	readonly messageId: string;
}

/** A mail of a thread. Replaces the diff of `patch` by its size; the patchset tool returns diffs. */
export function mailText(head: MailHead, reading: MailReading, patch: PatchMail | undefined): string {
	const [from] = reading.kind === 'read' ? reading.mail.from : [];
	const address = from ? `${from.name} <${from.address}>`.trim() : 'an unknown address';
	const cautions = reading.kind === 'read' ? reading.mail.cautions.map(({ kind }) => kind) : [];
	return [
		oneLine(`[${timeOf(head.createdMs)}] ${address}, account: ${head.account ?? 'none'}`),
		oneLine(`subject: ${head.subject}`),
		oneLine(`message-id: ${head.messageId}`),
		...(cautions.length === 0 ? [] : [`caution, the sender may deceive: ${cautions.join(', ')}`]),
		'',
		bodyText(reading, patch),
	].join('\n');
}

/** The text of a mail without its diff; a mail that was not read comes as it is. */
export function bodyText(reading: MailReading, patch: PatchMail | undefined): string {
	if (reading.kind === 'raw') {
		// More has no room in any answer.
		return `(shown as it came: ${reading.reason})\n${reading.text.slice(0, largestAnswerBytes)}`;
	}
	if (!patch || patch.diff.files.length === 0) {
		return reading.mail.text.trim();
	}
	const { diff } = patch;
	return [patch.message, patch.commentary, `(a diff is left out: ${statText(diff)})`]
		.filter((part) => part !== '')
		.join('\n');
}

/** `3 files, +12 -4` */
export function statText({
	files,
	added,
	removed,
}: Pick<ParsedDiff, 'added' | 'removed'> & { readonly files: readonly FileDiff[] }): string {
	return `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${added} -${removed}`;
}

/** A time as a model reads it, in UTC. */
export function timeOf(atMs: number): string {
	return Number.isFinite(atMs) ? new Date(atMs).toISOString().slice(0, 16).replace('T', ' ') : 'at an unknown time';
}

/** Runs of blanks and line breaks become one blank. */
export function oneLine(text: string): string {
	return text.replaceAll(/\s+/gu, ' ');
}
