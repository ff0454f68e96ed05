import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { readBeforeLines } from '../../../editor/ask/readBefore.ts';
import { readingTool } from '../../../editor/models/languageTool.ts';
import {
	largestAnswerBytes,
	namedIn,
	oneLine,
	textField,
	timeOf,
	ToolInputError,
} from '../../../editor/models/toolInput.ts';
import type { Destination } from 'sourcehut/port/destination.ts';
import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';

import { openQuestions } from 'patchmail/review/openQuestions.ts';
import type { CommentPlace } from 'patchmail/review/reviewComment.ts';
import { reviewComments } from 'patchmail/review/reviewComments.ts';
import { reviewThreads } from 'patchmail/review/reviewThreads.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { untrustedFrame } from '../../../engine/text/untrustedFrame.ts';
import { patchsetText } from './patchsetText.ts';
import { webOf } from '../../../editor/links/webOf.ts';
import { originOf } from 'sourcehut/port/instance.ts';

/** So many of the last lines that a comment quotes say what it is about. */
const mostQuoted = 6;

/** Mailing list tools for language models. List content carries the remote mark. */
export const listTools = {
	forge_getPatchset: readingTool(() => vscode.l10n.t('Loading a patchset'), getPatchset),
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
