import * as v from 'valibot';
import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { listKey, type PatchsetRef } from '../../forge/port/list.ts';
import { goodOf, kept, type KeptText } from '../shared/keptText.ts';

/** Viewed marks of patch files by content identity; stored across restarts. */
export interface ViewedMarks {
	/** `identity`: from `fileIdentity`. */
	has(identity: string): boolean;
	/** True without any marks, so callers can skip computing identities. */
	isEmpty(): boolean;
	/** True when the user marked a file in this very patchset. */
	isBegun(ref: PatchsetRef): boolean;
	/** Resolves after the write; `onDidChange` fires before. */
	mark(ref: PatchsetRef, identities: readonly string[], isViewed: boolean): Promise<void>;
	/** The patchset where marks changed; others may share files. */
	readonly onDidChange: Event<PatchsetRef>;
}

/** More than anybody has in progress; some 100 kB. */
const mostMarks = 3000;
const longestMark = 300;

const marks = goodOf(v.pipe(v.string(), v.nonEmpty(), v.maxLength(longestMark)));

export function viewedMarks(place: KeptText): ViewedMarks & Disposable {
	const changed = new Emitter<PatchsetRef>();
	const all = kept(place, marks, []);
	let known: { readonly of: readonly string[]; readonly marks: ReadonlySet<string> } | undefined;

	function now(): ReadonlySet<string> {
		const of = all();
		known = known?.of === of ? known : { of, marks: new Set(of) };
		return known.marks;
	}

	return {
		isEmpty: () => now().size === 0,
		has: (identity) => now().has(identity),
		isBegun: (ref) => now().has(begunMark(ref)),
		async mark(ref, identities, isViewed) {
			const these = new Set(identities);
			const others = all().filter((each) => !these.has(each) && each !== begunMark(ref));
			const begun = isViewed || now().has(begunMark(ref)) ? [begunMark(ref)] : [];
			// Newest last.
			const next = [...others, ...begun, ...(isViewed ? these : [])].slice(-mostMarks);
			const written = place.write(JSON.stringify(next));
			changed.fire(ref);
			await written;
		},
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

function begunMark({ list, id }: PatchsetRef): string {
	return `patchset ${listKey(list)} ${id}`;
}
