import { isForgeError, type ForgeError } from 'sourcehut/port/forgeError.ts';
import { isAway } from 'sourcehut/port/isAway.ts';
import { mayHaveArrived } from 'sourcehut/port/mayHaveArrived.ts';
import type { JournaledWrite, WriteJournal } from '../shared/writeJournal.ts';
import type { Outbox, QueuedWrite, StatusFacts } from './outbox.ts';

/** Both records of a write. Its journal entry and its queued item share one id. */
interface Records {
	readonly journal: WriteJournal;
	readonly outbox: Outbox;
}

/** True if the same request may succeed later: the service failed or limits requests, or something else responds. */
export function isAwayProblem(error: ForgeError): boolean {
	return isAway(error) || error.problem.kind === 'redirected';
}

/** True for a failed write without any effect, if a later try may succeed. `hasLeft`: false if only a read failed. */
export function canWait(error: unknown, hasLeft: boolean): error is ForgeError {
	return isForgeError(error) && isAwayProblem(error) && !(hasLeft && mayHaveArrived(error));
}

/**
 * Moves a write from the journal into the outbox. A crash in between leaves both records under one id, and the next
 * window ends the journal's. If the disk refuses, throws `error`, and the draft stays.
 */
export async function queueUnsent(
	{ outbox }: Records,
	write: QueuedWrite,
	basis: StatusFacts | undefined,
	entry: JournaledWrite,
	error: ForgeError | undefined,
): Promise<void> {
	await entry.persist();
	try {
		await outbox.queue(entry.id, write, basis, { kind: 'waiting' });
	} catch (refused) {
		await entry.failed();
		throw error ?? refused;
	}
	await entry.arrived();
}

/** Moves a write in doubt into the outbox, which looks for it before it sends anything. */
export async function queueInDoubt(
	{ outbox, journal }: Records,
	write: QueuedWrite,
	basis: StatusFacts | undefined,
	entry: JournaledWrite,
): Promise<void> {
	const { sentMs = 0, newestEventId } = journal.entry(entry.id) ?? {};
	const found = newestEventId === undefined ? {} : { newestEventId };
	await outbox.queue(entry.id, write, basis, { kind: 'sent', sentMs, ...found });
	await entry.arrived();
}
