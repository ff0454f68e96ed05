import { ForgeError, isForgeError } from '../port/forgeError.ts';
import { throwUnsent } from '../port/mayHaveArrived.ts';
import { isNamed, type Tracker, type TrackerRef } from '../port/tracker.ts';
import { type Caller, paged } from './caller.ts';
import { inTracker, inTicket } from './endpoint.ts';
import { trackerEndpoints } from './endpoints.ts';
import type { TicketRef } from '../port/ticket.ts';
import { allPages } from '../port/allPages.ts';

/** Verifies that a name leads to its own tracker. Throws `notFound` otherwise, with `isUnsent`. */
export type ExactTrackers = ReturnType<typeof exactTrackers>;

/**
 * Servers look trackers up by `ILIKE` (docs/protocol.md#tracker-look-up): `_` in a name matches any character. After
 * the deletion of `a_b`, its name leads to `axb`, and a write would change or delete the wrong tracker.
 */
export function exactTrackers(caller: Caller) {
	async function read(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		const tracker = await caller.call(trackerEndpoints.tracker, { ...inTracker(ref), signal }).catch(throwUnsent);
		if (!isNamed(tracker, ref)) {
			throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
		}
		return tracker;
	}

	return {
		/** Reads the tracker. Call it before each change of a tracker itself. */
		read,
		/** Call it before each write into a tracker. Reads the tracker if its name is ambiguous. */
		async beforeWrite(ref: TrackerRef, signal: AbortSignal) {
			// The tracker may have disappeared since the last check.
			if (/[_%]/.test(ref.name)) {
				await read(ref, signal);
			}
		},
	};
}

/**
 * Awaits a call about one ticket. Servers crash on a missing or hidden ticket, and also for other reasons
 * (docs/protocol.md#crashes). The event list handles missing tickets properly, so it reveals the reason.
 */
export function orMissingTicket<T>(caller: Caller, ref: TicketRef, signal: AbortSignal, work: Promise<T>): Promise<T> {
	return orMissing(work, async () => {
		await caller.call(trackerEndpoints.events, { ...inTicket(ref), signal });
		return false;
	});
}

/**
 * Awaits a call about one comment. Servers crash on a missing comment, and every edit replaces the comment
 * (docs/protocol.md#comment-edits). `isThere` reveals the reason.
 */
export function orMissingComment<T>(work: Promise<T>, isThere: () => Promise<boolean>): Promise<T> {
	return orMissing(work, async () => !(await isThere()));
}

/** True if the ticket's timeline has a comment with this id. */
export async function hasComment(
	caller: Caller,
	{ ref, commentId }: { readonly ref: TicketRef; readonly commentId: number },
	signal: AbortSignal,
): Promise<boolean> {
	const call = { ...inTicket(ref), signal };
	for await (const { items } of allPages(paged(caller, trackerEndpoints.events, call, { key: ({ id }) => id }))) {
		if (items.some(({ comment }) => comment?.id === commentId)) {
			return true;
		}
	}
	return false;
}

async function orMissing<T>(work: Promise<T>, isMissing: () => Promise<boolean>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		const isCrash = isForgeError(error) && error.problem.kind === 'serverError' && error.problem.status === 500;
		throw isCrash && (await settledMissing(isMissing)) ? new ForgeError({ kind: 'notFound' }, { cause: error }) : error;
	}
}

async function settledMissing(isMissing: () => Promise<boolean>): Promise<boolean> {
	try {
		return await isMissing();
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		return error.problem.kind === 'notFound';
	}
}
