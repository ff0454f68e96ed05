import * as v from 'valibot';
import type { DraftLines, DraftPlace, ReviewPart, Suggestion } from '../../engine/review/reviewDraft.ts';
import { keptIn } from '../shared/keptText.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const messageId = v.string();

const draftLines = v.object({
	kind: v.literal('lines'),
	messageId,
	file: count,
	side: v.picklist(['old', 'new']),
	firstLine: count,
	line: count,
});

const draftPlace: v.GenericSchema<unknown, DraftLines | DraftPlace> = v.variant('kind', [
	draftLines,
	v.object({ kind: v.literal('file'), messageId, file: count }),
	v.object({ kind: v.literal('text'), messageId, part: v.picklist(['message', 'commentary', 'text']), line: count }),
	v.object({ kind: v.literal('mail'), messageId }),
]);

const reviewPart: v.GenericSchema<unknown, ReviewPart> = v.variant('kind', [
	v.object({ kind: v.literal('comment'), id: v.string(), place: draftPlace }),
	v.object({ kind: v.literal('suggestion'), id: v.string(), place: draftLines }),
	v.object({ kind: v.literal('suggestedFile'), document: v.string() }),
	v.object({ kind: v.literal('trailer'), messageId }),
	v.object({ kind: v.literal('status') }),
	v.object({ kind: v.picklist(['mail', 'mailMadeFrom']), messageId }),
	v.object({ kind: v.literal('sending') }),
]);

const row = v.pipe(v.string(), v.regex(/^[ +\\-]/));
export const suggestion: v.GenericSchema<unknown, Suggestion> = v.object({ firstLine: count, rows: v.array(row) });

/** Canonical form of a part, independent of field order. */
export function writtenPart(part: ReviewPart): unknown {
	return v.parse(reviewPart, part);
}

/** Inverse of `writtenPart`; `undefined` for anything else. */
export function reviewPartOf(value: unknown): ReviewPart | undefined {
	const read = v.safeParse(reviewPart, value);
	return read.success ? read.output : undefined;
}

export function suggestionText({ firstLine, rows }: Suggestion): string {
	return JSON.stringify({ firstLine, rows });
}

/** Inverse of `suggestionText`; `undefined` for anything else. */
export function suggestionOf(text: string): Suggestion | undefined {
	return keptIn<Suggestion | undefined>(text, suggestion, undefined);
}
