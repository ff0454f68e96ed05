import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';
import { fitsPath, refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
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
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef }
	/** Patches on the list that change a file, by its path within a repository. */
	| { readonly kind: 'file'; readonly list: ListRef; readonly path: string };

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
		case 'file':
			return `file ${refText(watched.list)} ${pathName(watched.path)}`;
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
		case 'file':
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
	const [, kind, owner = '', name = '', number, path] =
		/^(\w+) ([^/\s]+)\/([^#\s]+)(?:[# ]([1-9]\d{0,15})| \/((?:[a-z\d._/-]|%[\da-f]{2})+))?$/.exec(text) ?? [];
	const ref: NamedRef = { owner, name };
	if (!fitsPath(ref)) {
		return undefined;
	}
	const id = number === undefined ? undefined : Number(number);
	switch (kind) {
		case 'tracker':
		case 'list':
		case 'repository':
			return id === undefined && path === undefined ? { kind, ref } : undefined;
		case 'ticket':
			return id === undefined ? undefined : { kind, ref: { tracker: ref, id } };
		case 'thread':
			return id === undefined ? undefined : { kind, list: ref, id };
		case 'patchset':
			return id === undefined ? undefined : { kind, ref: { list: ref, id } };
		case 'file':
			return path === undefined ? undefined : { kind, list: ref, path: pathNamed(path) };
		case undefined:
		default:
			return undefined;
	}
}

/** A path in signs without case, because keys have none and paths do. */
function pathName(path: string): string {
	const signs = Array.from(new TextEncoder().encode(path), (byte) => {
		const sign = String.fromCharCode(byte);
		return /[a-z\d._/-]/.test(sign) ? sign : `%${byte.toString(16).padStart(2, '0')}`;
	});
	return `/${signs.join('')}`;
}

function pathNamed(name: string): string {
	const bytes = (name.match(/%..|./g) ?? []).map((sign) =>
		sign.length === 1 ? sign.charCodeAt(0) : Number.parseInt(sign.slice(1), 16),
	);
	return new TextDecoder().decode(Uint8Array.from(bytes));
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
		case 'file':
			return { kind: 'list', ref: watched.list };
		case 'patchset':
			return { kind: 'list', ref: watched.ref.list };
	}
}
