import { resting, runResting } from '../../../base/timeSlice.ts';
import type { Clock } from '../../../base/clock.ts';
import { openQuestions } from '../../../review/openQuestions.ts';
import type { CommentPlace, ReviewComment } from '../../../review/reviewComment.ts';
import { reviewComments } from '../../../review/reviewComments.ts';
import { reviewThreads } from '../../../review/reviewThreads.ts';
import type { SeriesReading } from '../../../series/seriesReading.ts';
import type { PatchsetReview } from '../../../state/lists/review/patchsetReview.ts';
import { oneLine, timeOf } from './mailTexts.ts';

/** So many of the last lines that a comment quotes say what it is about. */
const mostQuoted = 6;

/**
 * Review comments on a patchset for a language model: place by place in reading order, each with its quoted lines. All
 * of it is remote text and belongs into the frame for remote text. Empty without comments.
 */
export async function commentsText(
	{ mails, series }: Pick<PatchsetReview, 'mails' | 'series'>,
	clock: Clock,
	signal: AbortSignal,
): Promise<string> {
	const comments = await runResting(reviewComments(mails, series), resting(clock), signal);
	const open = openQuestions(comments);
	const lines = reviewThreads(comments, series).flatMap(({ place, comments: said }) => [
		oneLine(`-- ${placeText(place, series)}`),
		...said.flatMap((comment) => commentLines(comment, open.has(comment))),
	]);
	return lines.length === 0 ? '' : ['== comments of reviewers', ...lines].join('\n');
}

function commentLines({ mail, prose, quote, answers }: ReviewComment, isOpen: boolean): readonly string[] {
	const [from] = mail.reading.kind === 'read' ? mail.reading.mail.from : [];
	const who = from ? `${from.name} <${from.address}>`.trim() : 'an unknown address';
	const how = [...(answers ? ['in reply'] : []), ...(isOpen ? ['an unanswered question'] : [])].join(', ');
	return [
		oneLine(`[${timeOf(mail.createdMs)}] ${who}${how === '' ? '' : ` (${how})`}:`),
		...(answers ? [] : quote.slice(-mostQuoted).map((line) => `>${line}`)),
		prose,
		'',
	];
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
