import type { ProductSeries } from './productSeries.ts';

/** A mail by b4's reading. */
export interface MailFacts {
	readonly from: string;
	readonly name: string;
	readonly subject: string;
	/** `null` if the subject has none. */
	readonly revision: number | null;
	readonly index: number;
	readonly count: number;
	readonly isNumbered: boolean;
	readonly hasDiff: boolean;
}

/** A series by b4's reading. Patches are in order of the series, with `null` for a missing one. */
export interface B4Series {
	readonly thread: string;
	readonly revision: number;
	readonly isComplete: boolean;
	/** Filled up with patches of an earlier version. */
	readonly isPartial: boolean;
	readonly cover: string | null;
	readonly patches: readonly (string | null)[];
}

export interface B4Reading {
	readonly series: readonly B4Series[];
	readonly mails: Readonly<Record<string, MailFacts>>;
	/** Mails and threads at which b4 fails. */
	readonly unread: readonly string[];
	readonly cpuMs: number;
}

export const differenceKinds = [
	'same',
	'fragment',
	'missing',
	'incomplete, missing',
	'incomplete, other',
	'other patches',
] as const;
type DifferenceKind = (typeof differenceKinds)[number];

/** Who reads a series as its sender meant it. `unclear`: the mails alone do not say. */
export type Right = 'both' | 'b4' | 'product' | 'unclear';

export interface Difference {
	readonly kind: DifferenceKind;
	readonly right: Right;
	/** Reasons against b4's reading, from the headers of its patches. */
	readonly doubts: readonly string[];
	readonly series: B4Series;
	/** The product's patchset with most of the same mails. */
	readonly beside: ProductSeries | undefined;
	/** Both have the same patches, but not the same cover letter. */
	readonly hasOtherCover: boolean;
}

/** Compares each series of b4 with the product's patchset of the same mails. */
export function differences(b4: B4Reading, product: readonly ProductSeries[]): readonly Difference[] {
	const byMail = new Map<string, ProductSeries[]>();
	for (const each of product) {
		each.patches.forEach((id) => byMail.set(id, [...(byMail.get(id) ?? []), each]));
	}
	return b4.series.map((series): Difference => {
		const patches = series.patches.filter((id) => id !== null);
		// The mails of this version tell it from the one whose patches it keeps.
		const own = patches.filter((id) => !series.isPartial || b4.mails[id]?.revision === series.revision);
		const rank = (each: ProductSeries): number =>
			shared(each, own) * 1000 +
			(each.version === series.revision ? 500 : 0) +
			shared(each, patches) -
			each.patches.length;
		const candidates = [...new Set(patches.flatMap((id) => byMail.get(id) ?? []))];
		const beside = candidates.toSorted((one, other) => rank(other) - rank(one))[0];
		const doubts = doubtsOf(series, b4.mails);
		const kind = kindOf(series, beside);
		const right = rightOf({ kind, doubts, series, beside }, b4.mails);
		const hasOtherCover = kind === 'same' && (series.cover ?? undefined) !== beside?.cover;
		return { kind, right, doubts, series, beside, hasOtherCover };
	});
}

function shared({ patches }: ProductSeries, among: readonly string[]): number {
	return patches.filter((id) => among.includes(id)).length;
}

function rightOf(
	{ kind, doubts, series, beside }: Pick<Difference, 'kind' | 'doubts' | 'series' | 'beside'>,
	mails: B4Reading['mails'],
): Right {
	if (kind === 'same') {
		return 'both';
	}
	if (series.isComplete && doubts.length === 0) {
		return 'b4';
	}
	const isWhole = beside ? signsOf(beside, mails).length === 0 : doubts.includes(noTag);
	return isWhole ? 'product' : 'unclear';
}

function kindOf({ patches, isComplete }: B4Series, beside: ProductSeries | undefined): DifferenceKind {
	const known = patches.filter((id) => id !== null);
	if (beside === undefined) {
		return isComplete ? 'missing' : 'incomplete, missing';
	}
	if (known.join('\n') === beside.patches.join('\n')) {
		return 'same';
	}
	if (!isComplete) {
		return 'incomplete, other';
	}
	return beside.patches.every((id) => known.includes(id)) && beside.patches.length < known.length
		? 'fragment'
		: 'other patches';
}

/** Lists put their own address into `From:` and keep the name. */
function senderOf({ from, name }: MailFacts): string {
	return name.includes(' via ') ? `${name} ${from}` : from;
}

const tooFew = 'too few patches';
const severalVersions = 'several versions';
const noTag = 'a subject without a tag';

/** Signs that b4 mixed several series, or took a mail for a patch that is none. */
function doubtsOf({ revision, patches, isPartial }: B4Series, mails: B4Reading['mails']): readonly string[] {
	const known = patches.flatMap((id, at) => {
		const facts = id === null ? undefined : mails[id];
		return facts ? [{ facts, place: at + 1 }] : [];
	});
	const all = known.map(({ facts }) => facts);
	const stated = all.filter((each) => each.revision !== null && each.revision !== revision);
	return [
		...(new Set(all.map(senderOf)).size > 1 ? ['several senders'] : []),
		...(stated.length > 0 && !isPartial ? ['another version in a subject'] : []),
		...(new Set(all.map(({ count }) => count)).size > 1 ? ['several counts'] : []),
		...(known.some(({ facts, place }) => facts.index !== place) ? ['another number than its place'] : []),
		...(all.some(({ subject }) => !/\[[^\]]*(?:PATCH|RFC|\d\/\d)/i.test(subject)) ? [noTag] : []),
	];
}

/** Signs that a patchset holds a wrong patch, or lacks one. */
export function problemsOf({ patches }: ProductSeries, mails: B4Reading['mails']): readonly string[] {
	const all = patches.flatMap((id) => mails[id] ?? []);
	const numbered = all.filter(({ isNumbered }) => isNumbered);
	const indexes = new Set(numbered.map(({ index }) => index));
	const count = numbered[0]?.count ?? 1;
	return [
		...(new Set(all.map(senderOf)).size > 1 ? ['several senders'] : []),
		...(new Set(all.map(({ revision }) => revision ?? 1)).size > 1 ? [severalVersions] : []),
		...(new Set(numbered.map((each) => each.count)).size > 1 ? ['several counts'] : []),
		...(numbered.length < all.length && all.length > 1 ? ['a patch without a number'] : []),
		...(indexes.size < numbered.length ? ['a number twice'] : []),
		...(numbered.length > 0 && numbered.length < count ? [tooFew] : []),
		...(all.some(({ hasDiff }) => !hasDiff) ? ['a patch without a diff'] : []),
	];
}

/** The same without the versions of a set that keeps patches of an earlier one. */
function signsOf(patchset: ProductSeries, mails: B4Reading['mails']): readonly string[] {
	return problemsOf(patchset, mails).filter((sign) => !patchset.isFormed || sign !== severalVersions);
}

/** Signs of a patch that does not belong into a patchset, unless b4 has the same patches. */
export function wrongPatchesIn(
	patchset: ProductSeries,
	found: readonly Difference[],
	mails: B4Reading['mails'],
): readonly string[] {
	const isAsB4 = found.some(({ kind, beside }) => kind === 'same' && beside === patchset);
	return isAsB4 ? [] : signsOf(patchset, mails).filter((sign) => sign !== tooFew);
}
