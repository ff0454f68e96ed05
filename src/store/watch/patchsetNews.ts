import { maxOf, pushAll } from '@forge-desk/base/longArrays.ts';
import type { ListRef, Patchset } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { InboxPosition, InboxReading } from '../inbox/inboxBook.ts';
import type { InboxEntry } from '../inbox/inboxEntry.ts';
import { isTimeTold, patchsetNotices, patchsetPosition } from '../inbox/mailNotices.ts';
import { patchsetsOfList } from './listPlaces.ts';
import type { MailNews } from './mailNews.ts';
import type { PartInPatchsets } from './partInPatchsets.ts';
import type { ListsContext } from './watchContext.ts';

/** Limit per turn, because each one costs a mail. */
const mostNewPatchsets = 10;

/** Inbox entries for new patchsets and statuses. */
export type PatchsetNews = ReturnType<typeof patchsetNews>;

export function patchsetNews(
	{ lists, reviews, watchingIn, inbox, clock }: ListsContext,
	part: PartInPatchsets,
	mails: MailNews,
	isReadSinceOpened: boolean,
) {
	/** Positions of patchsets that this window has read while polling. */
	const readBefore = new Set<string>();

	function knownOf(list: ListRef, { id }: Pick<Patchset, 'id'>): InboxPosition | undefined {
		return inbox.position(patchsetPosition(list, id));
	}

	function lineOf(list: ListRef): number {
		return inbox.position(patchsetsOfList(list))?.newestId ?? 0;
	}

	function isNew(list: ListRef, patchset: Patchset): boolean {
		return knownOf(list, patchset) === undefined && patchset.id > lineOf(list);
	}

	async function notices(
		list: ListRef,
		isMine: boolean,
		patchset: Patchset,
		signal: AbortSignal,
	): Promise<readonly InboxEntry[]> {
		const known = knownOf(list, patchset);
		// For servers that report the patchset of a mail: the cover letter, or the first patch.
		const ofPatchset = lists.knownPosts(list).filter(({ patchsetId }) => patchsetId === patchset.id);
		const first = isNew(list, patchset) && !isMine ? ofPatchset.toSorted((a, b) => a.id - b.id)[0] : undefined;
		return patchsetNotices({
			list,
			patchset,
			known,
			readMs: clock.nowMs(),
			isNew: isNew(list, patchset),
			isMine,
			takesPart: part.takesPartIn(list, patchset),
			reviewedBefore:
				!isMine && reviews.earlierVersions({ list, id: patchset.id }).some((each) => part.takesPartIn(list, each)),
			isToMe: first !== undefined && (await mails.says(first, signal))?.isToMe === true,
			watching: watchingIn(list, patchsetPosition(list, patchset.id)),
		});
	}

	/** The status changed after another window's read, perhaps before this window opened. The time is unknown. */
	function isPerhapsOld(list: ListRef, patchset: Patchset): boolean {
		return (
			!isReadSinceOpened &&
			!isTimeTold(patchset, knownOf(list, patchset)) &&
			!readBefore.has(patchsetPosition(list, patchset.id))
		);
	}

	return {
		/**
		 * Adds entries for patchsets that the caller has just read. New ones have to be complete. One call adds a few of
		 * them, oldest first; the next call continues.
		 */
		async tell(
			list: ListRef,
			patchsets: readonly Patchset[],
			signal: AbortSignal,
		): Promise<{ readonly isNew: boolean; readonly isMore: boolean }> {
			const mine = part.mine();
			const [timed, untimed] = [emptyReading(), emptyReading()];
			const others = patchsets.filter((each) => knownOf(list, each)?.detail !== each.status);
			const fresh = others.filter((each) => isNew(list, each)).toSorted((a, b) => a.id - b.id);
			const later = new Set(fresh.slice(mostNewPatchsets));
			for (const patchset of others.filter((each) => !later.has(each))) {
				const { entries, positions } = isPerhapsOld(list, patchset) ? untimed : timed;
				pushAll(entries, await notices(list, mine(patchset), patchset, signal));
				positions.set(...laterPosition(inbox, list, patchset));
			}
			const told = later.size > 0 ? fresh.slice(0, mostNewPatchsets) : patchsets;
			const line = inbox.position(patchsetsOfList(list));
			const newestId = maxOf([0, ...told.map(({ id }) => id).filter((id) => firstMailOfFormed(id) === undefined)]);
			if (line && newestId > line.newestId) {
				timed.positions.set(patchsetsOfList(list), { ...line, newestId });
			}
			for (const reading of [timed, { ...untimed, isPerhapsOld: true }]) {
				if (reading.positions.size > 0) {
					inbox.add(reading);
				}
			}
			told.forEach(({ id }) => readBefore.add(patchsetPosition(list, id)));
			return { isNew: timed.entries.length + untimed.entries.length > 0, isMore: later.size > 0 };
		},
		/** True if this patchset and all before it are old news. */
		isKnown: (list: ListRef, id: number) => id <= lineOf(list) || knownOf(list, { id }) !== undefined,
		/** Positions of present patchsets at the first look at a list. */
		standing(list: ListRef, patchsets: readonly Patchset[]): InboxReading['positions'] {
			patchsets.forEach(({ id }) => readBefore.add(patchsetPosition(list, id)));
			return new Map(patchsets.map((patchset) => positionOf(list, patchset)));
		},
	};
}

/** Own changes are no news. */
export function ownStatus(inbox: Inbox, list: ListRef, patchset: Patchset): InboxReading {
	return { entries: [], positions: new Map([laterPosition(inbox, list, patchset)]) };
}

/** Some servers keep the time of a patchset when its status changes, and the later position wins. */
function laterPosition(inbox: Inbox, list: ListRef, patchset: Patchset): [string, InboxPosition] {
	const [name, position] = positionOf(list, patchset);
	return [name, { ...position, sinceMs: Math.max(position.sinceMs, (inbox.position(name)?.sinceMs ?? 0) + 1) }];
}

interface GrowingReading {
	readonly entries: InboxEntry[];
	readonly positions: Map<string, InboxPosition>;
}

function emptyReading(): GrowingReading {
	return { entries: [], positions: new Map() };
}

function positionOf(list: ListRef, { id, status, updatedMs }: Patchset): readonly [string, InboxPosition] {
	return [patchsetPosition(list, id), { sinceMs: updatedMs, newestId: 0, detail: status }];
}
