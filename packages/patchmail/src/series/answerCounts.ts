import { answeredPatches } from './answeredPatches.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';

/** Number of replies to a series, and to single patches at any depth. */
export interface AnswerCounts {
	readonly all: number;
	/** By patch number. */
	readonly byPatch: ReadonlyMap<number, number>;
}

/** Cache, since each row and each patch of a page needs them. */
const counted = new WeakMap<SeriesReading, { readonly mails: readonly SeriesMail[]; readonly counts: AnswerCounts }>();

/** Ignores other versions in the thread and their replies. */
export function answerCounts(mails: readonly SeriesMail[], series: SeriesReading): AnswerCounts {
	const before = counted.get(series);
	if (before?.mails === mails) {
		return before.counts;
	}
	const { cover, patches } = series;
	const parts = new Set([cover?.id, ...patches.map(({ mail }) => mail.id)]);
	const idOf = new Map(patches.map(({ index, mail }) => [index, mail.id]));
	const byPatch = new Map(patches.map(({ mail }) => [mail.id, 0]));
	const patchesOf = answeredPatches(mails, series);
	let all = 0;
	for (const mail of mails.filter(({ id }) => !parts.has(id))) {
		const [first, ...more] = patchesOf(mail);
		all += first === undefined ? 0 : 1;
		const id = first === undefined || more.length > 0 ? undefined : idOf.get(first);
		if (id !== undefined) {
			byPatch.set(id, byPatch.get(id)! + 1);
		}
	}
	const counts = { all, byPatch };
	counted.set(series, { mails, counts });
	return counts;
}
