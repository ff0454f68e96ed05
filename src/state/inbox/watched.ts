import type { ListRef, PatchsetRef } from '../../forge/list.ts';
import { isNameable, refText, type NamedRef } from '../../forge/namedRef.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import { ticketRefText, type TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';

/** Something of which people choose what of it comes to the inbox: a place, or a single thing of a tracker or list. */
export type Watched =
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'list'; readonly ref: ListRef }
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'ticket'; readonly ref: TicketRef }
	/** By the number of its first mail. */
	| { readonly kind: 'thread'; readonly list: ListRef; readonly id: number }
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef };

/**
 * Names it in a choice, with the capitals that servers need to be asked for it; without them it is the key of the choice.
 */
export function watchedName(watched: Watched): string {
	switch (watched.kind) {
		case 'tracker':
		case 'list':
		case 'repository':
			return `${watched.kind} ${refText(watched.ref)}`;
		case 'ticket':
			return `ticket ${ticketRefText(watched.ref)}`;
		case 'thread':
			return `thread ${refText(watched.list)} ${watched.id}`;
		case 'patchset':
			return `patchset ${refText(watched.ref.list)} ${watched.ref.id}`;
	}
}

/** By what it is kept what is wanted of it. */
export function watchedKey(watched: Watched): string {
	return watchedName(watched).toLowerCase();
}

/** What such a name means; `undefined` for every other text. */
export function watchedNamed(text: string): Watched | undefined {
	const [, kind, owner = '', name = '', number] =
		/^(\w+) ([^/\s]+)\/([^#\s]+)(?:[# ]([1-9]\d{0,14}))?$/.exec(text) ?? [];
	const ref: NamedRef = { owner, name };
	return isNameable(ref) ? ofKind(kind, ref, number === undefined ? undefined : Number(number)) : undefined;
}

function ofKind(kind: string | undefined, ref: NamedRef, id: number | undefined): Watched | undefined {
	switch (kind) {
		case 'tracker':
		case 'list':
		case 'repository':
			return id === undefined ? { kind, ref } : undefined;
		case 'ticket':
			return id === undefined ? undefined : { kind, ref: { tracker: ref, id } };
		case 'thread':
			return id === undefined ? undefined : { kind, list: ref, id };
		case 'patchset':
			return id === undefined ? undefined : { kind, ref: { list: ref, id } };
		case undefined:
		default:
			return undefined;
	}
}

/** What holds things. */
export type WatchedPlace = Extract<Watched, { readonly kind: 'tracker' | 'list' | 'repository' }>;

/** The place that a single thing belongs to; a place is its own. */
export function placeOfWatched(watched: Watched): WatchedPlace {
	switch (watched.kind) {
		case 'tracker':
		case 'list':
		case 'repository':
			return watched;
		case 'ticket':
			return { kind: 'tracker', ref: watched.ref.tracker };
		case 'thread':
			return { kind: 'list', ref: watched.list };
		case 'patchset':
			return { kind: 'list', ref: watched.ref.list };
	}
}
