import { isBareRefusal } from 'sourcehut/port/forgeError.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import { isNothing, type TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { SendAnswer } from '../../../pages/protocol/ticketProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { itemOutcome, type ItemOutcome } from '../triage/outcomeTexts.ts';
import { noRefusals, type Refusals } from '../subjects/permissions.ts';
import { sendAnswer, type LeftOnTicket } from './outcomeText.ts';

/** The writes of one page: each sent once, and looked for when its answer was lost. */
export type PageWrites = ReturnType<typeof pageWrites>;

/**
 * `known`: `undefined` while the account is not connected. `wrote`: receives the outcome of every write, for Undo.
 * `signal` outlives the page: a running write may already have reached the forge.
 */
export function pageWrites(
	{ connection, known }: { readonly connection: () => Connection; readonly known: () => Connection | undefined },
	ref: TicketRef,
	wrote: ((wish: TicketRequest, outcome: ItemOutcome) => void) | undefined,
	signal: AbortSignal,
) {
	let refusals: Refusals = noRefusals;

	/** The newest unresolved write, in doubt or missing. */
	function left(): LeftOnTicket | undefined {
		const open = known()?.writes.lost(ref);
		return open && { wish: open.lost.wish, isMissing: open.isMissing };
	}

	return {
		/** Refusals by the forge so far. */
		get refusals() {
			return refusals;
		},
		/** The newest comment or status change in doubt. */
		get lost() {
			const open = left();
			return open && !open.isMissing ? open.wish : undefined;
		},
		left,
		/**
		 * Sends the request once. Throws the forge's refusal. A change of labels or assignees leaves a lost comment in
		 * doubt.
		 */
		async send(wish: TicketRequest): Promise<SendAnswer> {
			if (isNothing(wish)) {
				throw new Error('A page asked to send nothing');
			}
			const { writes } = connection();
			if (wish.labels === undefined && wish.assignees === undefined) {
				// The user has seen the outcome of the earlier write, or confirmed to send again.
				await writes.lost(ref)?.lost.entry.failed();
			}
			try {
				const outcome = await writes.write(ref, wish, signal);
				wrote?.(wish, itemOutcome(outcome));
				return sendAnswer(outcome, wish);
			} catch (error) {
				// Only a request with a single part shows which part the forge refused.
				const { comment, move, labels, assignees } = wish;
				if (isBareRefusal(error)) {
					const hasTriage = [move, labels, assignees].some((part) => part !== undefined);
					refusals = {
						comment: refusals.comment || !hasTriage,
						triage: refusals.triage || comment === undefined,
					};
				}
				wrote?.(wish, { kind: 'refused', error });
				throw error;
			}
		},
		/** Looks again for a write in doubt. */
		async lookAgain(): Promise<SendAnswer> {
			const { writes } = connection();
			const lost = writes.lost(ref)?.lost;
			if (!lost) {
				return { kind: 'done', text: '', isCommentThere: false };
			}
			const found = await writes.lookAgain(lost, signal);
			if (!found) {
				return sendAnswer({ kind: 'unclear' }, lost.wish);
			}
			return sendAnswer(isNothing(found.left) ? { kind: 'arrived' } : { kind: 'missing', left: found.left }, lost.wish);
		},
	};
}
