import type { WithExtra } from './extra.ts';
import { isForgeError } from './forgeError.ts';
import type { OwnerName, ShortUser } from './user.ts';
import type { WantedVisibility } from './visibility.ts';
import type { Word } from './word.ts';

export interface TrackerRef {
	readonly owner: OwnerName;
	readonly name: string;
}

/**
 * True for the tracker of `ref`. Servers look names up case-insensitively and treat some characters as wildcards
 * (docs/protocol.md#tracker-look-up); names of one owner differ in more than case.
 */
export function isNamed({ owner, name }: Pick<ShortTracker, 'owner' | 'name'>, ref: TrackerRef): boolean {
	return owner.canonicalName === ref.owner && name.toLowerCase() === ref.name.toLowerCase();
}

/** Permissions in a tracker or on a ticket (docs/protocol.md#vocabularies). */
export const permissionWords = ['browse', 'submit', 'comment', 'edit', 'triage'] as const;
export type Permission = Word<(typeof permissionWords)[number]>;

/** Permissions by kind of person; `undefined` for a ticket means inherited from the tracker. */
export interface Permissions {
	/** Effective permissions of the account. Absent if the server does not report them. */
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
	/** Server number, if reported. */
	readonly id: number | undefined;
	/**
	 * Id that survives renames and identifies the tracker in the project service. Only newer servers send it, over
	 * GraphQL.
	 */
	readonly rid?: string;
	/** Markdown. */
	readonly description: string | undefined;
	/** Older servers report permissions by kind of person, later ones one set for all, some none. */
	readonly defaultPermissions: Permissions | undefined;
	/** Later servers only (docs/protocol.md#later-servers). */
	readonly visibility: string | undefined;
}

export interface NewTracker {
	/** A letter, then letters, digits, `.`, `_` and `-`; at most 255 characters (docs/protocol.md#tracker-names). */
	readonly name: string;
	/** Markdown, below 4096 characters. */
	readonly description?: string;
	/** Only for servers that require it: others reject the field (docs/protocol.md#later-servers). */
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

/** True if the server only lacked a visibility when it refused to create a tracker. No tracker exists then. */
export function asksForVisibility(error: unknown): boolean {
	return (
		isForgeError(error) &&
		error.problem.kind === 'invalid' &&
		error.problem.errors.some(({ field, reason }) => field === 'visibility' || /visibility/i.test(reason))
	);
}
