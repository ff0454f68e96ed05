import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { listRefOf } from '../lists.ts';
import { dueTimer } from '../../shared/dueTimer.ts';
import { goodOf, kept, time, whole, type KeptText } from '../../shared/keptText.ts';

/** A patchset that waits on the board until a time, or until a new version. */
export interface Snooze {
	/** Absent: until a new version. */
	readonly untilMs?: number | undefined;
	/** Version of the patchset at that time. */
	readonly version: number;
}

/** The snooze of a patchset before or after a change; absent for none. */
export interface SnoozeOf {
	readonly ref: PatchsetRef;
	readonly snooze?: Snooze | undefined;
}

/** Drops the oldest. */
const most = 1000;

const entry = v.object({ list: v.string(), id: whole, version: whole, until: v.optional(time) });
type Entry = v.InferOutput<typeof entry>;
const schema = v.pipe(
	goodOf<Entry>(entry),
	v.transform((all) => all.slice(-most)),
);

/** Snoozed patchsets of an account, persistent. They come back by themselves. */
export type Snoozes = ReturnType<typeof snoozes>;

export function snoozes(place: KeptText, clock: Clock) {
	const changed = new Emitter<PatchsetRef>();
	const all = kept(place, schema, []);
	let known: { readonly of: readonly Entry[]; readonly byKey: ReadonlyMap<string, Entry> } | undefined;
	const timer = dueTimer(clock, (isDue) => {
		const due = (known?.of ?? []).filter(({ until }) => until !== undefined && isDue(until));
		due.flatMap(refOf).forEach((ref) => changed.fire(ref));
	});

	/** Another window may have written, so each use looks at the text. */
	function entries(): ReadonlyMap<string, Entry> {
		const of = all();
		if (known?.of !== of) {
			known = { of, byKey: new Map(of.map((each) => [keyOf(each.list, each.id), each])) };
			timer.wait(of.flatMap(({ until }) => until ?? []));
		}
		return known.byKey;
	}

	function isOver({ until, version }: Entry, now: number): boolean {
		return version !== now || (until !== undefined && until <= clock.nowMs());
	}

	return {
		/** The snooze of a patchset with this version; `undefined` if it has none, or one that is over. */
		of({ list, id }: PatchsetRef, version: number): Snooze | undefined {
			const found = entries().get(keyOf(refText(list), id));
			return found && !isOver(found, version) ? { untilMs: found.until, version: found.version } : undefined;
		},
		/** Also those that are over. */
		all: (): readonly (SnoozeOf & { readonly snooze: Snooze })[] =>
			all().flatMap((each) =>
				refOf(each).map((ref) => ({ ref, snooze: { untilMs: each.until, version: each.version } })),
			),
		/** Sets or ends snoozes. Returns those before, for an undo. `onDidChange` fires before the write ends. */
		async put(wanted: readonly SnoozeOf[]): Promise<readonly SnoozeOf[]> {
			const next = new Map(entries());
			const before = wanted.map(({ ref }): SnoozeOf => {
				const found = next.get(keyOf(refText(ref.list), ref.id));
				return { ref, snooze: found && { untilMs: found.until, version: found.version } };
			});
			for (const { ref, snooze } of wanted) {
				const key = keyOf(refText(ref.list), ref.id);
				next.delete(key);
				if (snooze) {
					next.set(key, {
						list: refText(ref.list),
						id: ref.id,
						version: snooze.version,
						...(snooze.untilMs === undefined ? {} : { until: snooze.untilMs }),
					});
				}
			}
			const nowMs = clock.nowMs();
			const left = [...next.values()].filter(({ until }) => until === undefined || until > nowMs).slice(-most);
			const written = place.write(JSON.stringify(left));
			entries();
			wanted.forEach(({ ref }) => changed.fire(ref));
			await written;
			return before;
		},
		/** A snooze began or ended. */
		onDidChange: changed.event,
		dispose() {
			timer.dispose();
			changed.dispose();
		},
	};
}

function refOf({ list, id }: Entry): readonly PatchsetRef[] {
	const ref = listRefOf(list);
	return ref ? [{ list: ref, id }] : [];
}

/** Servers ignore the case of list names. */
function keyOf(list: string, id: number): string {
	return `${list.toLowerCase()} ${id}`;
}
