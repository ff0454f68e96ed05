import { pushAll } from '@forge-desk/base/longArrays.ts';
import { isSameAddress } from '../mail/onlySender.ts';
import { answeredPatches } from './answeredPatches.ts';
import { isOwnTrailer, secondAddress, senderKey } from './ownTrailer.ts';
import { ownLines } from './ownLines.ts';
import type { GivenTrailer, SeriesMail, SeriesReading } from './seriesReading.ts';
import { arrivalOrder } from './sentOrder.ts';
import { personKey, trailerLines, type TrailerLine } from './trailerLines.ts';

/** A trailer whose patches are still open. */
interface Candidate {
	readonly mail: SeriesMail;
	readonly line: TrailerLine;
	/** The same array for all trailers of the whole series. */
	readonly indexes: readonly number[];
	readonly isForOther: boolean;
	/** Should come from another person. Authors collect others' trailers, so within a patch only the sign-off counts. */
	readonly isDoubted: boolean;
	readonly isOnlyToGit: boolean;
}

/** Limit per sender; more is a flood. */
const mostOfSender = 60;
const mostOfAll = 400;

/**
 * The `…-by` trailers of a series: those in patches first, then those in own lines of the thread, oldest first, with a
 * limit against floods. Each person counts once per patch: by their own mail, else in the patch, else by another
 * person's mail. `linesOf` returns cached trailers, so long threads can yield.
 */
export function trailersOfThread(
	thread: readonly SeriesMail[],
	series: SeriesReading,
	linesOf: (mail: SeriesMail) => readonly TrailerLine[] = mailTrailers,
): readonly GivenTrailer[] {
	const inPatches = candidatesInPatches(series);
	const candidates = [...inPatches, ...candidatesInThread(thread, series, linesOf)];
	const indexesOf = shares(candidates, series);
	const standing = new Map<string, Set<number>>();
	for (const candidate of inPatches) {
		const key = keyOf(candidate);
		const indexes = standing.get(key) ?? new Set();
		candidate.indexes.forEach((index) => indexes.add(index));
		standing.set(key, indexes);
	}
	return candidates.flatMap((candidate): readonly GivenTrailer[] => {
		const { mail, line, isDoubted, isOnlyToGit } = candidate;
		const indexes = indexesOf(candidate);
		const written = standing.get(keyOf(candidate));
		// A trailer that only git reads stays in doubt, whoever sent it.
		const second = isDoubted && !isOnlyToGit ? secondAddress(mail, line) : undefined;
		const doubt = second === undefined ? { isForOther: isDoubted } : { isForOther: true, second };
		return [true, false].flatMap((isInPatch): readonly GivenTrailer[] => {
			const patchIndexes = indexes.filter((index) => (written?.has(index) ?? false) === isInPatch);
			return patchIndexes.length === 0
				? []
				: [{ ...line, mailId: mail.id, patchIndexes, isInPatch, ...doubt, isOnlyToGit }];
		});
	});
}

/** Trailers in the mail's own lines. People may indent them. */
export function mailTrailers({ reading }: SeriesMail): readonly TrailerLine[] {
	return reading.kind === 'raw'
		? []
		: trailerLines(ownLines(reading.mail.text).map((line) => line?.replace(/^[ \t]{1,8}(?=[A-Za-z-]{1,60}:)/, '')));
}

/** Trailers of one person. */
interface Taken {
	/** Patches with a trailer of their own. */
	readonly single: Set<number>;
	isWhole: boolean;
}

/**
 * Patches per candidate. Skips the walk over all patches for a mail about the whole series, unless the person had
 * another trailer before.
 */
function shares(
	candidates: readonly Candidate[],
	{ patches }: SeriesReading,
): (candidate: Candidate) => readonly number[] {
	const taken = new Map<string, Taken>();
	const found = new Map<Candidate, readonly number[]>();
	// Stable: shown trailers of patches come before those that only git reads, and these before other people's mails.
	for (const candidate of candidates.toSorted((a, b) => Number(a.isForOther) - Number(b.isForOther))) {
		const key = keyOf(candidate);
		const before = taken.get(key) ?? { single: new Set(), isWhole: false };
		taken.set(key, before);
		if (!before.isWhole) {
			const { indexes } = candidate;
			found.set(candidate, before.single.size === 0 ? indexes : indexes.filter((index) => !before.single.has(index)));
			before.isWhole = indexes.length === patches.length;
			if (!before.isWhole) {
				indexes.forEach((index) => before.single.add(index));
			}
		}
	}
	return (candidate) => found.get(candidate) ?? [];
}

function keyOf({ line }: Candidate): string {
	return `${line.key} ${personKey(line.person)}`;
}

function candidatesInPatches({ patches }: SeriesReading): readonly Candidate[] {
	return patches.flatMap(({ mail, patch, index }) => {
		const shown = trailerLines(patch.message.split('\n'));
		const toGit = trailerLines((patch.gitMessage ?? '').split('\n'));
		const inPatch = { mail, indexes: [index] };
		return [
			...shown.map((line) => {
				const isForOther = !isOwnTrailer(mail, line) && !isSameAddress(line.person.address, patch.author?.address);
				return {
					...inPatch,
					line,
					isForOther,
					isDoubted: isForOther && line.key === 'Signed-off-by',
					isOnlyToGit: false,
				};
			}),
			...toGit.map((line) => ({ ...inPatch, line, isForOther: true, isDoubted: true, isOnlyToGit: true })),
		];
	});
}

function candidatesInThread(
	thread: readonly SeriesMail[],
	series: SeriesReading,
	linesOf: (mail: SeriesMail) => readonly TrailerLine[],
): readonly Candidate[] {
	const patchIds = new Set(series.patches.map(({ mail }) => mail.id));
	const patchesOf = answeredPatches(thread, series);
	const given = new Map<string, number>();
	const found: Candidate[] = [];
	// Each mail once, and the cover letter even if the thread lacks it.
	const { cover } = series;
	const byId = new Map([...(cover === undefined ? [] : [cover]), ...thread].map((mail) => [mail.id, mail]));
	const inOrder = Array.from(byId.values()).toSorted(arrivalOrder);
	for (const mail of inOrder.filter(({ id }) => !patchIds.has(id))) {
		const lines = linesOf(mail);
		const indexes = lines.length === 0 ? [] : patchesOf(mail);
		const sender = senderKey(mail);
		const before = given.get(sender) ?? 0;
		const most = indexes.length === 0 ? 0 : Math.min(mostOfSender - before, mostOfAll - found.length);
		const heard = lines.slice(0, Math.max(0, most));
		given.set(sender, before + heard.length);
		pushAll(
			found,
			heard.map((line) => {
				const isForOther = !isOwnTrailer(mail, line);
				return { mail, line, indexes, isForOther, isDoubted: isForOther, isOnlyToGit: false };
			}),
		);
	}
	return found;
}
