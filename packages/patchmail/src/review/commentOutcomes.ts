import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { hunkLines } from '../patch/hunkLines.ts';
import type { SeriesMail, SeriesPatch } from '../series/seriesReading.ts';
import {
	carriedThreads,
	linesOfSide,
	newCarriers,
	pairOf,
	type CarriedThread,
	type CarriedVersions,
	type Carriers,
} from './carriedThreads.ts';
import type { CommentPlace, LinePlace, ReviewComment } from './reviewComment.ts';
import type { ReviewThread } from './reviewThreads.ts';

interface Change {
	/** Whether its lines changed. `unknown` for a comment without lines, and for lines that the later version hides. */
	readonly change: 'changed' | 'same' | 'unknown';
	/** The place in the later version; `undefined` if that has no such patch. */
	readonly at: CommentPlace | undefined;
	/** The hunk there with the signs of its lines, if the lines changed. */
	readonly hunk: readonly string[];
}

/** Changes and replies to a comment in a later version. */
export interface CommentOutcome extends Change {
	readonly comment: ReviewComment;
	/** The author's last reply to it. */
	readonly answer: ReviewComment | undefined;
}

/** How many comments had which outcome. A comment may count as changed and as answered. */
export interface OutcomeCounts {
	readonly all: number;
	readonly changed: number;
	readonly answered: number;
	/** Same lines, and no reply by the author. */
	readonly untouched: number;
	/** Neither is known. */
	readonly unclear: number;
}

/** Longer quotations count with their last lines. */
const mostLines = 20;

/**
 * Outcomes of comments on an earlier version: changes of their lines, and replies of the author. Only
 * proven changes count. Thanks and greetings are no comments.
 */
export function* commentOutcomes(
	threads: readonly ReviewThread[],
	versions: CarriedVersions,
	isMine: (mail: SeriesMail) => boolean,
	isAuthor: (mail: SeriesMail) => boolean,
): Steps<readonly CommentOutcome[]> {
	const outcomes: CommentOutcome[] = [];
	const carriers = newCarriers();
	for (const thread of threads) {
		const own = thread.comments.filter(({ mail, isCourtesy }) => isMine(mail) && !isCourtesy);
		if (own.length > 0) {
			const change = yield* changeAt(thread, versions, carriers);
			for (const comment of own) {
				const answer = thread.comments.findLast((each) => isAuthor(each.mail) && isBelow(each, comment));
				outcomes.push({ comment, ...change, answer });
			}
		}
		yield;
	}
	return outcomes;
}

export function outcomeCounts(outcomes: readonly CommentOutcome[]): OutcomeCounts {
	const count = (isMeant: (each: CommentOutcome) => boolean): number => outcomes.filter(isMeant).length;
	return {
		all: outcomes.length,
		changed: count(({ change }) => change === 'changed'),
		answered: count(({ answer }) => answer !== undefined),
		untouched: count(({ change, answer }) => change === 'same' && answer === undefined),
		unclear: count(({ change, answer }) => change === 'unknown' && answer === undefined),
	};
}

/** True for an answer at any depth, and for a reply to the same mail at the same place. */
function isBelow(one: ReviewComment, comment: ReviewComment): boolean {
	let above = one.answers;
	while (above && above !== comment) {
		above = above.answers;
	}
	return above === comment || one.mail.parentId === comment.mail.id;
}

function* changeAt({ place, key }: ReviewThread, versions: CarriedVersions, carriers: Carriers): Steps<Change> {
	if (place.kind === 'elsewhere') {
		return { change: 'unknown', at: undefined, hunk: [] };
	}
	const [one, other] = pairOf(place, versions);
	if (!one || !other) {
		// Without a comparison, the patch may still be there.
		const at = one ? versions.earlier.patches.indexOf(one) : -1;
		const isDropped = versions.pairs.some((pair) => pair.kind === 'removed' && pair.old === at);
		return { change: isDropped ? 'changed' : 'unknown', at: undefined, hunk: [] };
	}
	switch (place.kind) {
		case 'line': {
			const first = Math.max(place.firstLine, place.line - mostLines + 1);
			const lines = Array.from({ length: place.line - first + 1 }, (_, index): LinePlace => ({
				...place,
				line: first + index,
			}));
			const carried = yield* carriedThreads(
				lines.map((each) => ({ key, place: each, comments: [] })),
				versions,
				carriers,
			);
			return lineChange(lines, carried, one, other);
		}
		case 'message':
		case 'commentary': {
			const [carried] = yield* carriedThreads([{ key, place, comments: [] }], versions);
			return { change: carried?.isChanged === false ? 'same' : 'changed', at: carried?.thread.place, hunk: [] };
		}
		case 'file':
		case 'general':
		case 'cover':
			return { change: 'unknown', at: { kind: 'general', mailId: other.mail.id }, hunk: [] };
	}
}

function lineChange(
	lines: readonly LinePlace[],
	carried: readonly CarriedThread[],
	one: SeriesPatch,
	other: SeriesPatch,
): Change {
	const changed = carried.flatMap(({ isChanged, thread: { place } }) =>
		isChanged && place.kind === 'line' ? [place] : [],
	);
	const shown = changed.at(-1);
	if (shown) {
		return { change: 'changed', at: shown, hunk: hunkText(other, shown) };
	}
	const last = carried.at(-1)?.thread.place;
	if (carried.every(({ isChanged, inWhole }) => !isChanged || inWhole !== undefined)) {
		return { change: 'same', at: last, hunk: [] };
	}
	// The later patch no longer adds an added line. Any other line may be the same outside its hunks.
	const isAddedAndGone = lines.some((place, index) => {
		const line = linesOfSide(one, place.file, place.side).find((each) => each.line === place.line);
		return carried[index]?.isChanged === true && line !== undefined && one.patch.diffText[line.start] === '+';
	});
	const onFile = last?.kind === 'line' ? ({ kind: 'file', mailId: last.mailId, file: last.file } as const) : last;
	return { change: isAddedAndGone ? 'changed' : 'unknown', at: onFile, hunk: [] };
}

function hunkText({ patch }: SeriesPatch, { file, hunk }: LinePlace): readonly string[] {
	const content = patch.diff.files[file]?.content;
	const found = content?.kind === 'text' ? content.hunks[hunk] : undefined;
	return found
		? Array.from(hunkLines(patch.diffText, found), ({ start, end }) => patch.diffText.slice(start, end))
		: [];
}
