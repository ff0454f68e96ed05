import * as vscode from 'vscode';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { isGreeting } from 'patchmail/review/courtesy.ts';
import type { CommentPlace, ReviewComment } from 'patchmail/review/reviewComment.ts';
import type { SeriesMail } from 'patchmail/series/seriesReading.ts';
import { plainMarkdown, quotedMarkdown } from '../../../engine/text/plainMarkdown.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import { personText } from '../subjects/words.ts';

/** Maximum visible text of a comment; the mail has everything. */
const mostText = 8000;
const mostLines = 200;
/** Maximum number of quoted lines above a comment. */
const mostQuoted = 6;
const longestFirstLine = 120;

/** Target of a comment without a line; empty for a line. */
export function placeText(place: CommentPlace, isOfSeries: boolean): string {
	switch (place.kind) {
		case 'line':
			return '';
		case 'file':
			return place.line === undefined
				? vscode.l10n.t('On the file')
				: vscode.l10n.t('On line {0} of the file, outside the diff', place.line);
		case 'message':
			return vscode.l10n.t('On the commit message');
		case 'commentary':
			return vscode.l10n.t('On the notes below the commit message');
		case 'cover':
			return vscode.l10n.t('On the cover letter');
		case 'general':
			return isOfSeries ? vscode.l10n.t('On the series') : vscode.l10n.t('On the patch');
		case 'elsewhere':
			return vscode.l10n.t('On another message of the thread');
	}
}

/** Sender of a mail; the account if the mail is unreadable. */
export function writerText(mail: SeriesMail): string {
	return writer(mail, personText);
}

/** The name without the address, if it is not misleading. */
export function writerName(mail: SeriesMail): string {
	return isMisleading(mail)
		? `⚠ ${writerText(mail)}`
		: writer(mail, ({ name, address }) => visibleLine(name === '' ? address : name));
}

/** Whom the mail is from may not be whom it seems to be from (docs/security.md#misleading-senders). */
function isMisleading({ reading }: SeriesMail): boolean {
	return reading.kind === 'read' && reading.mail.cautions.length > 0;
}

type Writer = Parameters<typeof personText>[0];

function writer({ reading, account }: SeriesMail, textOf: (person: Writer) => string): string {
	const [first] = reading.kind === 'read' ? reading.mail.from : [];
	const text = first ? textOf(first) : visibleLine(account ?? '');
	return text === '' ? vscode.l10n.t('Unknown sender') : text;
}

/**
 * Text of a comment without greeting, below its quote if it is not on the quoted lines. The Comments panel shows the
 * first line.
 */
export function commentBody({ prose, quote, place }: ReviewComment): vscode.MarkdownString {
	const quoted = place.kind === 'line' ? [] : quote.slice(-mostQuoted);
	const all = withoutGreeting(prose);
	const text = all.split('\n', mostLines).join('\n').slice(0, mostText).toWellFormed();
	return untrustedMarkdown([
		plainMarkdown(text),
		text.length < all.length ? plainMarkdown(vscode.l10n.t('The rest of this comment is in its message.')) : '',
		quotedMarkdown(quoted),
	]);
}

/** First meaningful line of a comment, for a row's label: no greeting, and no mere signs such as `^`. */
export function firstLineOf({ prose }: ReviewComment): string {
	const lines = withoutGreeting(prose).split('\n', mostLines);
	const line = lines.find((each) => /[\p{L}\p{N}]/u.test(each.slice(0, mostText))) ?? lines[0] ?? '';
	return shortLine(line.trimStart().slice(0, 4 * longestFirstLine), longestFirstLine);
}

/** A comment that is a mere greeting stays as it is. */
function withoutGreeting(prose: string): string {
	const [first = '', ...rest] = prose.split('\n');
	const text = isGreeting(first) ? rest.join('\n').replace(/^\s*\n/, '') : '';
	return text.trim() === '' ? prose : text;
}

export function commentsText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 comment') : vscode.l10n.t('{0} comments', count);
}

/** Empty for none. */
export function questionsText(count: number): string {
	switch (count) {
		case 0:
			return '';
		case 1:
			return vscode.l10n.t('1 unanswered question');
		default:
			return vscode.l10n.t('{0} unanswered questions', count);
	}
}

/** Label of an unanswered question. */
export function questionText(): string {
	return vscode.l10n.t('Unanswered question');
}

/** Text beside the author; may be empty. */
export function besideWriter({ mail }: ReviewComment, isQuestion: boolean): string {
	return [
		...(isMisleading(mail) ? [`⚠ ${vscode.l10n.t('Misleading sender')}`] : []),
		...(isQuestion ? [questionText()] : []),
	].join(' · ');
}
