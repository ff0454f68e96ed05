import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { goesOnMs } from '../background/backgroundLoop.ts';
import { keptIn, time, type KeptText } from '../shared/keptText.ts';

/** Interval of the holder's heartbeat, and of the other windows' looks. */
const renewMs = 5000;
/** Interval of an idle holder's looks, shorter than a takeover takes. */
const idleLookMs = 500;
/** Without a heartbeat for so long, the holder is dead or asleep. */
export const staleMs = 20_000;
/** Two windows may take the lease at once. After this delay the text shows the last writer. */
const settleMs = 1000;

/** No user activity for the whole background period. */
const holder = v.object({ name: v.string(), atMs: time, isIdle: v.optional(v.boolean(), false) });
type Holder = v.InferOutput<typeof holder>;
const nobody: Holder = { name: '', atMs: 0, isIdle: false };

/** Elects the one window per account that polls. */
export type WindowLease = ReturnType<typeof windowLease>;

/**
 * The first window takes the lease. Another one takes over after the holder closes, dies or sleeps, or if the user is
 * active there and not here. For a moment there may be no holder or two, so leased work must tolerate repetition. If
 * the disk refuses, every window is a holder. `kept`: a text shared by all windows. `name`: unique for this window.
 * `isThere`: true while the user is active in it.
 */
export function windowLease(kept: KeptText, name: string, isThere: () => boolean, clock: Clock) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	let timer: Disposable | undefined;
	let isOwner = false;
	let isTaking = false;
	let isOver = false;
	let thereMs = clock.nowMs();
	/** The last text of another window, and when this window saw it first. Clocks of two windows may differ. */
	let heard = { name: '', atMs: 0, sinceMs: 0 };
	owned.add(
		onDispose(() => {
			isOver = true;
			timer?.dispose();
		}),
	);
	owned.add(
		onDispose(() => {
			if (isOwner && said()?.name === name) {
				void write(nobody);
			}
		}),
	);
	void look();

	async function look(): Promise<void> {
		const now = said();
		if (now) {
			await takeOrRenew(now);
		} else {
			hold(true);
		}
		if (!isOver) {
			timer = clock.after(isTaking ? settleMs : isOwner && isIdle() ? idleLookMs : renewMs, () => void look());
		}
	}

	/** No user activity for the whole background period. */
	function isIdle(): boolean {
		return clock.nowMs() - thereMs > goesOnMs;
	}

	async function takeOrRenew(now: Holder): Promise<void> {
		const nowMs = clock.nowMs();
		const isMine = now.name === name;
		if (now.name !== heard.name || now.atMs !== heard.atMs) {
			heard = { ...now, sinceMs: heard.sinceMs === 0 ? Math.min(now.atMs, nowMs) : nowMs };
		}
		const isLeft = now.name === '' || nowMs - heard.sinceMs > staleMs;
		const isUsed = isThere();
		thereMs = isUsed ? nowMs : Math.min(thereMs, nowMs);
		const isFree = isLeft || (now.isIdle && isUsed);
		const wasTaking = isTaking;
		// An own name without the lease is left over from an unfinished takeover.
		isTaking = isMine ? !isOwner && !wasTaking : isFree;
		// Looks are more frequent than writes.
		const isRenewed = now.isIdle === isIdle() && Math.abs(nowMs - now.atMs) < renewMs / 2;
		const isToSay = isMine ? !isOwner || !isRenewed : isFree;
		const isKept = isToSay ? await write({ name, atMs: nowMs, isIdle: isIdle() }) : true;
		hold(isMine ? isOwner || wasTaking : !isKept);
	}

	/** `undefined` for unreadable text, which must not be overwritten. */
	function said(): Holder | undefined {
		try {
			return keptIn(kept.read(), holder, nobody);
		} catch {
			return undefined;
		}
	}

	async function write(value: Holder): Promise<boolean> {
		try {
			await kept.write(JSON.stringify(value));
			return true;
		} catch {
			return false;
		}
	}

	function hold(next: boolean): void {
		if (next !== isOwner) {
			isOwner = next;
			changed.fire();
		}
	}

	return { isOwner: () => isOwner, onDidChange: changed.event, dispose: () => owned.dispose() };
}
