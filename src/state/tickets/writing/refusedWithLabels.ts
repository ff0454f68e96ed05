import { ForgeError } from '../../../forge/forgeError.ts';
import type { Ticket } from '../../../forge/ticket.ts';
import type { LabelWish } from './ticketWish.ts';

/** A refusal after which a part of the wished labels is changed all the same (docs/protocol.md#label-updates). */
class RefusedWithLabels extends ForgeError {}

/** The refusal, marked when the ticket shows now that labels were changed by the request all the same. */
export function refusal(
	error: ForgeError,
	labels: LabelWish | undefined,
	{ before, now }: { readonly before: Ticket | undefined; readonly now: Ticket | undefined },
): ForgeError {
	const isChanged =
		labels !== undefined &&
		before !== undefined &&
		now !== undefined &&
		(labels.add.some((name) => !before.labels.includes(name) && now.labels.includes(name)) ||
			labels.remove.some((name) => before.labels.includes(name) && !now.labels.includes(name)));
	return isChanged ? new RefusedWithLabels(error.problem, { cause: error }) : error;
}

/** True for a refusal of a write that changed labels all the same. */
export function changedLabels(error: unknown): boolean {
	return error instanceof RefusedWithLabels;
}
