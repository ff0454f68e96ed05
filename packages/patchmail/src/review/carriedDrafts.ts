import { maxOf, minOf } from '@forge-desk/base/longArrays.ts';
import type { Steps } from '@forge-desk/base/timeSlice.ts';
import type { SeriesMail, SeriesPatch } from '../series/seriesReading.ts';
import {
	carriedThreads,
	lineOfSide,
	newCarriers,
	pairOf,
	sameLine,
	type CarriedVersion,
	type CarriedVersions,
	type Carriers,
} from './carriedThreads.ts';
import type { CommentPlace } from './reviewComment.ts';
import type { DraftComment, DraftLines, DraftPlace, Suggestion } from './reviewDraft.ts';

/** Place of a draft in a later version. */
type DraftFate =
	/** Its lines are unchanged. */
	| { readonly kind: 'same'; readonly place: DraftPlace; readonly suggestion: Suggestion | undefined }
	/** Other lines are at the same spot. */
	| { readonly kind: 'changed'; readonly place: DraftPlace }
	/** The later version has no such spot, or doesn't show it. */
	| { readonly kind: 'lost' };

/** A draft on an earlier version, and its place in a later one. */
export interface CarriedDraft {
	readonly draft: DraftComment;
	readonly fate: DraftFate;
	/** Its lines in the earlier version, with their signs. Empty for a whole file or message. */
	readonly lines: readonly string[];
}

interface WithCover extends CarriedVersion {
	readonly cover: SeriesMail | undefined;
}

interface DraftVersions extends CarriedVersions {
	readonly earlier: WithCover;
	readonly later: WithCover;
}

/** Longer ranges count with their last lines. */
const mostLines = 500;

/** Places drafts on an earlier series in a later one. Leaves out drafts on replies, which belong to no version. */
export function* carriedDrafts(
	drafts: readonly DraftComment[],
	versions: DraftVersions,
): Steps<readonly CarriedDraft[]> {
	const carriers = newCarriers();
	const carried: CarriedDraft[] = [];
	for (const draft of drafts) {
		const { messageId } = draft.place;
		const { cover, patches } = versions.earlier;
		const one = patches.find(({ mail }) => mail.messageId === messageId);
		if (one) {
			const fate = yield* fateIn(draft, one, versions, carriers);
			carried.push({ draft, fate, lines: linesOf(draft.place, one) });
		} else if (cover?.messageId === messageId) {
			carried.push(onCover(draft, cover, versions.later));
		}
		yield;
	}
	return carried;
}

function* fateIn(
	{ place, suggestion }: DraftComment,
	one: SeriesPatch,
	versions: DraftVersions,
	carriers: Carriers,
): Steps<DraftFate> {
	const [, other] = pairOf({ mailId: one.mail.id }, versions);
	if (!other) {
		return { kind: 'lost' };
	}
	const mailId = one.mail.id;
	const { messageId } = other.mail;
	const carry = (places: readonly CommentPlace[]) =>
		carriedThreads(
			places.map((each) => ({ key: '', place: each, comments: [] })),
			versions,
			carriers,
		);
	switch (place.kind) {
		case 'mail':
			return { kind: 'same', place: { kind: 'mail', messageId }, suggestion: undefined };
		case 'file': {
			const [found] = yield* carry([{ kind: 'file', mailId, file: place.file }]);
			return found?.thread.place.kind === 'file'
				? { kind: 'same', place: { kind: 'file', messageId, file: found.thread.place.file }, suggestion: undefined }
				: { kind: 'lost' };
		}
		case 'text': {
			const [found] = yield* carry(place.part === 'text' ? [] : [{ kind: place.part, mailId, line: place.line }]);
			return found && !found.isChanged && 'line' in found.thread.place
				? { kind: 'same', place: { ...place, messageId, line: found.thread.place.line }, suggestion: undefined }
				: { kind: 'lost' };
		}
		case 'lines': {
			if (other.mail.id === mailId) {
				return { kind: 'same', place, suggestion };
			}
			const lines = yield* carriedLines(place, one, carry);
			const { firstLine = 0, rows = [] } = suggestion ?? {};
			const count = rows.filter((row) => row.startsWith(' ') || row.startsWith('-')).length;
			const suggested = yield* carriedLines({ ...place, firstLine, line: firstLine + count - 1 }, one, carry);
			return linesFate({ place, suggestion, messageId, lines, suggested });
		}
	}
}

/** A line of the earlier version, and its place in the later one if that has its spot. */
interface CarriedLine {
	readonly from: number;
	readonly to: { readonly file: number; readonly line: number; readonly isChanged: boolean } | undefined;
}

function* carriedLines(
	{ file, side, firstLine, line }: DraftLines,
	one: SeriesPatch,
	carry: (places: readonly CommentPlace[]) => ReturnType<typeof carriedThreads>,
): Steps<readonly CarriedLine[]> {
	const first = Math.max(firstLine, line - mostLines + 1);
	const numbers = Array.from({ length: Math.max(0, line - first + 1) }, (_, at) => first + at);
	const outside = { kind: 'line', mailId: one.mail.id, file, hunk: -1, side, start: 0, end: 0 } as const;
	const found = yield* carry(
		numbers.map((from) => lineOfSide(one, { file, side, line: from }) ?? { ...outside, line: from, firstLine: from }),
	);
	return numbers.map((from, at) => {
		const { thread, isChanged, inWhole } = found[at] ?? {};
		const to = thread?.place.kind === 'line' ? thread.place : inWhole;
		return { from, to: to && { file: to.file, line: to.line, isChanged: isChanged === true && to !== inWhole } };
	});
}

interface LinesFound {
	readonly place: DraftLines;
	readonly suggestion: Suggestion | undefined;
	/** Of the later patch. */
	readonly messageId: string;
	readonly lines: readonly CarriedLine[];
	/** The lines that the suggestion shows. */
	readonly suggested: readonly CarriedLine[];
}

function linesFate({ place, suggestion, messageId, lines, suggested }: LinesFound): DraftFate {
	const found = lines.flatMap(({ to }) => to ?? []);
	const last = found.at(-1);
	if (!last) {
		return { kind: 'lost' };
	}
	const shift = last.line - (lines.findLast(({ to }) => to)?.from ?? last.line);
	const isSame = [...lines, ...suggested].every(({ from, to }) => to && !to.isChanged && to.line - from === shift);
	if (suggestion !== undefined && !isSame) {
		return { kind: 'lost' };
	}
	// Lines that moved apart leave only the last one.
	const near = found.filter(({ line }) => Math.abs(line - last.line) < 2 * lines.length);
	const numbers = near.map(({ line }) => line);
	const firstLine = isSame ? Math.max(1, place.firstLine + shift) : minOf(numbers);
	const moved: DraftLines = { ...place, messageId, file: last.file, firstLine, line: maxOf(numbers) };
	return isSame
		? {
				kind: 'same',
				place: moved,
				suggestion: suggestion && { ...suggestion, firstLine: suggestion.firstLine + shift },
			}
		: { kind: 'changed', place: moved };
}

/** A cover letter without a successor passes its comments on to the first patch. */
function onCover(draft: DraftComment, cover: SeriesMail, later: WithCover): CarriedDraft {
	const { place } = draft;
	const next = later.cover ?? later.patches[0]?.mail;
	if (!next) {
		return { draft, fate: { kind: 'lost' }, lines: [] };
	}
	const { messageId } = next;
	if (place.kind !== 'text') {
		return { draft, fate: { kind: 'same', place: { kind: 'mail', messageId }, suggestion: undefined }, lines: [] };
	}
	const [before, after] = [textOf(cover), later.cover ? textOf(later.cover) : ''];
	const line = sameLine(before, after, place.line);
	return {
		draft,
		fate:
			line === undefined
				? { kind: 'lost' }
				: { kind: 'same', place: { ...place, messageId, line }, suggestion: undefined },
		lines: before.split('\n').slice(place.line - 1, place.line),
	};
}

function textOf({ reading }: SeriesMail): string {
	return reading.kind === 'read' ? reading.mail.text : '';
}

function linesOf(place: DraftPlace, one: SeriesPatch): readonly string[] {
	switch (place.kind) {
		case 'lines': {
			const { file, side, firstLine, line } = place;
			const first = Math.max(firstLine, line - mostLines + 1);
			return Array.from({ length: Math.max(0, line - first + 1) }, (_, at) => first + at).flatMap((number) => {
				const shown = lineOfSide(one, { file, side, line: number });
				return shown ? [one.patch.diffText.slice(shown.start, shown.end)] : [];
			});
		}
		case 'text':
			return place.part === 'text' ? [] : one.patch[place.part].split('\n').slice(place.line - 1, place.line);
		case 'file':
		case 'mail':
			return [];
	}
}
