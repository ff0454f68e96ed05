import { isAbort } from '../../../base/abort.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import { isHopeless } from '../../../forge/port/isHopeless.ts';
import type { Patchset, PatchsetStatus, SettablePatchsetStatus } from '../../../forge/port/list.ts';
import type { ListStore } from '../../../store/lists/listStore.ts';
import { mayHaveArrived } from '../../../forge/port/mayHaveArrived.ts';
import { isInDoubt } from '../../../store/shared/sentOnce.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';

/** Outcome for one patchset. */
export type StatusOutcome =
	/** The server's state; `wasLost` if only a later read confirmed the write. */
	| { readonly kind: 'done'; readonly patchset: Patchset; readonly wasLost: boolean }
	| { readonly kind: 'refused'; readonly error: unknown }
	/** The answer was lost, and a look showed that the patchset is as before. */
	| { readonly kind: 'missing'; readonly error: unknown }
	/** In doubt. */
	| { readonly kind: 'unclear'; readonly error: unknown }
	| { readonly kind: 'notTried' }
	/** Not sent: the patchset no longer has the expected status. */
	| { readonly kind: 'changed'; readonly patchset: Patchset }
	/** Not sent: the current state failed to load. */
	| { readonly kind: 'unread'; readonly error: unknown };

/** A patchset and the status that it is to get. */
export interface StatusItem {
	readonly subject: PatchsetSubject;
	readonly status: SettablePatchsetStatus;
	/** Sends only if the patchset has this status; `undefined` allows any. */
	readonly expected: PatchsetStatus | undefined;
}

export interface StatusResult extends StatusItem {
	/** The forge's state just before the write. */
	readonly before: PatchsetStatus | undefined;
	readonly outcome: StatusOutcome;
}

export interface StatusWork {
	readonly listsOf: (subject: PatchsetSubject) => Writes;
	/** Called after each patchset. */
	readonly step: () => void;
	/** After an abort no new write starts. */
	readonly cancelled: AbortSignal;
}

type Writes = Pick<ListStore, 'setStatus' | 'renewPatchset'>;

/**
 * Sets statuses one after another, each in a single request. Returns one outcome per patchset in input order. If no
 * further write can succeed on a forge, skips the rest of that account.
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

/** Fresh patchset, or the error of its load. */
type PatchsetNow = { readonly patchset: Patchset } | { readonly patchset?: undefined; readonly error: unknown };

/** The forge's current state, because others may have changed it. */
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

/** Reason to skip a write; `undefined` to send it. */
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
			// The user cancelled after the request, or the check failed.
			return { kind: 'unclear', error };
		}
		return { kind: isForgeError(error) && mayHaveArrived(error) ? 'missing' : 'refused', error };
	}
}

/** Items safe to retry: certainly not written, and not refused for their content. */
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
