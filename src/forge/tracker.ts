import type { WithExtra } from './extra.ts';
import { isForgeError } from './forgeError.ts';
import type { OwnerName, ShortUser } from './user.ts';
import type { WantedVisibility } from './visibility.ts';
import type { Word } from './word.ts';

/** Names a tracker. */
export interface TrackerRef {
	readonly owner: OwnerName;
	readonly name: string;
}

/**
 * True for the tracker that is meant. Servers take some characters of a name for any other when they look it up, and its
 * letters in either case (docs/protocol.md#tracker-look-up); no owner has two whose names differ in case only.
 */
export function isNamed({ owner, name }: Pick<ShortTracker, 'owner' | 'name'>, ref: TrackerRef): boolean {
	return owner.canonicalName === ref.owner && name.toLowerCase() === ref.name.toLowerCase();
}

/** What somebody may do in a tracker or with a ticket (docs/protocol.md#vocabularies). */
export const permissionWords = ['browse', 'submit', 'comment', 'edit', 'triage'] as const;
export type Permission = Word<(typeof permissionWords)[number]>;

/** Permissions by kind of person; `undefined` for a ticket means inherited from the tracker. */
export interface Permissions {
	/** What the account itself may do, all things considered. Absent where the server does not tell. */
	readonly mine?: readonly Permission[];
	readonly anonymous: readonly Permission[] | undefined;
	readonly submitter: readonly Permission[] | undefined;
	readonly user: readonly Permission[] | undefined;
}

/** The form embedded in tickets and labels. */
export interface ShortTracker {
	readonly owner: ShortUser;
	readonly name: string;
	readonly createdMs: number;
	readonly updatedMs: number;
}

export interface Tracker extends ShortTracker, WithExtra {
	/** The server's own number, where it tells one. */
	readonly id: number | undefined;
	/** Stays over renames, and the service of projects knows it; told by newer servers over GraphQL alone. */
	readonly rid?: string;
	/** Markdown. */
	readonly description: string | undefined;
	/** Older servers tell permissions by kind of person, later ones one set for all; some tell none. */
	readonly defaultPermissions: Permissions | undefined;
	/** Later servers only (docs/protocol.md#later-servers). */
	readonly visibility: string | undefined;
}

/** What a new tracker starts with. */
export interface NewTracker {
	/** A letter, then letters, digits, `.`, `_` and `-`; at most 255 in all (docs/protocol.md#tracker-names). */
	readonly name: string;
	/** Markdown, below 4096 characters. */
	readonly description?: string;
	/** Only for servers that ask for it: others do not know the word (docs/protocol.md#later-servers). */
	readonly visibility?: WantedVisibility;
}

/** A label's look as the server gives it: `#rrggbb` each. */
export interface LabelColors {
	readonly background: string;
	readonly text: string;
}

export interface Label extends WithExtra {
	readonly name: string;
	readonly colors: LabelColors;
	readonly createdMs: number | undefined;
}

/** What a new label is. */
export interface NewLabel {
	readonly name: string;
	readonly colors: LabelColors;
}

/** True for the refusal of a tracker's creation that only wants to know its visibility. Nothing was made. */
export function asksForVisibility(error: unknown): boolean {
	return (
		isForgeError(error) &&
		error.problem.kind === 'invalid' &&
		error.problem.errors.some(({ field, reason }) => field === 'visibility' || /visibility/i.test(reason))
	);
}
