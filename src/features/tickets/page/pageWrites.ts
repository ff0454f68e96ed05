import { isBareRefusal } from '../../../forge/port/forgeError.ts';
import type { TicketRef } from '../../../forge/port/ticket.ts';
import { isNothing, type TicketRequest } from '../../../forge/port/ticketRequest.ts';
import type { SendAnswer } from '../../../pages/protocol/ticketProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { itemOutcome, type ItemOutcome } from '../triage/bulk.ts';
import { noRefusals, type Refusals } from '../subjects/permissions.ts';
import { sendAnswer, type LeftOnTicket } from './outcomeText.ts';

export interface PageWritesParts {
	readonly connection: () => Connection;
	/** `undefined` while the account is not connected. */
	readonly known: () => Connection | undefined;
	readonly ref: TicketRef;
	/** Outlives the page: a running write may already have reached the forge. */
	readonly signal: AbortSignal;
	/** Receives the outcome of every write, for Undo. */
	readonly wrote?: (wish: TicketRequest, outcome: ItemOutcome) => void;
}

/** The writes of one page: each sent once, and looked for when its answer was lost. */
export class PageWrites {
	readonly #parts: PageWritesParts;
	#refusals: Refusals = noRefusals;

	constructor(parts: PageWritesParts) {
		this.#parts = parts;
	}

	/** Refusals by the forge so far. */
	get refusals(): Refusals {
		return this.#refusals;
	}

	/** The newest comment or status change in doubt. */
	get lost(): TicketRequest | undefined {
		const open = this.left();
		return open && !open.isMissing ? open.wish : undefined;
	}

	/** The newest unresolved write, in doubt or missing. */
	left(): LeftOnTicket | undefined {
		const open = this.#parts.known()?.writes.lost(this.#parts.ref);
		return open && { wish: open.lost.wish, isMissing: open.isMissing };
	}

	/**
	 * Sends the request once. Throws the forge's refusal. A change of labels or assignees leaves a lost comment in
	 * doubt.
	 */
	async send(wish: TicketRequest): Promise<SendAnswer> {
		if (isNothing(wish)) {
			throw new Error('A page asked to send nothing');
		}
		const { ref, signal } = this.#parts;
		const connection = this.#parts.connection();
		if (wish.labels === undefined && wish.assignees === undefined) {
			// The user has seen the outcome of the earlier write, or confirmed to send again.
			await connection.writes.lost(ref)?.lost.entry.failed();
		}
		try {
			const outcome = await connection.writes.write(ref, wish, signal);
			this.#parts.wrote?.(wish, itemOutcome(outcome));
			return sendAnswer(outcome, wish);
		} catch (error) {
			this.#learn(error, wish);
			this.#parts.wrote?.(wish, { kind: 'refused', error });
			throw error;
		}
	}

	/** Looks again for a write in doubt. */
	async lookAgain(): Promise<SendAnswer> {
		const { writes } = this.#parts.connection();
		const lost = writes.lost(this.#parts.ref)?.lost;
		if (!lost) {
			return { kind: 'done', text: '', isCommentThere: false };
		}
		const found = await writes.lookAgain(lost, this.#parts.signal);
		if (!found) {
			return sendAnswer({ kind: 'unclear' }, lost.wish);
		}
		return sendAnswer(isNothing(found.left) ? { kind: 'arrived' } : { kind: 'missing', left: found.left }, lost.wish);
	}

	/** Only a request with a single part shows which part the forge refused. */
	#learn(error: unknown, { comment, move, labels, assignees }: TicketRequest): void {
		if (isBareRefusal(error)) {
			const hasTriage = [move, labels, assignees].some((part) => part !== undefined);
			this.#refusals = {
				comment: this.#refusals.comment || !hasTriage,
				triage: this.#refusals.triage || comment === undefined,
			};
		}
	}
}
