import type { Clock } from '../../base/clock.ts';
import { firstMailOfFormed, type ListRef, type Patchset, type PatchsetRef, type ShortEmail } from '../../forge/list.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { InboxPosition, InboxReading } from '../inbox/inboxBook.ts';
import type { InboxEntry } from '../inbox/inboxEntry.ts';
import { isTimeTold, patchsetNotices, patchsetPosition } from '../inbox/mailNotices.ts';
import type { ListStore } from '../lists/listStore.ts';
import { mostNewPatchsets } from './listLimits.ts';
import { patchsetsOfList, watchingInList, type UsualInList } from './listPlaces.ts';
import type { MailNews } from './mailNews.ts';
import type { PartInPatchsets } from './partInPatchsets.ts';

export interface PatchsetNewsParts {
	readonly lists: Pick<ListStore, 'knownPosts'>;
	/** Which patchsets are versions of one, as they are shown together. */
	readonly reviews: { earlierVersions(ref: PatchsetRef): readonly Patchset[] };
	readonly usualIn: UsualInList;
	readonly inbox: Inbox;
	readonly part: Pick<PartInPatchsets, 'mine' | 'takesPartIn'>;
	readonly says: MailNews['says'];
	/** As `accountWatch` has it; false when left out. */
	readonly isReadSinceOpened?: boolean;
	readonly clock: Clock;
}

/** What patchsets tell that are new, or have another status. */
export interface PatchsetNews {
	/**
	 * Tells the inbox of some patchsets of a list, which were just read. Those that are new have to be all that are, and a few
	 * of them are told, the oldest first; the others by the next call.
	 */
	tell(list: ListRef, patchsets: readonly Patchset[], signal: AbortSignal): Promise<ToldPatchsets>;
	/** Whether a patchset, and with it all before it, was told or was there before. */
	isKnown(list: ListRef, id: number): boolean;
	/** Where patchsets stand that are there when their list is seen for the first time. */
	standing(list: ListRef, patchsets: readonly Patchset[]): InboxReading['positions'];
}

export interface ToldPatchsets {
	/** There was something to tell. */
	readonly isNew: boolean;
	/** There is more to tell. */
	readonly isMore: boolean;
}

export function patchsetNews({
	lists,
	reviews,
	usualIn,
	inbox,
	part,
	says,
	isReadSinceOpened = false,
	clock,
}: PatchsetNewsParts): PatchsetNews {
	/** By their positions: those that were read since this window watches. */
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
		{ list, isMine }: { readonly list: ListRef; readonly isMine: boolean },
		patchset: Patchset,
		signal: AbortSignal,
	): Promise<readonly InboxEntry[]> {
		const known = knownOf(list, patchset);
		const first = isNew(list, patchset) && !isMine ? firstMailOf(list, patchset) : undefined;
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
			isToMe: first !== undefined && (await says(first, signal))?.isToMe === true,
			watching: watchingInList({ inbox, usualIn }, list, patchsetPosition(list, patchset.id)),
		});
	}

	/** Where servers tell the patchset of a mail; the first of them is its cover letter, or its first patch. */
	function firstMailOf(list: ListRef, { id }: Patchset): ShortEmail | undefined {
		const mails = (lists.knownPosts(list)?.items ?? []).filter(({ patchsetId }) => patchsetId === id);
		return mails.toSorted((a, b) => a.id - b.id)[0];
	}

	/** The position of the list's patchsets once these are told; none where that is where it stands. */
	function moveLine(list: ListRef, told: readonly Patchset[]): readonly InboxPosition[] {
		const line = inbox.position(patchsetsOfList(list));
		const ids = told.map(({ id }) => id).filter((id) => firstMailOfFormed(id) === undefined);
		const newestId = Math.max(0, ...ids);
		return line && newestId > line.newestId ? [{ ...line, newestId }] : [];
	}

	/** It has another status since it was read by another window, perhaps before this one was opened; nobody tells since when. */
	function isPerhapsOld(list: ListRef, patchset: Patchset): boolean {
		return (
			!isReadSinceOpened &&
			!isTimeTold(patchset, knownOf(list, patchset)) &&
			!readBefore.has(patchsetPosition(list, patchset.id))
		);
	}

	return {
		async tell(list, patchsets, signal) {
			const mine = part.mine();
			const [timed, untimed] = [emptyReading(), emptyReading()];
			const others = patchsets.filter((each) => knownOf(list, each)?.detail !== each.status);
			const fresh = others.filter((each) => isNew(list, each)).toSorted((a, b) => a.id - b.id);
			const later = new Set(fresh.slice(mostNewPatchsets));
			for (const patchset of others.filter((each) => !later.has(each))) {
				const { entries, positions } = isPerhapsOld(list, patchset) ? untimed : timed;
				entries.push(...(await notices({ list, isMine: mine(patchset) }, patchset, signal)));
				positions.set(...laterPosition(inbox, list, patchset));
			}
			const told = later.size > 0 ? fresh.slice(0, mostNewPatchsets) : patchsets;
			moveLine(list, told).forEach((position) => timed.positions.set(patchsetsOfList(list), position));
			for (const reading of [timed, { ...untimed, isPerhapsOld: true }]) {
				if (reading.positions.size > 0) {
					inbox.add(reading);
				}
			}
			told.forEach(({ id }) => readBefore.add(patchsetPosition(list, id)));
			return { isNew: timed.entries.length + untimed.entries.length > 0, isMore: later.size > 0 };
		},
		isKnown: (list, id) => id <= lineOf(list) || knownOf(list, { id }) !== undefined,
		standing(list, patchsets) {
			patchsets.forEach(({ id }) => readBefore.add(patchsetPosition(list, id)));
			return new Map(patchsets.map((patchset) => positionOf(list, patchset)));
		},
	};
}

/** What the account set itself is no news. */
export function ownStatus(inbox: Pick<Inbox, 'position'>, list: ListRef, patchset: Patchset): InboxReading {
	return { entries: [], positions: new Map([laterPosition(inbox, list, patchset)]) };
}

/** Not every server moves the time of a patchset with its status, and of two positions the later one is kept. */
function laterPosition(inbox: Pick<Inbox, 'position'>, list: ListRef, patchset: Patchset): [string, InboxPosition] {
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
