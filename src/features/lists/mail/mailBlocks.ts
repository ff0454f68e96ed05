import * as vscode from 'vscode';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import { isTextType } from 'patchmail/mail/isTextType.ts';
import type { MailAttachment, MailPerson, MailReading } from 'patchmail/mail/readableMail.ts';
import type { ParsedDiff, FileDiff } from 'patchmail/patch/fileDiff.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { longestSignature } from 'patchmail/series/ownLines.ts';
import { generatedFrom } from 'patchmail/series/generatedText.ts';
import type {
	AttachmentView,
	MailBlock,
	MailContentView,
	MailPersonView,
	QuotedRun,
	FileStatView,
} from '../../../pages/protocol/pageProtocol.ts';
import { type LinkedTextPlace, linkedText } from '../../../engine/text/linkedText.ts';
import { visibleLine, visibleText } from '../../../engine/text/visible.ts';
import { cautionsOf, rawNote } from './mailCautions.ts';
import { damageReason } from '../../../editor/patchDocuments/fileWords.ts';

/** Further people and attachments only count. */
const mostListed = 50;

/** Maximum text of a mail on a page, without diffs; the mail's document has everything. */
const mostText = 100_000;
const mostLines = 4000;

/** Larger texts, loaded only on request, get no diff detection. */
const longestDiff = 4_000_000;

const longestName = 500;

/** Content of a mail for a page: no HTML, hidden characters escaped. */
export function mailContent(
	sender: ShortEmail['sender'],
	reading: MailReading,
	place: LinkedTextPlace,
): MailContentView {
	const cautions = cautionsOf(sender, reading);
	if (reading.kind === 'raw') {
		const { reason, text } = reading;
		return {
			...nobody,
			cautions,
			blocks: wholeText(text),
			raw: { note: rawNote(reason), canReadWhole: reason === 'tooLarge' || reason === 'tooSlow' },
		};
	}
	const { mail } = reading;
	// Detects diffs in the raw body, because the readable text may have joined lines. A mail with a diff uses the raw body.
	const inBody = diffIn(mail.body);
	const patch = mail.attachments.find((each) => each.patch !== undefined)?.patch;
	// An attached patch follows the text.
	const attached = inBody || patch === undefined ? undefined : diffIn(patch);
	const text = textBlocks(inBody ? mail.body : mail.text, inBody, place);
	const more = ({ length }: readonly MailPerson[]): number => Math.max(0, length - mostListed);
	return {
		from: people(mail.from),
		to: people(mail.to),
		cc: people(mail.cc),
		morePeople: { from: more(mail.from), to: more(mail.to), cc: more(mail.cc) },
		cautions,
		blocks: attached ? [...text, diffBlock(attached)] : text,
		attachments: mail.attachments.slice(0, mostListed).map(attachmentView),
		moreAttachments: Math.max(0, mail.attachments.length - mostListed),
		raw: undefined,
	};
}

const nobody = {
	from: [],
	to: [],
	cc: [],
	morePeople: { from: 0, to: 0, cc: 0 },
	attachments: [],
	moreAttachments: 0,
} as const;

function people(all: readonly MailPerson[]): readonly MailPersonView[] {
	return all.slice(0, mostListed).map(({ name, address }) => ({
		name: visibleLine(name.slice(0, longestName)),
		address: visibleLine(address.slice(0, longestName)),
	}));
}

/** Plain text without links or folding. */
export function wholeText(text: string): readonly MailBlock[] {
	const shown: MailBlock = {
		kind: 'text',
		pieces: [{ kind: 'text', text: visibleText(withLf(text.slice(0, mostText))) }],
	};
	return text.length > mostText ? [shown, { kind: 'cut', characters: text.length - mostText }] : [shown];
}

/** The transport's line ends are no text. */
function withLf(text: string): string {
	return text.replaceAll('\r\n', '\n');
}

function diffIn(text: string): ParsedDiff | undefined {
	const diff = text.length > longestDiff ? undefined : parseDiff(text);
	return diff && diff.files.length > 0 ? diff : undefined;
}

/** Splits a text into blocks: the places of `diff` and the prose between them. */
export function textBlocks(text: string, diff: ParsedDiff | undefined, place: LinkedTextPlace): readonly MailBlock[] {
	const blocks: MailBlock[] = [];
	let left = mostText;
	let linesLeft = mostLines;
	let cut = 0;
	const prose = (from: number, to: number): void => {
		const all = text.slice(from, Math.min(to, from + left));
		const lines = all.split('\n', linesLeft + 1);
		const shown = lines.length > linesLeft ? lines.slice(0, linesLeft).join('\n') : all;
		left -= shown.length;
		linesLeft -= Math.min(linesLeft, lines.length);
		cut += to - from - shown.length;
		pushAll(blocks, proseBlocks(withLf(shown), place));
	};
	let from = 0;
	for (const run of diff ? runsOf(text, diff) : []) {
		prose(from, run.start);
		blocks.push(diffBlock(run, run.first));
		from = run.end;
	}
	prose(from, text.length);
	return cut > 0 ? [...blocks, { kind: 'cut', characters: cut }] : blocks;
}

/** Adjacent files of a diff without text between them. `first`: index of the first file. */
function runsOf(text: string, { files, isBare }: ParsedDiff) {
	const runs: (ParsedDiff & { readonly first: number })[] = [];
	files.forEach((file, at) => {
		const last = runs.at(-1);
		if (last && text.slice(last.end, file.start).trim() === '') {
			const { added, removed } = last;
			runs[runs.length - 1] = {
				...last,
				files: [...last.files, file],
				end: file.end,
				added: added + file.added,
				removed: removed + file.removed,
			};
		} else {
			const { start, end, added, removed } = file;
			runs.push({ files: [file], start, end, added, removed, isBare, first: at });
		}
	});
	return runs;
}

function diffBlock({ files, added, removed }: ParsedDiff, first = 0): MailBlock {
	return { kind: 'diff', files: files.map((file, at) => fileStatView(file, first + at)), added, removed };
}

function attachmentView({ name, type, size, patch }: MailAttachment, index: number): AttachmentView {
	const bytes = new Intl.NumberFormat(
		vscode.env.language,
		size < 1000
			? { style: 'unit', unit: 'byte', unitDisplay: 'long' }
			: { style: 'unit', unit: 'kilobyte', unitDisplay: 'short', maximumFractionDigits: 1 },
	);
	const shown = name === undefined ? '' : visibleLine(name.slice(0, longestName));
	return {
		index,
		name: shown === '' ? vscode.l10n.t('without name') : shown,
		detail: `${visibleLine(type.slice(0, longestName))} · ${bytes.format(size < 1000 ? size : size / 1000)}`,
		isText: patch !== undefined || isTextType(type),
	};
}

/** Deeper quotes look the same. */
const deepest = 12;
const longestHint = 100;
/** A text with more changes of quote level is shown unfolded from there. */
const mostBlocks = 2000;

const quoteMarks = /^(?:> ?)+/;

interface Line {
	readonly depth: number;
	readonly text: string;
}

/** Git signs generated mails with its version, and nobody reads it. */
const versionOfGit = /^(?:-- ?\n)?\d{1,3}(?:\.[\w-]{1,20}){1,6}(?: \([\w .-]{1,40}\))?$/;
/** Git's signature after a program trimmed its mark. */
const cutVersion = /(?:^|\n)--\n\d{1,3}(?:\.[\w-]{1,20}){1,6}\s*$/;
const longestVersion = 200;

/** Splits prose of a mail (LF line ends) into own text, quotes, git's own lines and signature. Drops blank lines around blocks. */
export function proseBlocks(text: string, place: LinkedTextPlace): readonly MailBlock[] {
	const tailStart = Math.max(0, text.length - longestVersion);
	const cutMark = cutVersion.exec(text.slice(tailStart));
	const markAt = cutMark ? text.indexOf('--', tailStart + cutMark.index) : -1;
	const whole = markAt === -1 ? text : `${text.slice(0, markAt)}-- ${text.slice(markAt + 2)}`;
	const signatureAt = whole.startsWith('-- \n') ? 0 : whole.lastIndexOf('\n-- \n') + 1;
	const begins = signatureAt > 0 || whole.startsWith('-- \n');
	const last = begins ? whole.slice(signatureAt + 4) : '';
	const isSigned = begins && last.split('\n', longestSignature + 2).length <= longestSignature + 1;
	const [written, signature] = isSigned ? [whole.slice(0, signatureAt), last] : [whole, ''];
	const generatedAt = generatedFrom(written);
	const [body, generated] = [written.slice(0, generatedAt), written.slice(generatedAt)];
	const blocks: MailBlock[] = [];
	for (const stretch of stretchesOf(body.split('\n'))) {
		if (stretch[0]?.depth !== 0) {
			blocks.push(quoteBlock(stretch, place));
			continue;
		}
		// Keeps the indentation of the first line, which marks code.
		const own = stretch
			.map((line) => line.text)
			.join('\n')
			.trimEnd()
			.replace(/^(?:[ \t]*\n)+/, '');
		const pieces = linkedText(own, place);
		if (pieces.length > 0) {
			blocks.push({ kind: 'text', pieces });
		}
	}
	const ownLines = generated.split('\n').filter((line) => line.trim() !== '');
	if (ownLines.length > 0) {
		blocks.push({ kind: 'generated', lines: ownLines.length, pieces: linkedText(generated.trimEnd(), place) });
	}
	const pieces = versionOfGit.test(signature.trim()) ? [] : linkedText(signature.trim(), place);
	return pieces.length === 0 ? blocks : [...blocks, { kind: 'signature', pieces }];
}

/** Separates quoted and own lines. Blank lines between two quotes belong to the quotes. */
function stretchesOf(lines: readonly string[]): readonly (readonly Line[])[] {
	const stretches: Line[][] = [];
	let blanks: Line[] = [];
	for (const written of lines) {
		const isQuoted = stretches.length < mostBlocks && written.startsWith('>');
		const [marks = ''] = isQuoted ? (quoteMarks.exec(written) ?? []) : [];
		const line = { depth: Math.min(deepest, marks.split('>').length - 1), text: written.slice(marks.length) };
		const last = stretches.at(-1);
		if (line.depth === 0 && line.text.trim() === '' && last) {
			blanks.push(line);
			continue;
		}
		if (last && (last[0]?.depth === 0) === (line.depth === 0)) {
			pushAll(last, [...blanks, line]);
		} else {
			stretches.push([line]);
		}
		blanks = [];
	}
	return stretches;
}

function quoteBlock(lines: readonly Line[], place: LinkedTextPlace): MailBlock {
	const runs: { depth: number; lines: string[] }[] = [];
	for (const { depth, text } of lines) {
		const last = runs.at(-1);
		if (last && (depth === 0 || last.depth === depth)) {
			last.lines.push(text);
		} else {
			runs.push({ depth, lines: [text] });
		}
	}
	const shown = runs.map(({ depth, lines: each }): QuotedRun => ({
		depth,
		pieces: linkedText(each.join('\n'), place),
	}));
	const said = lines.findLast(({ text }) => text.trim() !== '')?.text ?? '';
	const hint = Array.from(visibleLine(said.slice(0, 4 * longestHint)))
		.slice(0, longestHint)
		.join('');
	return { kind: 'quote', lines: lines.length, hint, runs: shown };
}

/** How much a diff changes in one file; `index` is its place in the diff. */
export function fileStatView(file: FileDiff, index: number): FileStatView {
	const { change, added, removed, content } = file;
	const [before, after] = [file.oldPath, file.newPath].map((path) =>
		path === undefined ? undefined : visibleLine(path),
	);
	const isMoved = before !== undefined && after !== undefined && before !== after;
	return {
		index,
		path: isMoved ? `${before} → ${after}` : (after ?? before ?? vscode.l10n.t('unnamed file')),
		change,
		added,
		removed,
		isBinary: content.kind === 'binary',
		trouble: troubleText(file),
	};
}

/** Reason why a file has no side-by-side diff, as a sentence. */
export function troubleText({ content, damage: [damage] }: FileDiff): string | undefined {
	if (damage) {
		return vscode.l10n.t('Damaged: {0}.', damageReason(damage.kind));
	}
	return content.kind === 'combined' ? vscode.l10n.t('The diff of a merge is shown as raw text.') : undefined;
}
