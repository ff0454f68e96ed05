import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { KeptNames } from './keptNames.ts';

/** Followed items of other owners, in the order of their addition. */
export type FollowedRefs = ReturnType<typeof followedRefs>;

/**
 * `names`: as `~owner/name`. `me`: `~name` of the account. `refOf`: parses such a name. `doesCaseCount`: true when
 * names are case-sensitive on the server.
 */
export function followedRefs(
	names: KeptNames,
	me: OwnerName,
	refOf: (name: string) => NamedRef | undefined,
	doesCaseCount: boolean,
) {
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
		has: (ref: NamedRef) => isFollowed(refText(ref)),
		all: (): readonly NamedRef[] => names.all().flatMap((name) => refOf(name) ?? []),
		/** False for an item already followed or own. */
		async add(ref: NamedRef) {
			const name = refText(ref);
			if (ref.owner === me || isFollowed(name)) {
				return false;
			}
			await keep([...names.all(), name]);
			return true;
		},
		/** True when it was followed. */
		async remove(ref: NamedRef) {
			const unwanted = refText(ref);
			if (!isFollowed(unwanted)) {
				return false;
			}
			await keep(names.all().filter((name) => !isSame(name, unwanted)));
			return true;
		},
		/** Keeps the position. Ignores unfollowed items. */
		async rename(from: NamedRef, to: NamedRef) {
			if (isFollowed(refText(from))) {
				const renamed = names.all().map((name) => (isSame(name, refText(from)) ? refText(to) : name));
				await keep([...new Set(renamed)]);
			}
		},
		/** Changes by other windows since the last call, with the unfollowed items; `undefined` for none. */
		newsElsewhere() {
			const [before, now] = [known, names.all()];
			known = now;
			const isOther = before.length !== now.length || before.some((name, at) => name !== now[at]);
			const gone = before.filter((name) => !now.some((each) => isSame(each, name)));
			return isOther ? { gone: gone.flatMap((name) => refOf(name) ?? []) } : undefined;
		},
	};
}
