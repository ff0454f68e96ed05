import { refText, type NamedRef } from '../../forge/port/namedRef.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { KeptNames } from './keptNames.ts';

/** Followed items of other owners, in the order of their addition. */
export interface FollowedRefs {
	all(): readonly NamedRef[];
	has(ref: NamedRef): boolean;
	/** False for an item already followed or own. */
	add(ref: NamedRef): Promise<boolean>;
	/** True when it was followed. */
	remove(ref: NamedRef): Promise<boolean>;
	/** Keeps the position. Ignores unfollowed items. */
	rename(from: NamedRef, to: NamedRef): Promise<void>;
	/** Changes by other windows since the last call; `undefined` for none. */
	newsElsewhere(): FollowNews | undefined;
}

/** Changes by another window. */
export interface FollowNews {
	/** Unfollowed items. */
	readonly gone: readonly NamedRef[];
}

export interface FollowedRefsParts {
	/** As `~owner/name`. */
	readonly names: KeptNames;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Parses such a name. */
	readonly refOf: (name: string) => NamedRef | undefined;
	/** True when names are case-sensitive on the server. */
	readonly doesCaseCount: boolean;
}

export function followedRefs({ names, me, refOf, doesCaseCount }: FollowedRefsParts): FollowedRefs {
	const isSame = (one: string, other: string): boolean =>
		doesCaseCount ? one === other : one.toLowerCase() === other.toLowerCase();
	const isFollowed = (name: string): boolean => names.all().some((each) => isSame(each, name));
	/** This window's view of the names. */
	let known = names.all();
	const keep = (next: readonly string[]): Promise<void> => {
		known = next;
		return names.keep(next);
	};
	return {
		has: (ref) => isFollowed(refText(ref)),
		all: () => names.all().flatMap((name) => refOf(name) ?? []),
		async add(ref) {
			const name = refText(ref);
			if (ref.owner === me || isFollowed(name)) {
				return false;
			}
			await keep([...names.all(), name]);
			return true;
		},
		async remove(ref) {
			const unwanted = refText(ref);
			if (!isFollowed(unwanted)) {
				return false;
			}
			await keep(names.all().filter((name) => !isSame(name, unwanted)));
			return true;
		},
		async rename(from, to) {
			if (isFollowed(refText(from))) {
				const renamed = names.all().map((name) => (isSame(name, refText(from)) ? refText(to) : name));
				await keep([...new Set(renamed)]);
			}
		},
		newsElsewhere() {
			const [before, now] = [known, names.all()];
			known = now;
			const isOther = before.length !== now.length || before.some((name, at) => name !== now[at]);
			const gone = before.filter((name) => !now.some((each) => isSame(each, name)));
			return isOther ? { gone: gone.flatMap((name) => refOf(name) ?? []) } : undefined;
		},
	};
}
