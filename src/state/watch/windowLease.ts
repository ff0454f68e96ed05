import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import { goesOnMs } from '../background/backgroundLoop.ts';
import { keptIn, time, type KeptText } from '../shared/keptText.ts';

/** Which window of an account does what one of them has to do for all. */
export interface WindowLease extends Disposable {
	isHeld(): boolean;
	readonly onDidChange: Event<void>;
}

export interface WindowLeaseParts {
	/** One text for all windows of the account, which are told of nothing when it is written. */
	readonly kept: KeptText;
	/** Names this window, and no other. */
	readonly name: string;
	/** Whether somebody uses this window now. */
	readonly isThere: () => boolean;
	readonly clock: Clock;
}

/** How often the holder says that it is still there, and the others look. */
const renewMs = 5000;
/** How often a holder looks that nobody uses: before another window that takes it over can be sure of having it. */
const idleLookMs = 500;
/** Who has not said so for as long is gone: killed, or asleep. */
export const staleMs = 20_000;
/** Two windows may take it in one moment, and the text tells after that which of them was last. */
const settleMs = 1000;

/** `isIdle`: nobody has used its window for as long as it goes on reading. */
const holder = v.object({ name: v.string(), atMs: time, isIdle: v.optional(v.boolean(), false) });
type Holder = v.InferOutput<typeof holder>;
const nobody: Holder = { name: '', atMs: 0, isIdle: false };

/**
 * Held by the first window, and taken over by another one when that closes, is killed or sleeps, or when somebody uses the
 * other one and nobody that: a window that nobody uses reads nothing in the background. In doubt nobody holds it
 * for a moment, or two do: what is done by it must bear being done twice. A disk that refuses makes every window a holder.
 */
export function windowLease({ kept, name, isThere, clock }: WindowLeaseParts): WindowLease {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	let timer: Disposable | undefined;
	let isHeld = false;
	let isTaking = false;
	let isOver = false;
	let thereMs = clock.nowMs();
	owned.add(
		onDispose(() => {
			isOver = true;
			timer?.dispose();
		}),
	);
	owned.add(
		onDispose(() => {
			if (isHeld && said()?.name === name) {
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
		if (isOver) {
			return;
		}
		timer = clock.after(isTaking ? settleMs : isHeld && isIdle() ? idleLookMs : renewMs, () => void look());
	}

	/** Nobody has used this window for as long as it goes on reading. */
	function isIdle(): boolean {
		return clock.nowMs() - thereMs > goesOnMs;
	}

	async function takeOrRenew(now: Holder): Promise<void> {
		const nowMs = clock.nowMs();
		const isMine = now.name === name;
		// A time that is far ahead was written before the clock was set back.
		const isLeft = now.name === '' || Math.abs(nowMs - now.atMs) > staleMs;
		const isUsed = isThere();
		thereMs = isUsed ? nowMs : Math.min(thereMs, nowMs);
		const isFree = isLeft || (now.isIdle && isUsed);
		const wasTaking = isTaking;
		// Ours and not held: it was left by one of this window that ended before it was sure.
		isTaking = isMine ? !isHeld && !wasTaking : isFree;
		const isToSay = isMine ? !isHeld || isDue(now, nowMs) : isFree;
		const isKept = isToSay ? await write({ name, atMs: nowMs, isIdle: isIdle() }) : true;
		hold(isMine ? isHeld || wasTaking : !isKept);
	}

	/** It is looked at more often than it has to be written. */
	function isDue(said: Holder, nowMs: number): boolean {
		return said.isIdle !== isIdle() || Math.abs(nowMs - said.atMs) >= renewMs / 2;
	}

	/** `undefined` for what cannot be read, and so must not be written over. */
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
		if (next !== isHeld) {
			isHeld = next;
			changed.fire();
		}
	}

	return { isHeld: () => isHeld, onDidChange: changed.event, dispose: () => owned.dispose() };
}
