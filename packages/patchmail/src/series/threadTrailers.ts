import { isSameAddress } from '../mail/onlySender.ts';
import type { MailPerson } from '../mail/readableMail.ts';
import { answeredPatches } from './answeredPatches.ts';
import { isOwnTrailer, listsOf, secondAddress, senderKey } from './ownTrailer.ts';
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
	const lists = listsOf(partsOf(series));
	const inPatches = candidatesInPatches(series, lists);
	const candidates = [...inPatches, ...candidatesInThread(thread, series, lists, linesOf)];
	const indexesOf = shares(candidates, series);
	/** Names by patch and trailer. */
	const standing = new Map<string, Map<number, Set<string>>>();
	for (const candidate of inPatches) {
		const key = keyOf(candidate);
		const names = standing.get(key) ?? new Map<number, Set<string>>();
		standing.set(key, names);
		for (const index of candidate.indexes) {
			names.set(index, (names.get(index) ?? new Set()).add(nameOf(candidate.line.person)));
		}
	}
	const ofPatches = new Set<Candidate>(inPatches);
	return candidates.flatMap((candidate): readonly GivenTrailer[] => {
		const { mail, line, isDoubted, isOnlyToGit } = candidate;
		const indexes = indexesOf(candidate);
		// People correct the spelling of their own names.
		const isCorrected = !isDoubted && !ofPatches.has(candidate) && line.person.name !== '';
		const written = standing.get(keyOf(candidate));
		const name = nameOf(line.person);
		const isStanding = (index: number): boolean => {
			const names = written?.get(index);
			return names !== undefined && (!isCorrected || names.has(name));
		};
		// A trailer that only git reads stays in doubt, whoever sent it.
		const second = isDoubted && !isOnlyToGit ? secondAddress(mail, line, lists) : undefined;
		const doubt = second === undefined ? { isForOther: isDoubted } : { isForOther: true, second };
		return [true, false].flatMap((isInPatch): readonly GivenTrailer[] => {
			const patchIndexes = indexes.filter((index) => isStanding(index) === isInPatch);
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
		: trailerLines(
				ownLines(reading.mail.text).map((line) => line?.replace(/^[ \t]{1,8}(?=[A-Za-z-]{1,60}:)/, '')),
				true,
			);
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
	for (const candidate of candidates.toSorted((a, b) => rankOf(a) - rankOf(b))) {
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

/** A person's own mail about a patch comes first. */
function rankOf({ isForOther, line }: Candidate): number {
	return 2 * Number(isForOther) + Number(line.isForSeries ?? false);
}

function nameOf({ name }: MailPerson): string {
	return name.replaceAll(/["\s]+/g, ' ').trim();
}

function keyOf({ line }: Candidate): string {
	return `${line.key} ${personKey(line.person)}`;
}

function partsOf({ cover, patches }: SeriesReading): readonly SeriesMail[] {
	return [...(cover ? [cover] : []), ...patches.map(({ mail }) => mail)];
}

function candidatesInPatches({ patches }: SeriesReading, lists: ReadonlySet<string>): readonly Candidate[] {
	return patches.flatMap(({ mail, patch, index }) => {
		const shown = trailerLines(patch.message.split('\n'));
		const toGit = trailerLines((patch.gitMessage ?? '').split('\n'));
		const inPatch = { mail, indexes: [index] };
		return [
			...shown.map((line) => {
				const isForOther =
					!isOwnTrailer(mail, line, lists) && !isSameAddress(line.person.address, patch.author?.address);
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
	lists: ReadonlySet<string>,
	linesOf: (mail: SeriesMail) => readonly TrailerLine[],
): readonly Candidate[] {
	const patchIds = new Set(series.patches.map(({ mail }) => mail.id));
	const patchesOf = answeredPatches(thread, series);
	const all = series.patches.map(({ index }) => index);
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
		const own = new Set(indexes);
		const others = heard.some(({ isForSeries }) => isForSeries) ? all.filter((index) => !own.has(index)) : [];
		for (const { isForSeries, ...line } of heard) {
			const isForOther = !isOwnTrailer(mail, line, lists);
			const given = { mail, line, indexes, isForOther, isDoubted: isForOther, isOnlyToGit: false };
			const ofSeries = { ...given, line: { ...line, isForSeries }, indexes: others };
			found.push(given, ...(isForSeries && others.length > 0 ? [ofSeries] : []));
		}
	}
	return found;
}
