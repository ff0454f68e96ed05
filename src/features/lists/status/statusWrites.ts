import { isAbort } from '../../../base/abort.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { isHopeless } from '../../../forge/isHopeless.ts';
import type { Patchset, PatchsetStatus, SettablePatchsetStatus } from '../../../forge/list.ts';
import type { ListStore } from '../../../state/lists/listStore.ts';
import { mayHaveArrived } from '../../../forge/mayHaveArrived.ts';
import { isInDoubt } from '../../../state/shared/sentOnce.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';

/** What became of one patchset of those that were to get a status. */
export type StatusOutcome =
	/** It is as the server says; `wasLost` when that was seen only by looking. */
	| { readonly kind: 'done'; readonly patchset: Patchset; readonly wasLost: boolean }
	| { readonly kind: 'refused'; readonly error: unknown }
	/** The answer was lost, and a look showed that the patchset is as before. */
	| { readonly kind: 'missing'; readonly error: unknown }
	/** It may or may not have been set. */
	| { readonly kind: 'unclear'; readonly error: unknown }
	| { readonly kind: 'notTried' }
	/** It was not sent: the patchset has not the status any more that it was expected to have. */
	| { readonly kind: 'changed'; readonly patchset: Patchset }
	/** It was not sent, since nobody could read what it is now. */
	| { readonly kind: 'unread'; readonly error: unknown };

/** A patchset and the status that it is to get. */
export interface StatusItem {
	readonly subject: PatchsetSubject;
	readonly status: SettablePatchsetStatus;
	/** It is sent only while the patchset has this one; whatever it has, where that is `undefined`. */
	readonly expected: PatchsetStatus | undefined;
}

/** An item and what became of it. */
export interface StatusResult extends StatusItem {
	/** What the forge said just before the status was sent. */
	readonly before: PatchsetStatus | undefined;
	readonly outcome: StatusOutcome;
}

/** How the statuses are written. */
export interface StatusWork {
	readonly listsOf: (subject: PatchsetSubject) => Writes;
	/** Called after each patchset. */
	readonly step: () => void;
	/** Nothing new is begun once it is aborted. */
	readonly cancelled: AbortSignal;
}

type Writes = Pick<ListStore, 'setStatus' | 'renewPatchset'>;

/**
 * Gives patchsets a status, one after the other, each sent once. Every one gets an outcome of its own, in the order in
 * which they came. When nothing more can succeed on a forge, the others of that account are not tried.
 */
export async function setStatuses(
	items: readonly StatusItem[],
	{ listsOf, step, cancelled }: StatusWork,
): Promise<readonly StatusResult[]> {
	const results: StatusResult[] = [];
	const over = new Set<string>();
	for (const item of items) {
		const { subject } = item;
		const isTried = !over.has(subject.connectionKey) && !cancelled.aborted;
		const now = isTried ? await patchsetNow(item, { listsOf, cancelled }) : undefined;
		const before = now?.patchset?.status;
		if (!now || cancelled.aborted) {
			results.push({ ...item, before, outcome: { kind: 'notTried' } });
			continue;
		}
		const outcome = unsent(item, now) ?? (await outcomeOf(item, { listsOf, cancelled }));
		if (isLast(outcome)) {
			over.add(subject.connectionKey);
		}
		results.push({ ...item, before, outcome });
		step();
	}
	return results;
}

/** Nothing more can succeed on the forge after this. */
function isLast(outcome: StatusOutcome): boolean {
	const isRefused = outcome.kind === 'refused' || outcome.kind === 'unread';
	return outcome.kind === 'unclear' || (isRefused && isHopeless(outcome.error));
}

/** A patchset as the forge tells it now, or why it could not be read. */
type PatchsetNow = { readonly patchset: Patchset } | { readonly patchset?: undefined; readonly error: unknown };

/** What the forge says now, since others may have changed it. */
async function patchsetNow(
	{ subject }: StatusItem,
	{ listsOf, cancelled }: Pick<StatusWork, 'listsOf' | 'cancelled'>,
): Promise<PatchsetNow> {
	try {
		return { patchset: await listsOf(subject).renewPatchset(subject.ref, cancelled) };
	} catch (error) {
		return { error };
	}
}

/** Why a status is not to be sent; `undefined` where it is. */
function unsent({ expected }: StatusItem, now: PatchsetNow): StatusOutcome | undefined {
	if (expected === undefined) {
		return undefined;
	}
	if (!now.patchset) {
		return { kind: 'unread', error: now.error };
	}
	return now.patchset.status === expected ? undefined : { kind: 'changed', patchset: now.patchset };
}

async function outcomeOf(
	{ subject, status }: StatusItem,
	{ listsOf, cancelled }: Pick<StatusWork, 'listsOf' | 'cancelled'>,
): Promise<StatusOutcome> {
	try {
		return { kind: 'done', ...(await listsOf(subject).setStatus(subject.ref, status, cancelled)) };
	} catch (error) {
		if (isAbort(error) || isInDoubt(error)) {
			// Cancelled after it was sent, or the lookup failed.
			return { kind: 'unclear', error };
		}
		return { kind: isForgeError(error) && mayHaveArrived(error) ? 'missing' : 'refused', error };
	}
}

/** What may be sent again because it is certainly not there, and was not refused for what it is. */
export function itemsToTryAgain(results: readonly StatusResult[]): readonly StatusItem[] {
	return results.flatMap(({ subject, status, expected, outcome }) => {
		switch (outcome.kind) {
			case 'missing':
			case 'notTried':
				return [{ subject, status, expected }];
			case 'refused':
				return isForgeError(outcome.error) && isHopeless(outcome.error) ? [{ subject, status, expected }] : [];
			case 'done':
			case 'unclear':
			case 'unread':
			case 'changed':
				return [];
		}
	});
}
