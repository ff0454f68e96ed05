import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { readBeforeLines } from '../../../editor/ask/readBefore.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { readingTool, writingTool, type ToolContext } from '../../../editor/models/languageTool.ts';
import {
	largestAnswerBytes,
	accountText,
	countField,
	namedIn,
	oneLine,
	textField,
	timeOf,
	ToolInputError,
} from '../../../editor/models/toolInput.ts';
import type { Destination } from 'sourcehut/port/destination.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';

import { openQuestions } from 'patchmail/review/openQuestions.ts';
import { quotableLines, type QuotableLine } from 'patchmail/review/quotableLines.ts';
import type { CommentPlace } from 'patchmail/review/reviewComment.ts';
import { reviewComments } from 'patchmail/review/reviewComments.ts';
import type { DraftLines } from 'patchmail/review/reviewDraft.ts';
import { reviewThreads } from 'patchmail/review/reviewThreads.ts';
import type { SeriesReading, SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { keepComment, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import { findMail } from '../../../store/lists/findMail.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { codeBlock } from '../../../engine/text/codeBlock.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { untrustedFrame } from '../../../engine/text/untrustedFrame.ts';
import { visible, forgeName, visibleLine } from '../../../engine/text/visible.ts';
import { mailText, patchsetAddress, patchsetText } from './patchsetText.ts';
import { webOf } from '../../../editor/links/webOf.ts';
import { originOf } from 'sourcehut/port/instance.ts';

const longestText = 16_384;

/** Limits of the lists in error messages. */
const mostRanges = 100;

const largestListBytes = 4096;

/** So many of the last lines that a comment quotes say what it is about. */
const mostQuoted = 6;

/** Maximum number of mails that one call loads; drops the newest beyond it. */
const mostMails = 200;
/** A few mails fill an answer, so load them in batches. */
const mailsAtOnce = 12;
/** Maximum size of the frame and its head line. */
const frameBytes = 1000;

/**
 * Mailing list tools for language models. List content carries the remote mark; written texts become drafts that the
 * user has seen. The tools never send.
 */
export const listTools = {
	forge_getPatchset: readingTool(() => vscode.l10n.t('Loading a patchset'), getPatchset),
	forge_getThread: readingTool(() => vscode.l10n.t('Loading a thread'), getThread),
	forge_addDraftComment: writingTool(
		askedDraft,
		draftQuestion,
		// Stores the draft like a comment box does.
		async ({ drafts, clock, newName }: ToolContext, { of, place, text }: AskedDraft) => {
			await keepComment(drafts, of, { id: newName(), place, text }, clock.nowMs());
			return 'Kept as a draft comment. Nothing was sent: the person reads, changes and sends drafts.';
		},
	),
};

/** A patchset with its state, patches and review comments, up to the size limit. */
export async function getPatchset(connections: Connections, input: unknown, signal: AbortSignal, clock: Clock) {
	const { connection, what } = patchsetField(input, connections);
	const standing = await connection.reviews.readWithEarlier(what, signal);
	const text = patchsetText(standing, connection.texts, await commentsText(standing, clock, signal));
	const lines = readBeforeLines(connection.lists.patchsetBefore(what));
	const leftOut = connection.lists.versionsLeftOut(what.list, standing.threadId);
	const older = leftOut === 0 ? [] : [`older versions that only the mails of the thread show: ${leftOut}`];
	return untrustedFrame([...lines, ...older, text].join('\n'), largestAnswerBytes);
}

/** The conversation of the mail in the field "thread": `~owner/list/<Message-ID>` or its address. Mail by mail, as far as it fits. */
export async function getThread(connections: Connections, input: unknown, signal: AbortSignal): Promise<string> {
	const named = target(textField(input, 'thread') ?? '', connections, namedMail, ({ list }) => list);
	if (!named) {
		throw new ToolInputError(
			'Name a mail of the thread as ~owner/list/<Message-ID> or by its address on a forge that is signed in to.',
		);
	}
	const { connection, what } = named;
	const found = await findMail(connection.lists, what, signal);
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
				// Each line gets a mark of its own.
				roomBytes -= Buffer.byteLength(visible(section)) + 2 * section.split('\n').length + 1;
			}
		}
	}
	return shown;
}

/**
 * Review comments on a patchset for a language model: place by place in reading order, each with its quoted lines. All
 * of it is remote text and belongs into the frame for remote text. Empty without comments.
 */
async function commentsText({ mails, series }: PatchsetReview, clock: Clock, signal: AbortSignal): Promise<string> {
	const comments = await runResting(reviewComments(mails, series), resting(clock), signal);
	const open = openQuestions(comments);
	const lines = reviewThreads(comments, series).flatMap(({ place, comments: said }) => [
		oneLine(`-- ${placeText(place, series)}`),
		...said.flatMap((comment) => {
			const { mail, prose, quote, answers } = comment;
			const [from] = mail.reading.kind === 'read' ? mail.reading.mail.from : [];
			const who = from ? `${from.name} <${from.address}>`.trim() : 'an unknown address';
			const how = [...(answers ? ['in reply'] : []), ...(open.has(comment) ? ['an unanswered question'] : [])].join(
				', ',
			);
			return [
				oneLine(`[${timeOf(mail.createdMs)}] ${who}${how === '' ? '' : ` (${how})`}:`),
				...(answers ? [] : quote.slice(-mostQuoted).map((line) => `>${line}`)),
				prose,
				'',
			];
		}),
	]);
	return lines.length === 0 ? '' : ['== comments of reviewers', ...lines].join('\n');
}

function placeText(place: CommentPlace, { patches, count }: SeriesReading): string {
	const patchOf = (mailId: number): string => {
		const index = patches.find(({ mail }) => mail.id === mailId)?.index;
		return index === undefined ? 'a patch' : `patch ${index}/${count}`;
	};
	const fileOf = (mailId: number, at: number): string => {
		const file = patches.find(({ mail }) => mail.id === mailId)?.patch.diff.files[at];
		return file?.newPath ?? file?.oldPath ?? 'a file';
	};
	switch (place.kind) {
		case 'line':
			return `${patchOf(place.mailId)}, ${fileOf(place.mailId, place.file)}, ${place.side} line ${place.line}`;
		case 'file':
			return `${patchOf(place.mailId)}, ${fileOf(place.mailId, place.file)}`;
		case 'message':
			return `${patchOf(place.mailId)}, commit message`;
		case 'commentary':
			return `${patchOf(place.mailId)}, notes below the commit message`;
		case 'cover':
			return 'cover letter';
		case 'general':
			return patches.some(({ mail }) => mail.id === place.mailId)
				? `${patchOf(place.mailId ?? 0)} as a whole`
				: 'the series as a whole';
		case 'elsewhere':
			return 'another mail of the thread';
	}
}

/** A draft comment that a language model requested. */
interface AskedDraft {
	readonly of: Reviewed;
	readonly place: DraftLines;
	readonly text: string;
	/** Shown to the user: `2/4`, the path, and the line with its sign. */
	readonly patch: string;
	readonly path: string;
	readonly quoted: string;
}

/** Finds the requested line in the patchset. Throws `ToolInputError` with the available patches, files or lines. */
export async function askedDraft(connections: Connections, input: unknown, signal: AbortSignal): Promise<AskedDraft> {
	const { connection, what } = patchsetField(input, connections);
	const [index, line] = [countField(input, 'patch'), countField(input, 'line')];
	const side = textField(input, 'side') ?? 'new';
	if (side !== 'new' && side !== 'old') {
		throw new ToolInputError('The field "side" has to be "new" or "old".');
	}
	const path = textField(input, 'file');
	const text = textField(input, 'text');
	if (path === undefined || text === undefined || text.trim() === '') {
		throw new ToolInputError(`The field "${path === undefined ? 'file' : 'text'}" is missing.`);
	}
	if (text.length > longestText) {
		throw new ToolInputError(`The field "text" has to have at most ${longestText} characters.`);
	}
	const { series } = await connection.reviews.read(what, signal);
	const patch = series.patches.find((each) => each.index === index);
	if (!patch) {
		const known = series.patches.map((each) => each.index).join(', ');
		throw new ToolInputError(`There is no patch ${index}. The patchset has: ${known === '' ? 'none' : known}.`);
	}
	const file = fileOf(patch, path, side);
	const numberOf = ({ old, fresh }: QuotableLine): number | undefined => (side === 'old' ? old : fresh);
	const shown = quotableLines(patch.mail, patch).filter(
		(each) => each.origin.kind === 'line' && each.origin.file === file && numberOf(each) !== undefined,
	);
	const found = shown.find((each) => numberOf(each) === line);
	if (!found) {
		const ranges = rangesText(shown.flatMap((each) => numberOf(each) ?? []));
		throw new ToolInputError(
			ranges === ''
				? `The patch shows no lines of this file on the ${side} side.`
				: `The patch does not show line ${line} of this file on the ${side} side. The lines that it shows there: ${ranges}.`,
		);
	}
	return {
		of: { connectionKey: connection.key, ref: what },
		place: { kind: 'lines', messageId: patch.mail.messageId, file, side, firstLine: line, line },
		text,
		patch: `${index}/${series.count}`,
		path,
		quoted: found.text,
	};
}

/** Index of the file with this path, on this side first. */
function fileOf({ patch }: SeriesPatch, path: string, side: DraftLines['side']): number {
	const { files } = patch.diff;
	const [own, other] = side === 'old' ? (['oldPath', 'newPath'] as const) : (['newPath', 'oldPath'] as const);
	const exact = files.findIndex((file) => file[own] === path);
	const at = exact === -1 ? files.findIndex((file) => file[other] === path) : exact;
	if (at === -1) {
		const known = files.map(({ oldPath, newPath }) => oneLine(newPath ?? oldPath ?? ''));
		throw new ToolInputError(
			`This patch does not change that file. The files that it changes:\n${untrustedFrame(known.join('\n'), largestListBytes)}`,
		);
	}
	return at;
}

/** `38-47, 90` from ascending numbers. */
function rangesText(numbers: readonly number[]): string {
	const ranges: { readonly first: number; last: number }[] = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last?.last === number - 1) {
			last.last = number;
		} else {
			ranges.push({ first: number, last: number });
		}
	}
	const shown = ranges
		.slice(0, mostRanges)
		.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`));
	return [...shown, ...(ranges.length > mostRanges ? ['and more'] : [])].join(', ');
}

/** Confirmation of a draft. Code blocks keep its texts from hiding the target. */
export function draftQuestion(connections: Connections, asked: AskedDraft): vscode.PreparedToolInvocation {
	const { of, place, text, patch, path, quoted } = asked;
	const connection = connections.byKey(of.connectionKey);
	const { ref } = of;
	const patchset = forgeName(patchsetAddress(ref, connection?.lists.knownPatchset(ref)?.messageId));
	const where =
		place.side === 'old'
			? vscode.l10n.t('On line {0} of {1} before patch {2}:', place.line, path, patch)
			: vscode.l10n.t('On line {0} of {1} after patch {2}:', place.line, path, patch);
	return {
		invocationMessage: vscode.l10n.t('Adding a draft comment to {0}', patchset),
		confirmationMessages: {
			title: vscode.l10n.t('Add a draft comment to {0}?', patchset),
			message: untrustedMarkdown([
				escapeMarkdown(visibleLine(accountText(connection))),
				escapeMarkdown(visibleLine(where)),
				codeBlock(quoted),
				escapeMarkdown(vscode.l10n.t('This draft comment will be added. Nothing is sent:')),
				codeBlock(text),
			]),
		},
	};
}

/** A mail by its Message-ID, with angle brackets, and the list that it was sent to. */
interface NamedMail {
	readonly list: ListRef;
	readonly messageId: string;
}

/** What a tool was asked for, and the account that reads it. */
interface Target<T> {
	readonly connection: Connection;
	readonly what: T;
}

/** The patchset in the field "patchset": `~owner/list/patches/12`, its address, or a known mail of a formed patchset. */
function patchsetField(input: unknown, connections: Connections): Target<PatchsetRef> {
	const text = textField(input, 'patchset') ?? '';
	const found = target(
		text,
		connections,
		(destination) => (destination.kind === 'patchset' ? destination.ref : undefined),
		({ list }) => list,
	);
	if (found) {
		return found;
	}
	const mail = target(text, connections, namedMail, ({ list }) => list);
	const id = mail?.connection.lists.knownMailNamed(mail.what.messageId, mail.what.list)?.mail.patchsetId;
	if (!mail || id === undefined) {
		throw new ToolInputError(
			'Name the patchset as ~owner/list/patches/12 or by its address on a forge that is signed in to.',
		);
	}
	return { connection: mail.connection, what: { list: mail.what.list, id } };
}

function namedMail(destination: Destination): NamedMail | undefined {
	return destination.kind === 'mail' && destination.list
		? { list: destination.list, messageId: destination.messageId }
		: undefined;
}

/** A short name is an address of each forge with the beginning left out. */
function target<T>(
	written: string,
	connections: Connections,
	wanted: (destination: Destination) => T | undefined,
	listOf: (what: T) => ListRef,
): Target<T> | undefined {
	const named = namedIn(written.trim(), connections, (text, { instance }) => {
		const isAddress = /^https?:/i.test(text);
		// Message-IDs may contain characters with a meaning in addresses.
		const path = text.toWellFormed().split('/').map(encodeURIComponent).join('/');
		const url = URL.parse(isAddress ? text : `${originOf(instance, 'lists')}/${path}`);
		const destination = url ? webOf(instance).destination(url) : undefined;
		return destination && wanted(destination);
	});
	if (!named) {
		return undefined;
	}
	const { what, accounts } = named;
	const ref = listOf(what);
	// An account that knows the list, otherwise its owner's.
	const reader =
		accounts.find(
			({ lists }) =>
				lists.collection.known(ref) !== undefined ||
				lists.collection.subscription(ref) !== undefined ||
				lists.followed.all().some(({ owner, name }) => owner === ref.owner && name === ref.name),
		) ?? accounts.find(({ me }) => me === ref.owner);
	return { what, connection: reader ?? named.connection };
}
