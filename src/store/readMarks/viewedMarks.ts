import * as v from 'valibot';
import { Emitter } from '@forge-desk/base/event.ts';
import { listKey, type PatchsetRef } from 'sourcehut/port/list.ts';
import { goodOf, kept, type KeptText } from '../shared/keptText.ts';

/** More than anybody has in progress; some 100 kB. */
const mostMarks = 3000;
const longestMark = 300;

const marks = goodOf(v.pipe(v.string(), v.nonEmpty(), v.maxLength(longestMark)));

/** Viewed marks of patch files by content identity; stored across restarts. */
export type ViewedMarks = ReturnType<typeof viewedMarks>;

export function viewedMarks(place: KeptText) {
	const changed = new Emitter<PatchsetRef>();
	const all = kept(place, marks, []);
	let known: { readonly of: readonly string[]; readonly marks: ReadonlySet<string> } | undefined;

	function now(): ReadonlySet<string> {
		const of = all();
		known = known?.of === of ? known : { of, marks: new Set(of) };
		return known.marks;
	}

	return {
		/** True without any marks, so callers can skip computing identities. */
		isEmpty: () => now().size === 0,
		/** `identity`: from `fileIdentity`. */
		has: (identity: string) => now().has(identity),
		/** True when the user marked a file in this very patchset. */
		isBegun: (ref: PatchsetRef) => now().has(begunMark(ref)),
		/** Resolves after the write; `onDidChange` fires before. */
		async mark(ref: PatchsetRef, identities: readonly string[], isViewed: boolean) {
			const these = new Set(identities);
			const others = all().filter((each) => !these.has(each) && each !== begunMark(ref));
			const begun = isViewed || now().has(begunMark(ref)) ? [begunMark(ref)] : [];
			// Newest last.
			const next = [...others, ...begun, ...(isViewed ? these : [])].slice(-mostMarks);
			const written = place.write(JSON.stringify(next));
			changed.fire(ref);
			await written;
		},
		/** `now`: the present number of a patchset. */
		async follow(now: (ref: PatchsetRef) => PatchsetRef) {
			const before = all();
			const next = before.map((mark) => {
				const [, owner = '', name = '', id] = /^patchset ([^/\s]+)\/(\S+) (\d{1,16})$/.exec(mark) ?? [];
				return id === undefined ? mark : begunMark(now({ list: { owner, name }, id: Number(id) }));
			});
			if (next.some((mark, at) => mark !== before[at])) {
				await place.write(JSON.stringify([...new Set(next)]));
			}
		},
		/** The patchset where marks changed; others may share files. */
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

function begunMark({ list, id }: PatchsetRef): string {
	return `patchset ${listKey(list)} ${id}`;
}
