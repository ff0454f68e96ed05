import type { Disposable } from '../base/lifecycle.ts';

/** Something that bytes flow out of and that can be held up: an answer on its way, or one that is being unpacked. */
export interface Flow {
	pause(): void;
	resume(): void;
}

/** What one body takes of the room. */
export interface BodyShare {
	/** Counts bytes that `flow` just brought, and holds it up while there is no room for more. */
	take(bytes: number, flow: Flow): void;
	/** Nothing of the body is buffered any more, or others hold it now. May be called more than once. */
	giveBack(): void;
}

/** The memory that all bodies of a client share, however many arrive at the same time and however large they may be. */
export interface BodyRoom {
	/** For a body that comes from this origin. */
	shareFor(origin: string): BodyShare;
	/** Counts a body that waits to be read, until disposed. Nobody is to hold one for long. */
	hold(bytes: number): Disposable;
}

/** Beyond this only some bodies grow. */
const mostBytes = 8 * 1024 * 1024;
/** What is no larger never waits, or every call would be as slow as the largest one. */
const smallBytes = 64 * 1024;

/**
 * While there is no room, the furthest body of each origin alone goes on, so that some always end and a server that gives
 * nothing out holds up none but its own. Even those wait while bodies that are already there fill the room: reading them
 * ends by itself.
 */
export function bodyRoom(): BodyRoom {
	const waiting = new Map<Share, Flow>();
	/** By origin. Empty as long as there has been room. */
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
			// The one before waits from its next bytes on.
			furthest.set(share.origin, share);
		} else if (first !== share) {
			return false;
		}
		return held === 0 || held + share.bytes <= mostBytes;
	}

	/** Later, because the parser that told of the end cannot be used again before it has returned. */
	function wake(): void {
		if (waiting.size > 0 && !isWaking) {
			isWaking = true;
			queueMicrotask(wakeNow);
		}
	}

	function wakeNow(): void {
		isWaking = false;
		for (const [share, flow] of [...waiting].toSorted(([one], [other]) => other.bytes - one.bytes)) {
			// Going on may end others, and may come to a halt again at once.
			if (waiting.get(share) === flow && mayGrow(share)) {
				waiting.delete(share);
				flow.resume();
			}
		}
	}

	return {
		shareFor(origin) {
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
		hold(bytes) {
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
