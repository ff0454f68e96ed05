import { refText, type NamedRef } from '../../forge/namedRef.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { KeptNames } from './keptNames.ts';

/** What others own and an account follows, in the order in which it was added. */
export interface FollowedRefs {
	all(): readonly NamedRef[];
	has(ref: NamedRef): boolean;
	/** False when there was nothing to add: it is followed already, or the account's own. */
	add(ref: NamedRef): Promise<boolean>;
	/** Answers whether it was followed. */
	remove(ref: NamedRef): Promise<boolean>;
	/** It keeps its place among the others. Nothing happens to what is not followed. */
	rename(from: NamedRef, to: NamedRef): Promise<void>;
	/** What another window changed since the last look; `undefined` for nothing. */
	newsElsewhere(): FollowNews | undefined;
}

/** What another window made of what is followed. */
export interface FollowNews {
	/** Followed no more. */
	readonly gone: readonly NamedRef[];
}

/** What following needs. */
export interface FollowedRefsParts {
	/** Each as `~owner/name`. */
	readonly names: KeptNames;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Reads such a name. */
	readonly refOf: (name: string) => NamedRef | undefined;
	/** Whether servers tell two names apart that differ in case only. */
	readonly doesCaseCount: boolean;
}

export function followedRefs({ names, me, refOf, doesCaseCount }: FollowedRefsParts): FollowedRefs {
	const isSame = (one: string, other: string): boolean =>
		doesCaseCount ? one === other : one.toLowerCase() === other.toLowerCase();
	const isFollowed = (name: string): boolean => names.all().some((each) => isSame(each, name));
	/** As this window knows them. */
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
