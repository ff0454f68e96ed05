import type { TicketRequest } from '../../../forge/ticketRequest.ts';
import type { OpenSend, SendAnswer, TicketPageSend } from '../../../protocol/ticketProtocol.ts';
import { keyOf, moveOf } from './moves.ts';
import type { PageDrafts } from './pageDrafts.ts';
import { leftAnswer, stillSending } from './outcomeText.ts';
import type { PageWrites } from './pageWrites.ts';

/** What sending from a page needs. */
export interface PageSendingParts {
	readonly writes: Pick<PageWrites, 'send' | 'lookAgain' | 'lost' | 'left'>;
	readonly drafts: Pick<PageDrafts, 'comment'>;
	/** Asks whether to send although an earlier try may have been delivered. */
	readonly confirmAgain: () => Promise<boolean>;
}

/** What is sent from a page, also over a restart of the page: a page that was hidden hears no answers. */
export interface PageSending {
	/**
	 * As `PageWrites.send`. While nobody knows of an earlier comment, that one is looked for before anything is sent, and where
	 * nobody can look, the person is asked. While something is on its way nothing else is sent: the same has the same answer, and anything else is refused.
	 */
	send(send: TicketPageSend): Promise<SendAnswer>;
	lookAgain(): Promise<SendAnswer>;
	/** What a page that starts now has to know of; `undefined` when nothing is open. */
	open(): OpenSend | undefined;
	/** How the latest of all ended, as soon as it has. */
	outcome(): Promise<SendAnswer>;
}

interface Latest {
	readonly send: TicketPageSend;
	readonly answer: Promise<SendAnswer>;
	/** `undefined` before there is an answer, and after a refusal. */
	said: SendAnswer | undefined;
	isOver: boolean;
}

export function pageSending({ writes, drafts, confirmAgain }: PageSendingParts): PageSending {
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
		send(send) {
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
		open() {
			if (latest?.isOver === false) {
				return { send: latest.send, answer: undefined };
			}
			return latest?.said?.kind === 'unclear' && writes.lost ? { send: latest.send, answer: latest.said } : left();
		},
		outcome: () => latest?.answer ?? Promise.reject(new Error('A page asked how nothing ended')),
	};
}

function isSame(one: TicketPageSend, other: TicketPageSend): boolean {
	return one.comment === other.comment && one.move === other.move;
}

/** What is asked of the forge; a move that nobody offered is no wish. */
function wishOf({ comment, move }: TicketPageSend): TicketRequest {
	const wanted = move === undefined ? undefined : moveOf(move);
	if (move !== undefined && !wanted) {
		return {};
	}
	return { ...(comment.trim() === '' ? {} : { comment }), ...(wanted ? { move: wanted } : {}) };
}

/** True when the lost one has to be read of before something else may be sent: nothing may be sent twice unseen. */
function isEnough(answer: SendAnswer, lost: TicketRequest, wish: TicketRequest): boolean {
	if (answer.kind === 'unclear') {
		return true;
	}
	if (lost.comment === undefined) {
		return answer.kind !== 'missing' && wish.comment === undefined;
	}
	return answer.isCommentThere;
}

/** The page forgets what stands in its box only when that is what the forge has. */
function aboutText(answer: SendAnswer, lost: TicketRequest | undefined, text: string | undefined): SendAnswer {
	const isSame = lost?.comment === undefined || lost.comment === text;
	return { ...answer, isCommentThere: answer.isCommentThere && isSame };
}
