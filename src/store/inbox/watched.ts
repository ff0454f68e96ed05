import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';
import { isNameable, refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { ticketRefText, type TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';

/** A place, or a thing within one, with its own notification level. */
export type Watched =
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'list'; readonly ref: ListRef }
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'ticket'; readonly ref: TicketRef }
	/** By the id of its first mail. */
	| { readonly kind: 'thread'; readonly list: ListRef; readonly id: number }
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef };

/** Name for a choice, with the case that requests need. The choice's key is its lower-case form. */
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

/** The service that reads it. */
export function areaOfWatched({ kind }: Watched): ContentArea {
	switch (kind) {
		case 'tracker':
		case 'ticket':
			return 'todo';
		case 'list':
		case 'thread':
		case 'patchset':
			return 'lists';
		case 'repository':
			return 'git';
	}
}

/** Key of a choice. */
export function watchedKey(watched: Watched): string {
	return watchedName(watched).toLowerCase();
}

/** Parses a `watchedName`; `undefined` for any other text. */
export function watchedNamed(text: string): Watched | undefined {
	const [, kind, owner = '', name = '', number] =
		/^(\w+) ([^/\s]+)\/([^#\s]+)(?:[# ]([1-9]\d{0,14}))?$/.exec(text) ?? [];
	const ref: NamedRef = { owner, name };
	if (!isNameable(ref)) {
		return undefined;
	}
	const id = number === undefined ? undefined : Number(number);
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

/** A place that contains things. */
export type WatchedPlace = Extract<Watched, { readonly kind: 'tracker' | 'list' | 'repository' }>;

/** The place of a thing; a place is its own. */
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
