import { patchSubject } from './patchSubject.ts';
import { withoutLastBlanks } from '../mail/blanks.ts';
import { isSameAscii, isSameButBlanks, letterShown, patchToGit } from '../mail/gitPatch.ts';
import { wordsToGit } from '../mail/gitWords.ts';
import { inTurn, withLastLineEnd } from '../mail/mailContent.ts';
import { headerValue } from '../mail/mailHead.ts';
import { authorIn, oneLine } from '../mail/personIn.ts';
import type { MailReading, ReadableMail } from '../mail/readableMail.ts';
import type { ParsedDiff } from '../patch/fileDiff.ts';
import { parseDiff } from '../patch/parseDiff.ts';
import { diffInBytes } from './diffInBytes.ts';
import { messageParts } from './messageParts.ts';
import type { PatchMail } from './seriesReading.ts';

/**
 * The parts of a patch mail or cover letter. `undefined` for unreadable mails and for mails without a patch subject or
 * diff. `subject`: from the forge.
 */
export function patchMailOf(reading: MailReading, subject: string): PatchMail | undefined {
	if (reading.kind === 'raw') {
		return undefined;
	}
	const placed = placedDiff(reading.mail);
	const named = patchSubject(subject);
	if (placed.diff.files.length === 0 && (named === undefined || named.isReply)) {
		return undefined;
	}
	const toGit = gitDiff(reading.mail, placed);
	const { bytes, charset = '' } = reading.mail.patchBytes ?? {};
	// `git format-patch --base` writes behind the diff, or in a cover letter behind the text.
	const text = `${placed.diffText.slice(0, placed.diff.start)}\n${placed.diffText.slice(placed.diff.end)}`;
	const baseCommit = /^base-commit: ([0-9a-f]{7,64})[ \t\r]*$/m.exec(text)?.[1];
	const prerequisites = Array.from(
		text.matchAll(/^prerequisite-patch-id: ([0-9a-f]{7,64})[ \t\r]*$/gm),
		([, id]) => id!,
	);
	return {
		...partsOf(reading.mail, subject, placed),
		gitDiff: toGit,
		bytes: diffInBytes(toGit ?? { diff: placed.diff, diffText: placed.diffText }, bytes),
		charset,
		baseCommit,
		prerequisites,
	};
}

/** Location of a mail's diff: the body, the attachments, or both. */
interface PlacedDiff {
	readonly diff: ParsedDiff;
	readonly diffText: string;
	/** Text before `diffText` in the mail: the letter around attached patches. */
	readonly letter: string;
}

function placedDiff({ body, text, isFlowed, attachments }: ReadableMail): PlacedDiff {
	const inBody = bodysDiff(body, isFlowed ? text : body);
	const attached = attachments.flatMap(({ patch }) => (patch === undefined ? [] : [patch]));
	if (attached.length === 0) {
		return inBody;
	}
	// Git joins all parts into one text, so this shows all it would apply.
	const letter = withLastLineEnd(inBody.diffText);
	const attachedText = inTurn(attached);
	const diffText = letter + attachedText;
	const diff = parseDiff(diffText);
	if (diff.files.length === 0 || diff.end === inBody.diff.end) {
		return inBody;
	}
	return diff.start < letter.length
		? { diff, diffText, letter: '' }
		: { diff: parseDiff(attachedText), diffText: attachedText, letter };
}

/** Git also reads hidden parts, so the diff that it finds decides. */
function gitDiff(mail: ReadableMail, shown: PlacedDiff): PatchMail['gitDiff'] {
	if (mail.gitPatch === undefined && shown.diffText === mail.body && mail.attachments.length === 0) {
		return undefined;
	}
	const diffText = patchToGit(mail);
	const toGit = { diff: parseDiff(diffText), diffText };
	return isSameAscii(cutOut(toGit), cutOut(shown)) ? undefined : toGit;
}

function cutOut({ diff, diffText }: Pick<PlacedDiff, 'diff' | 'diffText'>): string {
	return diffText.slice(diff.start, diff.end);
}

/** Git always joins flowed lines. That repairs wrapped lines but may break blank context lines. */
function bodysDiff(body: string, joinedBody: string): PlacedDiff {
	const diff = parseDiff(body);
	if (isDamaged(diff)) {
		const joined = parseDiff(joinedBody);
		if (!isDamaged(joined)) {
			return { diff: joined, diffText: joinedBody, letter: '' };
		}
	}
	return { diff, diffText: body, letter: '' };
}

function isDamaged({ files }: ParsedDiff): boolean {
	return files.some(({ damage }) => damage.length > 0);
}

function partsOf(
	mail: ReadableMail,
	subject: string,
	{ diff, diffText, letter }: PlacedDiff,
): Omit<PatchMail, 'gitDiff' | 'bytes' | 'charset' | 'baseCommit' | 'prerequisites'> {
	// Git reads attached patches as a continuation of the letter.
	const text = letter + diffText;
	const shown = messageParts(text);
	// Git may end the message at an attachment that shows no diff.
	const isEnded = shown.messageEnd < text.length && mail.toGit === undefined;
	const toGit =
		isEnded || patchToGit(mail) === '' ? shown : messageParts(`${mail.toGit?.letter ?? letterShown(mail)}---\n`);
	const isSame = isSameButBlanks(toGit.message, shown.message);
	const diffStart = letter.length + diff.start;
	const commentary = text.slice(shown.restStart, Math.max(shown.restStart, diffStart));
	const title = toGit.inBody.get('subject') ?? mail.toGit?.subject;
	const header = headerValue(mail.headers, 'from');
	// Git applies no patch without an author.
	const written = toGit.inBody.get('from') ?? (mail.toGit ? mail.toGit.from : header && wordsToGit(header));
	return {
		author: written === undefined ? mail.from[0] : authorIn(written),
		subject: commitSubject(title ?? (headerValue(mail.headers, 'subject') === undefined ? subject : mail.subject)),
		message: isSame ? toGit.message : shown.message,
		gitMessage: isSame ? undefined : toGit.message,
		commentary: withoutLastBlanks(commentary.replaceAll('\r\n', '\n').replace(/^\n+/, '')),
		diff,
		diffText,
	};
}

/** The commit subject by the rules of `git mailinfo`: without `Re:` and brackets. */
export function commitSubject(subject: string): string {
	let at = 0;
	for (;;) {
		const rest = subject.charAt(at);
		if (/^re:[^]/i.test(subject.slice(at, at + 4))) {
			at += 3;
		} else if (rest === ' ' || rest === '\t' || rest === ':') {
			at += 1;
		} else if (rest === '[') {
			const end = subject.indexOf(']', at);
			if (end === -1) {
				break;
			}
			at = end + 1;
		} else {
			break;
		}
	}
	return oneLine(subject.slice(at));
}
