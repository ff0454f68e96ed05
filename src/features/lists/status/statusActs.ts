import type { PatchsetStatus } from '../../../forge/list.ts';
import type { PatchsetSubject } from '../subjects.ts';

/** One patchset that got another status. */
export interface StatusChange {
	readonly subject: PatchsetSubject;
	readonly before: PatchsetStatus;
	readonly after: PatchsetStatus;
}

/** The statuses that were set in this window, to be undone. */
export interface StatusActs {
	/** Keeps what was set at one time, if it changed anything. */
	record(act: readonly StatusChange[]): void;
	/** Takes out the newest of what was set at one time that is about this patchset, or the newest at all. */
	take(about: PatchsetSubject | undefined): readonly StatusChange[] | undefined;
}

const mostActs = 20;

export function statusActs(): StatusActs {
	const acts: (readonly StatusChange[])[] = [];
	return {
		record(act) {
			if (act.length > 0) {
				acts.push(act);
				acts.splice(0, acts.length - mostActs);
			}
		},
		take(about) {
			const named = about && acts.findLastIndex((act) => act.some(({ subject }) => isSamePatchset(subject, about)));
			const at = named === undefined || named < 0 ? acts.length - 1 : named;
			return at < 0 ? undefined : acts.splice(at, 1)[0];
		},
	};
}

/** Numbers of patchsets count on the whole server. */
export function isSamePatchset(one: PatchsetSubject, other: PatchsetSubject): boolean {
	return one.connectionKey === other.connectionKey && one.ref.id === other.ref.id;
}
