import type { TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { OpenSend, SendAnswer, TicketPageSend } from '../../../pages/protocol/ticketProtocol.ts';
import { keyOf, moveOf } from './statusButtons.ts';
import type { PageDrafts } from './pageDrafts.ts';
import { leftAnswer, stillSending } from './outcomeText.ts';
import type { PageWrites } from './pageWrites.ts';

interface Latest {
	readonly send: TicketPageSend;
	readonly answer: Promise<SendAnswer>;
	/** `undefined` before there is an answer, and after a refusal. */
	said: SendAnswer | undefined;
	isOver: boolean;
}

/**
 * Sends from a page. Survives a restart of the page, because a hidden page receives no answers. `confirmAgain` asks whether to send again although the earlier try may
 * have arrived.
 */
export function pageSending(writes: PageWrites, drafts: PageDrafts, confirmAgain: () => Promise<boolean>) {
	let latest: Latest | undefined;

	function follow(send: TicketPageSend, work: () => Promise<SendAnswer>): Promise<SendAnswer> {
		const answer = work();
		const now: Latest = { send, answer, said: undefined, isOver: false };
		latest = now;
		answer.then(
			(said) => {
				now.said = said;
				now.isOver = true;
			},
			() => {
				now.isOver = true;
			},
		);
		return answer;
	}

	async function deliver(wish: TicketRequest): Promise<SendAnswer> {
		const { lost } = writes;
		if (lost) {
			const answer = await writes.lookAgain();
			if (isEnough(answer, lost, wish) && !(answer.kind === 'unclear' && (await confirmAgain()))) {
				return aboutText(answer, lost, wish.comment);
			}
		}
		return writes.send(wish);
	}

	/** The unresolved write of an earlier window, unless the draft has changed since. */
	function left(): OpenSend | undefined {
		const open = writes.left();
		if (!open || (open.wish.comment !== undefined && drafts.comment()?.text !== open.wish.comment)) {
			return undefined;
		}
		const { comment = '', move } = open.wish;
		return { send: { comment, move: move && keyOf(move) }, answer: leftAnswer(open) };
	}

	return {
		/**
		 * As `PageWrites.send`. If an earlier comment is in doubt, looks for it first, and asks the user if the search
		 * fails. During a send, an identical request gets the same answer and any other request a refusal.
		 */
		send(send: TicketPageSend) {
			if (latest?.isOver === false) {
				return isSame(latest.send, send) ? latest.answer : Promise.resolve(stillSending());
			}
			return follow(send, () => deliver(wishOf(send)));
		},
		lookAgain() {
			const { lost } = writes;
			const send = latest?.send ?? left()?.send ?? { comment: '', move: undefined };
			return follow(send, async () => aboutText(await writes.lookAgain(), lost, send.comment));
		},
		/** State of an unfinished send for a page that starts; `undefined` if there is none. */
		open() {
			if (latest?.isOver === false) {
				return { send: latest.send, answer: undefined };
			}
			return latest?.said?.kind === 'unclear' && writes.lost ? { send: latest.send, answer: latest.said } : left();
		},
		/** How the latest of all ended, as soon as it has. */
		outcome: () => latest?.answer ?? Promise.reject(new Error('A page asked how nothing ended')),
	};
}

function isSame(one: TicketPageSend, other: TicketPageSend): boolean {
	return one.comment === other.comment && one.move === other.move;
}

/** The request for the forge; empty for a change that the page did not offer. */
function wishOf({ comment, move }: TicketPageSend): TicketRequest {
	const wanted = move === undefined ? undefined : moveOf(move);
	if (move !== undefined && !wanted) {
		return {};
	}
	return { ...(comment.trim() === '' ? {} : { comment }), ...(wanted ? { move: wanted } : {}) };
}

/** True if the user must see the fate of the lost write before anything else goes out: no silent duplicates. */
function isEnough(answer: SendAnswer, lost: TicketRequest, wish: TicketRequest): boolean {
	if (answer.kind === 'unclear') {
		return true;
	}
	if (lost.comment === undefined) {
		return answer.kind !== 'missing' && wish.comment === undefined;
	}
	return answer.isCommentThere;
}

/** The page clears its box only if the forge has exactly that text. */
function aboutText(answer: SendAnswer, lost: TicketRequest | undefined, text: string | undefined): SendAnswer {
	const isSame = lost?.comment === undefined || lost.comment === text;
	return { ...answer, isCommentThere: answer.isCommentThere && isSame };
}
