import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { mayBeDone } from 'sourcehut/port/mayHaveArrived.ts';
import type { WriteJournal } from './writeJournal.ts';
import type { WriteKind, WriteOf } from './writeRecord.ts';

/** Cancellation of a write and of its lookup. */
export interface SendingSignals {
	/** Cancelled by the user. */
	readonly signal: AbortSignal;
	/**
	 * Aborted when the account or window ends. A cancelled request may have been delivered, so its lookup continues.
	 */
	readonly looking: AbortSignal;
	/** Waiting entry of a bulk action. */
	readonly from?: string | undefined;
}

/** Sends one kind of write. */
export type SendOnce<K extends WriteKind, T> = (
	write: WriteOf<K>,
	send: (signal: AbortSignal) => Promise<T>,
	signals: SendingSignals,
) => Promise<T>;

/** The response was lost and the lookup failed, so the write may have been delivered. */
class InDoubt extends ForgeError {}

export function isInDoubt(error: unknown): boolean {
	return error instanceof InDoubt;
}

/**
 * Sends each write of a kind once, through the journal. After a lost response, a cancellation or a crash, `look`
 * searches the forge for it and returns `undefined` if it is missing. A 404 also starts a lookup: a proxy may send a
 * request twice, and the second one fails because the first one succeeded.
 */
export function sendOnce<K extends WriteKind, T>(
	journal: WriteJournal,
	kind: K,
	look: (write: WriteOf<K>, looking: AbortSignal) => Promise<T | undefined>,
): SendOnce<K, T> {
	journal.registerLookup(kind, async (write, _, looking) => ({
		kind: (await look(write, looking)) === undefined ? 'notThere' : 'there',
	}));
	return async (write, send, { signal, looking, from }) => {
		signal.throwIfAborted();
		const entry = journal.begin(write, from);
		await entry.persist();
		if (signal.aborted) {
			await entry.failed();
			signal.throwIfAborted();
		}

		async function found(error: unknown): Promise<T> {
			if (looking.aborted && isWorthALook(error, signal)) {
				// The next window looks it up.
				throw error;
			}
			const isDone = isForgeError(error) && error.isDone;
			let seen: T | undefined;
			try {
				seen = isWorthALook(error, signal) ? await look(write, looking) : undefined;
			} catch {
				await (isDone ? entry.arrived() : entry.inDoubt());
				throw isForgeError(error) && !isDone ? new InDoubt(error.problem, { cause: error }) : error;
			}
			if (seen === undefined) {
				await (isDone ? entry.arrived() : entry.failed());
				throw error;
			}
			return seen;
		}

		const answer = await send(signal).catch(found);
		await entry.arrived();
		return answer;
	};
}

/** True if the write may have been delivered in spite of the error. */
function isWorthALook(error: unknown, signal: AbortSignal): boolean {
	const isMissing = isForgeError(error) && error.problem.kind === 'notFound' && !error.isUnsent;
	return isMissing || mayBeDone(error, signal);
}

/**
 * Creates things of a kind once. Names are unique, so the lookup is by name. A thing that had the name before the
 * request is not the created one. `find` must compare names, because servers treat some characters as wildcards
 * (docs/protocol.md#tracker-look-up).
 */
export function makeOnce<K extends 'makeTracker' | 'makeList' | 'makeRepository' | 'makeLabel', T>(
	journal: WriteJournal,
	kind: K,
	find: (write: WriteOf<K>, looking: AbortSignal) => Promise<T | undefined>,
): SendOnce<K, T> {
	const findIfThere = (write: WriteOf<K>, looking: AbortSignal): Promise<T | undefined> =>
		find(write, looking).catch(undefinedIfMissing);
	const make = sendOnce<K, T>(journal, kind, async (write, looking) =>
		'isTaken' in write && write.isTaken ? undefined : await findIfThere(write, looking),
	);
	return async (write, send, signals) => {
		const wasTaken = await findIfThere(write, signals.signal)
			.then((before) => before !== undefined)
			.catch(undefinedIfFailed);
		return await make(
			wasTaken === true ? { ...write, isTaken: true } : write,
			async (signal) =>
				wasTaken === false ? orFound(send(signal), () => findIfThere(write, signals.looking)) : send(signal),
			signals,
		);
	};
}

/**
 * If a proxy sends a write twice, the server refuses the second one: the name is taken, or the state is set already.
 */
export async function orFound<T>(sending: Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
	try {
		return await sending;
	} catch (error) {
		const isRefused = isForgeError(error) && error.problem.kind === 'invalid';
		const found = isRefused ? await find().catch(undefinedIfFailed) : undefined;
		if (found === undefined) {
			throw error;
		}
		return found;
	}
}

function undefinedIfFailed(error: unknown): undefined {
	if (!isForgeError(error)) {
		throw error;
	}
}

function undefinedIfMissing(error: unknown): undefined {
	if (!isForgeError(error) || error.problem.kind !== 'notFound') {
		throw error;
	}
}

/** Lookup after a deletion: `true` if the forge returns 404. */
export async function isGone(isThere: () => Promise<boolean>): Promise<true | undefined> {
	try {
		return (await isThere()) ? undefined : true;
	} catch (error) {
		undefinedIfMissing(error);
		return true;
	}
}
