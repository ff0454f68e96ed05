/** How many acts can be undone. */
const mostActs = 20;

/** A change of one thing or of many that can be undone. */
export interface Act<Change> {
	/** Title of the undo progress: "Undoing label changes…". */
	readonly undoing: string;
	readonly items: readonly Change[];
}

/** Counts the acts of all histories, so that a caller knows whether another act came later. */
let recorded = 0;

/** The number of acts of this window. */
export function actsSoFar(): number {
	return recorded;
}

/** Recent acts of this window only. `nameOf` tells subjects apart. */
export function actHistory<Subject, Change extends { readonly subject: Subject }>(
	nameOf: (subject: Subject) => string,
) {
	const acts: Act<Change>[] = [];
	const ages = new WeakMap<Act<Change>, number>();
	const takeAt = (at: number): Act<Change> | undefined => (at < 0 ? undefined : acts.splice(at, 1)[0]);
	const keep = (act: Act<Change>, age: number): void => {
		if (act.items.length > 0) {
			ages.set(act, age);
			const newer = acts.findIndex((each) => (ages.get(each) ?? 0) > age);
			acts.splice(newer < 0 ? acts.length : newer, 0, act);
			acts.splice(0, acts.length - mostActs);
		}
	};
	/** Predicate for items about one of these subjects. */
	const isOneOf = (subjects: readonly Subject[]): ((item: { readonly subject: Subject }) => boolean) => {
		const named = new Set(subjects.map(nameOf));
		return ({ subject }) => named.has(nameOf(subject));
	};
	return {
		isOneOf,
		/** Keeps an act, if it changed anything. */
		record(undoing: string, items: readonly Change[]): Act<Change> | undefined {
			if (items.length === 0) {
				return undefined;
			}
			const act = { undoing, items };
			keep(act, (recorded += 1));
			return act;
		},
		/** Takes an act out; `undefined` when it is not there any more. */
		take: (act: Act<Change>) => takeAt(acts.indexOf(act)),
		/** Takes out the newest act that is about one of these subjects, else the newest at all. */
		takeNewest(about: readonly Subject[]) {
			const isNamed = isOneOf(about);
			const named = acts.findLastIndex(({ items }) => items.some(isNamed));
			return takeAt(named < 0 ? acts.length - 1 : named);
		},
		/** Restores the remaining part of a removed act at its old position. */
		putBack: (taken: Act<Change>, left: Act<Change>): void => keep(left, ages.get(taken) ?? 0),
	};
}
