import { paged } from './caller.ts';
import { ForgeError, isForgeError } from '../port/forgeError.ts';
import type { TicketRef } from '../port/ticket.ts';
import type { Caller } from './caller.ts';
import { inTicket } from './inTracker.ts';
import { untilTheEnd } from '../port/untilTheEnd.ts';
import { trackerEndpoints } from './trackerEndpoints.ts';

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
	for await (const { items } of untilTheEnd(paged(caller, trackerEndpoints.events, call, { key: ({ id }) => id }))) {
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
