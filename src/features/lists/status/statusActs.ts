import type { PatchsetStatus, SettablePatchsetStatus } from '../../../forge/port/list.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';

/** One patchset that got another status. */
export interface StatusChange {
	readonly subject: PatchsetSubject;
	readonly before: SettablePatchsetStatus;
	readonly after: PatchsetStatus;
}

/** Simultaneous changes. */
export type StatusAct = readonly StatusChange[];

/** Status changes of this window, for Undo. */
export interface StatusActs {
	/** Records an action with at least one change; returns the key for `take`. */
	record(act: StatusAct): StatusAct | undefined;
	/** Takes this one out; `undefined` when it is not there any more. */
	take(act: StatusAct): StatusAct | undefined;
	/** Removes the newest action, optionally only about this patchset. */
	takeNewest(about: PatchsetSubject | undefined): StatusAct | undefined;
}

const mostActs = 20;

export function statusActs(): StatusActs {
	const acts: StatusAct[] = [];
	const takeAt = (at: number): StatusAct | undefined => (at < 0 ? undefined : acts.splice(at, 1)[0]);
	return {
		record(act) {
			if (act.length === 0) {
				return undefined;
			}
			acts.push(act);
			acts.splice(0, acts.length - mostActs);
			return act;
		},
		take: (act) => takeAt(acts.indexOf(act)),
		takeNewest(about) {
			const named = about ? acts.findLastIndex((act) => act.some(({ subject }) => isSamePatchset(subject, about))) : -1;
			return takeAt(named < 0 ? acts.length - 1 : named);
		},
	};
}

/** Numbers of patchsets count on the whole server. */
export function isSamePatchset(one: PatchsetSubject, other: PatchsetSubject): boolean {
	return one.connectionKey === other.connectionKey && one.ref.id === other.ref.id;
}
