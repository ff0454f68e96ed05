import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { openQuestions } from 'patchmail/review/openQuestions.ts';
import type { ReviewComment } from 'patchmail/review/reviewComment.ts';
import { reviewComments } from 'patchmail/review/reviewComments.ts';
import type { PatchMail, SeriesMail } from 'patchmail/series/seriesReading.ts';
import type { CorpusReply, CorpusThread, Label, LabelledPlace } from './replyCorpus.ts';

/** The placement of a labelled comment. */
export interface Outcome {
	readonly thread: CorpusThread;
	readonly reply: CorpusReply;
	readonly label: Label;
	readonly comment: ReviewComment | undefined;
	readonly isRight: boolean;
	readonly isOpen: boolean;
}

function startsWith(text: string, words: string): boolean {
	return text.split(/\s+/).join(' ').startsWith(words);
}

/** A place in the words of labels, and the text of its line. */
interface Described {
	readonly where: string;
	readonly text: string;
}

function isThere(thread: CorpusThread, comment: ReviewComment, { place }: Label): boolean {
	const [wanted, found] = [labelled(place), placed(thread, comment)];
	return wanted.where === found.where && startsOrHolds(place, found.text, wanted.text);
}

function startsOrHolds({ kind }: LabelledPlace, text: string, words: string): boolean {
	return kind === 'reply' ? startsWith(text, words) : text.includes(words);
}

function labelled(place: LabelledPlace): Described {
	switch (place.kind) {
		case 'line':
			return { where: `line ${place.patch} ${place.path} ${place.side} ${place.line}`, text: place.text };
		case 'file':
			return { where: `file ${place.patch} ${place.path}`, text: '' };
		case 'message':
		case 'cover':
			return { where: `${place.kind} ${place.mail}`, text: place.text };
		case 'general':
			return { where: `general ${place.mail}`, text: '' };
		case 'reply':
			return { where: `reply ${place.mail}`, text: place.words };
	}
}

function placed(thread: CorpusThread, { place, answers }: ReviewComment): Described {
	if (answers !== undefined) {
		const number = thread.replies.find(({ mail }) => mail.id === answers.mail.id)?.number ?? '';
		return { where: `reply ${number}`, text: answers.prose };
	}
	if (place.kind === 'elsewhere') {
		return { where: 'elsewhere', text: '' };
	}
	const name = thread.nameOf.get(place.mailId ?? -1) ?? '';
	switch (place.kind) {
		case 'line': {
			const text = patchOf(thread, place).diffText.slice(place.start, place.end).split('\n').at(-1) ?? '';
			return { where: `line ${name} ${pathOf(thread, place)} ${place.side} ${place.line}`, text };
		}
		case 'file':
			return { where: `file ${name} ${pathOf(thread, place)}`, text: '' };
		case 'message':
		case 'commentary':
			return { where: `message ${name}`, text: patchOf(thread, place)[place.kind].split('\n')[place.line - 1] ?? '' };
		case 'cover':
			return { where: `cover ${name}`, text: coverLine(thread, place.line) };
		case 'general':
			return { where: `general ${name}`, text: '' };
	}
}

function patchOf({ series }: CorpusThread, { mailId }: { readonly mailId: number }): PatchMail {
	const found = series.patches.find(({ mail }) => mail.id === mailId);
	assert.ok(found, `there is no patch ${mailId}`);
	return found.patch;
}

function pathOf(thread: CorpusThread, place: { readonly mailId: number; readonly file: number }): string {
	const file = patchOf(thread, place).diff.files[place.file];
	return file?.newPath ?? file?.oldPath ?? '';
}

function coverLine({ series }: CorpusThread, line: number): string {
	const reading = series.cover?.reading;
	return reading?.kind === 'read' ? (reading.mail.text.split('\n')[line - 1] ?? '') : '';
}

/** The placement of each labelled comment of a thread. */
export function outcomesOf(thread: CorpusThread): readonly Outcome[] {
	const comments = runAtOnce(reviewComments(thread.mails, thread.series));
	const open = openQuestions(comments);
	return thread.replies.flatMap((reply) => {
		const own = comments.filter(({ mail }) => mail.id === reply.mail.id);
		return reply.labels.map((label) => {
			const comment = own.find(({ prose }) => startsWith(prose, label.words));
			const isRight = comment !== undefined && isThere(thread, comment, label);
			return { thread, reply, label, comment, isRight, isOpen: comment !== undefined && open.has(comment) };
		});
	});
}

/** Damage by mail programs to quoted text, by description. */
export const damages: Readonly<Record<string, (body: string) => string>> = {
	'tabs were made blanks': (body) => quotedLines(body, (line) => line.replaceAll('\t', '        ')),
	'blanks were lost': (body) => quotedLines(body, (line) => line.replaceAll(/[ \t]+/g, ' ')),
	'blanks do not break': (body) => quotedLines(body, (line) => line.replaceAll(/[ \t]/g, '\u00A0')),
	'marks stand close': (body) =>
		quotedLines(body, (line) => line.replace(/^(?:> ?)+/, (marks) => marks.replaceAll(' ', ''))),
	'marks stand apart': (body) =>
		quotedLines(body, (line) => line.replace(/^(?:> ?)+/, (marks) => marks.replaceAll(/> ?/g, '> '))),
	'quoted lines were wrapped and marked': (body) => quotedLines(body, (line) => wrapped(line, marksOf(line))),
	'quoted lines were wrapped and the rest is not marked': (body) => quotedLines(body, (line) => wrapped(line, '')),
	'signs were written for HTML': (body) =>
		quotedLines(body, (line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
	'quotation marks were bent': (body) =>
		quotedLines(body, (line) => line.replaceAll(/"([^"]*)"/g, '\u201C$1\u201D').replaceAll("'", '\u2019')),
	'quoted-printable was not decoded': (body) =>
		quotedLines(body, (line) => line.replaceAll('=', '=3D').replace(/ $/, '=20')),
	'blank lines around comments are missing': (body) =>
		body.replaceAll(/\n\n(?=>)/g, '\n').replaceAll(/^(>.*)\n\n/gm, '$1\n'),
	'it has no line that says who wrote': (body) => body.replaceAll(/^(?:On|Am|Le|El|Em|Op|Den) .*:\n/gm, ''),
};

function quotedLines(body: string, change: (line: string) => string): string {
	return body
		.split('\n')
		.map((line) => (line.startsWith('>') ? change(line) : line))
		.join('\n');
}

function marksOf(line: string): string {
	return /^(?:> ?)*/.exec(line)?.[0] ?? '';
}

/** Wraps at the last blank before column 60. */
function wrapped(line: string, mark: string): string {
	const at = line.length > 66 ? line.lastIndexOf(' ', 60) : -1;
	return at < 12 ? line : `${line.slice(0, at)}\n${mark}${line.slice(at + 1)}`;
}

/** The thread with this damage in every reply. */
export function withDamage(thread: CorpusThread, damage: (body: string) => string): CorpusThread {
	const replies = new Set(thread.replies.map(({ mail }) => mail.id));
	const changed = (mail: SeriesMail): SeriesMail => {
		const { reading } = mail;
		if (reading.kind === 'raw' || !replies.has(mail.id)) {
			return mail;
		}
		const body = damage(reading.mail.body);
		return { ...mail, reading: { kind: 'read', mail: { ...reading.mail, body, text: body } } };
	};
	return { ...thread, mails: thread.mails.map(changed) };
}

/** On a line or a file of a patch. */
export function isInline({ label }: Outcome): boolean {
	return label.place.kind === 'line' || label.place.kind === 'file';
}

/** A description of an error, for tuning. */
export function told({ reply, label, comment }: Outcome): string {
	const place = comment && JSON.stringify({ ...comment.place, answers: comment.answers?.prose.slice(0, 20) });
	return `${reply.name}: ${label.words}\n  wanted ${JSON.stringify(label.place)}\n  is     ${place ?? 'dropped'}`;
}

const placeKinds = ['line', 'file', 'message', 'cover', 'reply', 'general'] as const;

/** Groups of replies, and their table heads. */
export const countedBy = { mailer: 'mail program', style: 'style' } as const;

/** Replies of each mail program or style, by name. */
export function grouped(
	outcomes: readonly Outcome[],
	by: keyof typeof countedBy,
): readonly (readonly [string, readonly Outcome[]])[] {
	const names = [...new Set(outcomes.map(({ reply }) => reply[by]))].toSorted();
	return names.map((name) => [name, outcomes.filter(({ reply }) => reply[by] === name)]);
}

/** Shares of rightly placed comments, as a Markdown table with a row per mail program or style. */
export function placementTable(outcomes: readonly Outcome[], by: keyof typeof countedBy): string {
	const rows = [
		[countedBy[by], 'replies', 'comments', ...placeKinds],
		['---', '--:', '--:', ...placeKinds.map(() => '--:')],
		...grouped(outcomes, by).map(([name, some]) => placementRow(name, some)),
		placementRow('all', outcomes),
	];
	return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function placementRow(name: string, outcomes: readonly Outcome[]): readonly string[] {
	const ofKind = placeKinds.map((wanted) => outcomes.filter(({ label }) => label.place.kind === wanted));
	const replies = new Set(outcomes.map(({ reply }) => reply.name)).size;
	return [name, `${replies}`, share(outcomes), ...ofKind.map(share)];
}

/** `118 of 120` right ones; empty without any. */
export function share(outcomes: readonly Outcome[]): string {
	const right = outcomes.filter(({ isRight }) => isRight).length;
	return outcomes.length === 0 ? '' : `${right} of ${outcomes.length}`;
}
