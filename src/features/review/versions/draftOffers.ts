import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { carriedDrafts, type CarriedDraft } from 'patchmail/review/carriedDrafts.ts';
import { isUnchanged, type DraftComment, type ReviewDraft } from 'patchmail/review/reviewDraft.ts';
import type { Sending } from 'patchmail/review/sending.ts';
import { isOnlyTyped, typedId } from 'patchmail/review/typedDraft.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import { keptSending, reviewDraft } from '../../../store/drafts/reviewDrafts.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { withWhole } from './earlierReading.ts';
import { newestVersion, replacedVersions } from './newestVersion.ts';
import { comparePair } from './versionTexts.ts';

/** Draft comments on an earlier version, with their places in the newest one. */
export interface DraftsOffer {
	readonly earlier: PatchsetReview;
	readonly later: PatchsetReview;
	readonly drafts: readonly OfferedDraft[];
}

export interface OfferedDraft extends CarriedDraft {
	/** Why it can't move now. */
	readonly hold: 'edited' | 'typed' | 'sending' | undefined;
}

/**
 * Drafts on the versions that this one replaces, or on this one if a newer one exists. Without drafts, it costs a look at
 * the counts. Versions by someone else take none.
 */
export async function draftOffers(
	context: ListsContext,
	connection: Connection,
	review: PatchsetReview,
	signal: AbortSignal,
): Promise<readonly DraftsOffer[]> {
	const { list } = review.ref;
	const newest = newestVersion(review);
	const pairs = newest
		? [[review.ref, newest] as const]
		: replacedVersions(review).map(({ patchset }) => [{ list, id: patchset.id }, review.ref] as const);
	const offers: DraftsOffer[] = [];
	for (const [from, to] of pairs) {
		if (context.draftCounts.of({ connectionKey: connection.key, ref: from }).comments > 0) {
			const earlier = await connection.reviews.read(from, signal);
			const later = await connection.reviews.read(to, signal);
			const drafts = await offeredDrafts(context, connection, { earlier, later }, signal);
			offers.push(...(drafts.length === 0 ? [] : [{ earlier, later, drafts }]));
		}
	}
	return offers;
}

async function offeredDrafts(
	{ drafts, clock }: ListsContext,
	connection: Connection,
	{ earlier, later }: { readonly earlier: PatchsetReview; readonly later: PatchsetReview },
	signal: AbortSignal,
): Promise<readonly OfferedDraft[]> {
	const of = { connectionKey: connection.key, ref: earlier.ref };
	const draft = reviewDraft(drafts, of);
	const comments = draft.comments.filter((comment) => !isOnlyTyped(comment));
	const pair = { earlier: earlier.series, later: later.series };
	const { compared } = await comparePair(pair, clock, signal);
	const pairs = compared.kind === 'compared' ? compared.pairs : [];
	const carry = (versions: Parameters<typeof carriedDrafts>[1], of: readonly DraftComment[]) =>
		runResting(carriedDrafts(of, versions), resting(clock), signal);
	const byHunks = await carry({ ...pair, pairs }, comments);
	const lost = byHunks.flatMap(({ draft: each, fate }) =>
		fate.kind === 'lost' && each.place.kind === 'lines' ? [each] : [],
	);
	const inWhole = new Map<DraftComment, CarriedDraft>();
	if (lost.length > 0) {
		const places = placesOf(lost, pair.earlier);
		const [one, other] = [
			await withWhole(connection, pair.earlier, places, undefined, signal),
			await withWhole(connection, pair.later, sameFiles(places, pair), undefined, signal),
		];
		const versions = { earlier: { ...pair.earlier, ...one }, later: { ...pair.later, ...other }, pairs };
		(await carry(versions, lost)).forEach((each) => inWhole.set(each.draft, each));
	}
	const sending = keptSending(drafts, of) ?? [];
	return byHunks.map((each) => ({
		...(inWhole.get(each.draft) ?? each),
		hold: holdOf(each.draft, draft, sending),
	}));
}

function placesOf(drafts: readonly DraftComment[], { patches }: SeriesReading) {
	return drafts.flatMap(({ place }) => {
		const mailId = patches.find(({ mail }) => mail.messageId === place.messageId)?.mail.id;
		return place.kind === 'lines' && mailId !== undefined ? [{ kind: 'file', mailId, file: place.file } as const] : [];
	});
}

/** Files of the later version with the paths of these. */
function sameFiles(
	places: ReturnType<typeof placesOf>,
	{ earlier, later }: { readonly earlier: SeriesReading; readonly later: SeriesReading },
): ReturnType<typeof placesOf> {
	const paths = new Set(
		places.flatMap(({ mailId, file }) => {
			const diff = earlier.patches.find(({ mail }) => mail.id === mailId)?.patch.diff.files[file];
			return diff?.newPath ?? diff?.oldPath ?? [];
		}),
	);
	return later.patches.flatMap(({ mail, patch }) =>
		patch.diff.files.flatMap(({ newPath, oldPath }, file) =>
			paths.has(newPath ?? oldPath ?? '') ? [{ kind: 'file', mailId: mail.id, file } as const] : [],
		),
	);
}

/** A mail on its way may contain the draft, and an edited mail would lose it. */
function holdOf({ id, place }: DraftComment, { comments, edits }: ReviewDraft, sending: Sending): OfferedDraft['hold'] {
	if (sending.some(({ progress }) => progress.kind !== 'waiting' && progress.kind !== 'notSent')) {
		return 'sending';
	}
	const edit = edits.get(place.messageId);
	if (edit && edit.text !== '' && !isUnchanged(edit)) {
		return 'edited';
	}
	return comments.some((comment) => comment.id === typedId(id)) ? 'typed' : undefined;
}

/** True for a draft that the user's command moves. */
export function isMovable({ fate, hold }: OfferedDraft): boolean {
	return hold === undefined && fate.kind !== 'lost';
}
