import type { Areas, Tale } from '../../areas.ts';
import type { Context, User } from '../../shared/area.ts';
import type { Email, MailingList } from '../../lists/mailModel.ts';
import { receiveMail } from '../../lists/postOffice.ts';
import { findTicket, type Ticket, type TicketEvent } from '../../tickets/ticketModel.ts';
import { mailbox } from '../lists/letter.ts';
import { writePatchMails } from '../lists/patchMails.ts';
import type { MadeSeries } from '../lists/patchMaker.ts';
import { quoteSpeech } from '../lists/quoting.ts';
import { writeReply } from '../lists/replies.ts';
import type { Writer } from '../lists/writers.ts';
import { takeTurn, type Turn } from '../tickets/turns.ts';
import { laterSeries } from './guestData.ts';

/** Runs `happens` after `afterMs`, unless the result is called before. */
export type Later = (afterMs: number, happens: () => void) => () => void;

export interface ColleagueParts {
	readonly areas: Pick<Areas, 'todo' | 'lists'>;
	readonly context: Pick<Context, 'users' | 'nowMs' | 'mailDomain'>;
	readonly guest: User;
	readonly writer: (name: string) => Writer;
	readonly made: Readonly<Record<string, MadeSeries>>;
	readonly later: Later;
}

/** The first look at a forge is over when the client rests this long. Only later events are news to a client. */
const restMs = 4000;
const longestLookMs = 20_000;
/** After the news. */
const newVersionMs = 60_000;
const commentMs = 8000;
const replyMs = 10_000;

const news: readonly (readonly [number: number, turn: Turn])[] = [
	[
		24,
		{
			who: 'carol',
			says: 'I can write a patch. ~alice, do you prefer a relative redirect, or should pebble read `X-Forwarded-Host`?',
		},
	],
	[22, { who: 'bob', assigns: 'alice' }],
];

/** People who bring news after the guest's first look, and answer the guest's first comment and mail. */
export function createColleagues(parts: ColleagueParts): Tale {
	const { areas, context, guest } = parts;
	const { todo, lists } = areas;
	const pending = new Set<() => void>();
	const first = { comment: true, mail: true, look: true };
	let stopLook = (): void => undefined;
	let stopRest = (): void => undefined;

	const later: Later = (afterMs, happens) => {
		const cancel = parts.later(afterMs, () => {
			pending.delete(cancel);
			happens();
		});
		pending.add(cancel);
		return () => {
			pending.delete(cancel);
			cancel();
		};
	};

	function bringNews(): void {
		stopLook();
		stopRest();
		first.look = false;
		const tracker = todo.room.store.trackers.find(({ name }) => name === 'pebble');
		for (const [number, turn] of news) {
			const ticket = tracker === undefined ? undefined : findTicket(tracker, number);
			if (ticket !== undefined) {
				happen(ticket, turn);
			}
		}
		send('log-json');
		send('range-v2');
		later(newVersionMs, () => send('gzip-v2'));
	}

	/** As if through the API, so that webhooks tell of it. */
	function happen(ticket: Ticket, turn: Turn): void {
		const { store, hooks } = todo.room;
		const before = ticket.events.length;
		takeTurn({ store, users: context.users }, { ticket, turn, atMs: context.nowMs() });
		hooks.events(ticket.events.slice(before));
		hooks.ticketUpdated(ticket);
	}

	function send(key: string): void {
		const plan = laterSeries.find((each) => each.key === key);
		const made = parts.made[key];
		const list = plan === undefined ? undefined : listNamed(plan.list);
		if (plan === undefined || made === undefined || list === undefined) {
			return;
		}
		const to = [addressOf(list), ...(plan.to ?? []).map((name) => mailbox(parts.writer(name)))].join(', ');
		const sentS = Math.floor(context.nowMs() / 1000);
		const mails = writePatchMails({ plan, made, sender: parts.writer(plan.author), sentS, to, answers: undefined });
		mails.forEach(({ raw }) => void receiveMail(lists.room, list, raw));
	}

	function listNamed(name: string): MailingList | undefined {
		return lists.room.store.lists.find((list) => list.owner === guest && list.name === name);
	}

	function addressOf({ owner, name }: MailingList): string {
		return `~${owner.name}/${name}@lists.${context.mailDomain}`;
	}

	function answerComment({ ticket, comment }: TicketEvent): void {
		if (ticket === null || comment === null || !isGuest(comment.submitter) || !first.comment) {
			return;
		}
		first.comment = false;
		later(commentMs, () => {
			if (ticket.tracker.tickets.includes(ticket)) {
				happen(ticket, { who: partnerIn(ticket), says: replyTo(ticket, guest) });
			}
		});
	}

	/** The submitter, else the one who spoke last. */
	function partnerIn({ submitter, events }: Ticket): string {
		const others = [submitter, ...events.toReversed().map(({ comment }) => comment?.submitter)].flatMap((person) =>
			person?.kind === 'user' && person.user !== guest ? [person.user.name] : [],
		);
		return others[0] ?? 'bob';
	}

	function isGuest(person: TicketEvent['user']): boolean {
		return person?.kind === 'user' && person.user === guest;
	}

	function answerMail(email: Email): void {
		if (email.sender !== guest || !first.mail) {
			return;
		}
		first.mail = false;
		later(replyMs, () => {
			const { list, message, parent, root, messageId } = email;
			const partner = parent?.sender ?? null;
			const who = partner === null || partner === guest ? 'carol' : partner.name;
			const isReview = root !== null && [root, ...root.answers].some(({ patchset }) => patchset !== null);
			const text = [quoteSpeech(message.text), isReview ? reviewWords : mailWords].filter((part) => part !== '');
			const { raw } = writeReply(
				{
					from: parts.writer(who),
					to: addressOf(list),
					text: text.join('\n\n'),
					atMs: context.nowMs(),
					seed: messageId,
				},
				{ messageId, subject: message.subject, from: parts.writer(guest.name), atMs: email.createdMs },
			);
			if (lists.room.store.lists.includes(list)) {
				receiveMail(lists.room, list, raw);
			}
		});
	}

	todo.room.hooks.listen({ events: (events) => events.forEach(answerComment) });
	lists.room.hooks.listen({ received: ({ email }) => answerMail(email) });
	return {
		asked(userName) {
			if (userName !== guest.name || !first.look) {
				return;
			}
			if (pending.size === 0) {
				stopLook = later(longestLookMs, bringNews);
			}
			stopRest();
			stopRest = later(restMs, bringNews);
		},
		dispose() {
			first.look = false;
			pending.forEach((cancel) => cancel());
			pending.clear();
		},
	};
}

const reviewWords = 'Thanks for looking at it! I will go through this and send a new version\nif it needs one.';
const mailWords = 'Thanks for writing. I have read it, and I agree. Let me know if I can\nhelp.';

/** Fits every ticket of its kind. */
function replyTo({ status, labels }: Ticket, guest: User): string {
	if (status === 'resolved') {
		return `Thank you, ~${guest.name}! I'll check it with the next release.`;
	}
	const names = [...labels].map(({ name }) => name);
	if (names.includes('bug')) {
		return `Thanks for looking into this, ~${guest.name}. I'll try it on my machine and report back here.`;
	}
	return names.includes('enhancement')
		? `Thanks, ~${guest.name}! That would work for me. I'll write a first version and send it to the list.`
		: `Thank you, ~${guest.name}, that helps. I'll have another look and report back here.`;
}
