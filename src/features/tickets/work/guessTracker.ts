import type { Clock } from '../../../base/clock.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { Connection } from '../../../state/connection.ts';
import { knowsTracker, trackersOf } from '../subjects/knownTrackers.ts';
import type { HostedName } from '../../../text/remoteAddress.ts';
import type { FoundBy } from '../../../editor/git/folderMapping.ts';

/** The likely tracker of a clone of one of these repositories, the likeliest first. */
export type GuessTracker = (clones: readonly Named[], signal: AbortSignal) => Promise<Named | undefined>;

/** A missing tracker rarely appears soon; other failures are often short. */
const missingLifeMs = 10 * 60_000;
const failedLifeMs = 30_000;

/**
 * Git names no tracker, so guess: the tracker with the repository's owner and name, or the account's own with that
 * name. If its existence is unknown, asks once.
 */
export function guessTracker(clock: Pick<Clock, 'nowMs'>): GuessTracker {
	/** Until when a tracker counts as missing, by its reference. Held by the connection, so that nothing outlives a sign-out. */
	const missing = new WeakMap<Connection, Map<string, number>>();

	async function isThere(connection: Connection, ref: TrackerRef, signal: AbortSignal): Promise<boolean> {
		const key = refText(ref);
		const untilMs = missing.get(connection) ?? new Map<string, number>();
		missing.set(connection, untilMs);
		if (knowsTracker(connection, ref)) {
			return true;
		}
		if (clock.nowMs() < (untilMs.get(key) ?? 0)) {
			return false;
		}
		let lifeMs = missingLifeMs;
		try {
			if (ref.owner === connection.me) {
				await connection.tickets.ownTrackers(signal);
			} else {
				await connection.tickets.tracker(ref, signal);
			}
		} catch (error) {
			// Any failure of the forge means no guess.
			if (!isForgeError(error)) {
				throw error;
			}
			const { kind } = error.problem;
			lifeMs = kind === 'notFound' || kind === 'notAllowed' ? missingLifeMs : failedLifeMs;
		}
		if (knowsTracker(connection, ref)) {
			return true;
		}
		untilMs.set(key, clock.nowMs() + lifeMs);
		return false;
	}

	return async (clones, signal) => {
		for (const clone of clones) {
			if (await isThere(clone.connection, clone.ref, signal)) {
				return { ...clone, foundBy: { kind: 'sameName' } };
			}
		}
		for (const { connection, ref } of clones) {
			const own = trackersOf(connection).find(
				({ owner, name }) => owner === connection.me && name.toLowerCase() === ref.name.toLowerCase(),
			);
			if (own) {
				return { connection, ref: own, foundBy: { kind: 'ownTracker' } };
			}
		}
		return undefined;
	};
}

/** Something that a folder belongs to, with the account that reaches it. */
export interface Named {
	readonly connection: Connection;
	readonly ref: HostedName;
	readonly foundBy: FoundBy;
}
