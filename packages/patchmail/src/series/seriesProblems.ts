import { archivedFrom } from './listedPatchset.ts';
import type { Placed } from './seriesMembers.ts';
import { isMisappliedByGit } from '../patch/fileDiff.ts';
import { arrivalOrder } from './sentOrder.ts';
import { isFixup } from './subjectPlace.ts';
import type { SeriesMail, SeriesPatch, SeriesProblem } from './seriesReading.ts';

interface UncheckedSeries {
	readonly cover: SeriesMail | undefined;
	readonly patches: readonly SeriesPatch[];
	/** All mails with a patch subject, in order of arrival. */
	readonly placed: readonly Placed<SeriesMail>[];
	readonly count: number;
	readonly usualPrefix: string | undefined;
	readonly isOfForge: boolean;
	/** Indexes that a set sent again. The order of its mails says nothing then. */
	readonly again: readonly number[] | undefined;
	/** Number of the sender's patches in the thread that belong to no patchset. */
	readonly leftOut: number;
}

const longestLine = 200;

/** All problems that a sender would want to know, those of the whole series first. */
export function seriesProblems(series: UncheckedSeries): readonly SeriesProblem[] {
	const { cover, patches, placed, count, usualPrefix, isOfForge, again } = series;
	const seen = new Set<number>();
	const repeated = new Set<number>();
	for (const { index } of placed.filter(({ place }) => place?.isNumbered !== false)) {
		(seen.has(index) ? repeated : seen).add(index);
	}
	const sent = patches.filter(({ keptFrom }) => keptFrom === undefined);
	const mails = [...(cover === undefined ? [] : [cover]), ...sent.map(({ mail }) => mail)];
	const kept = Map.groupBy(
		patches.filter((patch) => patch.keptFrom !== undefined),
		({ keptFrom = 0 }) => keptFrom,
	);
	// Numbers of archived mails have no order within a minute, so only the time counts.
	const isInOrder = mails
		.slice(1)
		.every(
			(mail, at) =>
				(again ?? []).length > 0 ||
				(mail.id < archivedFrom ? arrivalOrder(mails[at]!, mail) : mails[at]!.createdMs - mail.createdMs) <= 0,
		);
	// One problem for the whole series, whose parts share a style.
	const places = placed.flatMap(({ place }) => (place === undefined ? [] : [place]));
	const wrong =
		places.find(({ isDisordered, isMisread }) => isDisordered || (isOfForge && isMisread)) ??
		places.find(({ prefix }) => usualPrefix !== undefined && prefix.toLowerCase() !== usualPrefix.toLowerCase());
	// If only the order of the words is wrong, the prefix needs no change.
	const isUsual = wrong?.prefix.toLowerCase() === usualPrefix?.toLowerCase();
	return [
		...missingParts(patches, count),
		...Array.from(
			kept,
			([version, from]) => ({ kind: 'keptPatches', version, indexes: from.map(({ index }) => index) }) as const,
		),
		...Array.from(
			again === undefined ? repeated : new Set(again),
			(index) => ({ kind: 'repeatedPart', index, isLast: again !== undefined }) as const,
		),
		...(series.leftOut === 0 ? [] : [{ kind: 'leftOut', count: series.leftOut } as const]),
		...patches.filter(({ mail }) => isFixup(mail.subject)).map(({ index }) => ({ kind: 'fixup', index }) as const),
		...(isInOrder ? [] : [{ kind: 'wrongOrder' } as const]),
		...(wrong === undefined
			? []
			: [{ kind: 'wrongPrefix', written: wrong.tag, usual: isUsual ? undefined : usualPrefix } as const]),
		...(cover === undefined ? [] : mailProblems(cover, 0)),
		...patches.flatMap((patch) => [...patchProblems(patch), ...damageIn(patch)]),
	];
}

/** At most one problem for all missing patches. */
export function missingParts(patches: readonly { readonly index: number }[], count: number): readonly SeriesProblem[] {
	const there = new Set(patches.map(({ index }) => index));
	const all = Array.from({ length: count }, (_, at) => at + 1);
	// A part beyond the count of its series is a set of its own.
	const indexes = count === 1 && patches.length > 0 ? [] : all.filter((index) => !there.has(index));
	return indexes.length === 0 ? [] : [{ kind: 'missingParts', indexes, count }];
}

function patchProblems({ mail, patch, index }: SeriesPatch): readonly SeriesProblem[] {
	const mailId = mail.id;
	const { reading } = mail;
	const isAttached =
		reading.kind === 'read' &&
		patch.diff.files.length > 0 &&
		patch.diffText !== reading.mail.body &&
		patch.diffText !== reading.mail.text;
	return [
		...mailProblems(mail, index),
		...(reading.kind === 'read' && patch.diff.files.length === 0 ? [{ kind: 'noDiff', mailId } as const] : []),
		...doubtIn({ mail, patch }),
		...(hasLosses(mail) ? [{ kind: 'lostBytes', mailId } as const] : []),
		...(patch.diff.isBare ? [{ kind: 'noPrefix', mailId } as const] : []),
		...(isAttached ? [{ kind: 'attachedPatch', mailId } as const] : []),
	];
}

function hasLosses({ reading }: SeriesMail): boolean {
	return reading.kind === 'read' && reading.mail.patchBytes?.hasLosses === true;
}

function doubtIn({ mail, patch }: Pick<SeriesPatch, 'mail' | 'patch'>): readonly SeriesProblem[] {
	const isOtherPatch = patch.gitDiff !== undefined;
	const isMisapplied = patch.diff.files.some(({ damage }) => damage.some(isMisappliedByGit));
	const doubts = mail.reading.kind === 'read' ? mail.reading.mail.doubts : [];
	// Losses in the patch have a problem of their own.
	const hasDoubts = doubts.some(({ kind }) => kind !== 'lostBytes' || !hasLosses(mail));
	return isOtherPatch || patch.gitMessage !== undefined || isMisapplied || hasDoubts
		? [{ kind: 'inDoubt', mailId: mail.id, isOtherPatch }]
		: [];
}

function damageIn({ mail, patch }: SeriesPatch): readonly SeriesProblem[] {
	const mailId = mail.id;
	const damaged = patch.diff.files.filter(({ damage }) => damage.length > 0);
	const wrapped = damaged.flatMap(({ damage }) => damage).find(({ kind }) => kind === 'wrappedLine');
	return wrapped === undefined
		? damaged.map(({ newPath, oldPath, damage: [damage] }) => ({
				kind: 'damaged',
				mailId,
				path: newPath ?? oldPath,
				damage: damage!.kind,
			}))
		: [{ kind: 'wrappedLines', mailId, line: lineAt(patch.diffText, wrapped.at) }];
}

/** Problems of any mail. */
function mailProblems({ id, reading }: SeriesMail, index: number): readonly SeriesProblem[] {
	if (reading.kind === 'raw') {
		return [{ kind: 'shownRaw', mailId: id, index, reason: reading.reason }];
	}
	return reading.mail.isFlowed ? [{ kind: 'flowed', mailId: id }] : [];
}

function lineAt(text: string, at: number): string {
	const end = text.indexOf('\n', at);
	return text.slice(at, Math.min(end === -1 ? text.length : end, at + longestLine)).trimEnd();
}
