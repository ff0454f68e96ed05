import type { Disposable } from '@forge-desk/base/lifecycle.ts';

/** A pausable source of bytes: a response, or a decompressor. */
export interface Flow {
	pause(): void;
	resume(): void;
}

/** One body's share of the memory. */
export interface BodyShare {
	/** Counts bytes that `flow` has delivered, and pauses it while memory is short. */
	take(bytes: number, flow: Flow): void;
	/** Call when the body is no longer buffered, or has another owner. Idempotent. */
	giveBack(): void;
}

/** Above this limit only some bodies grow. */
const mostBytes = 8 * 1024 * 1024;
/** Smaller bodies never wait. Otherwise every call would be as slow as the largest one. */
const smallBytes = 64 * 1024;

/** Memory budget for all response bodies of a client, independent of their number and size. */
export type BodyRoom = ReturnType<typeof bodyRoom>;

/**
 * Without memory, only the largest body of each origin proceeds. So some bodies always finish, and a stalled server
 * blocks only its own responses. Even these wait while finished bodies fill the budget, because their readers will free
 * it.
 */
export function bodyRoom() {
	const waiting = new Map<Share, Flow>();
	/** By origin. Empty while memory is available. */
	const furthest = new Map<string, Share>();
	let arriving = 0;
	let held = 0;
	let isWaking = false;

	interface Share extends BodyShare {
		readonly origin: string;
		bytes: number;
	}

	function mayGrow(share: Share): boolean {
		if (arriving + held <= mostBytes || share.bytes <= smallBytes) {
			return true;
		}
		const first = furthest.get(share.origin);
		if (first === undefined || first.bytes < share.bytes) {
			// The previous one pauses at its next bytes.
			furthest.set(share.origin, share);
		} else if (first !== share) {
			return false;
		}
		return held === 0 || held + share.bytes <= mostBytes;
	}

	/** Deferred, because the parser that reported the end is not re-entrant. */
	function wake(): void {
		if (waiting.size > 0 && !isWaking) {
			isWaking = true;
			queueMicrotask(wakeNow);
		}
	}

	function wakeNow(): void {
		isWaking = false;
		for (const [share, flow] of [...waiting].toSorted(([one], [other]) => other.bytes - one.bytes)) {
			// Resuming may finish other bodies, or pause again at once.
			if (waiting.get(share) === flow && mayGrow(share)) {
				waiting.delete(share);
				flow.resume();
			}
		}
	}

	return {
		/** For a body from this origin. */
		shareFor(origin: string): BodyShare {
			const share: Share = {
				origin,
				bytes: 0,
				take(bytes, flow) {
					share.bytes += bytes;
					arriving += bytes;
					if (!mayGrow(share)) {
						waiting.set(share, flow);
						flow.pause();
					}
				},
				giveBack() {
					arriving -= share.bytes;
					share.bytes = 0;
					waiting.delete(share);
					if (furthest.get(origin) === share) {
						furthest.delete(origin);
					}
					wake();
				},
			};
			return share;
		},
		/** Counts a body that waits for its reader, until disposed. Readers must not delay this. */
		hold(bytes: number): Disposable {
			let isHeld = true;
			held += bytes;
			return {
				dispose() {
					held -= isHeld ? bytes : 0;
					isHeld = false;
					wake();
				},
			};
		},
	};
}
