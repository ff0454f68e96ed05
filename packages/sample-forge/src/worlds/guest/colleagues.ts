import type { Areas, Tale } from '../../areas/areas.ts';
import type { Email, MailingList } from '../../lists/mailModel.ts';
import { receiveMail } from '../../lists/postOffice.ts';
import words from '../../sampleData/guest/colleagues.json' with { type: 'json' };
import { type User, findOwned } from '../../shared/area.ts';
import { findTicket, type Ticket, type TicketEvent } from '../../tickets/ticketModel.ts';
import { mailbox, quoteSpeech, writeReply, type Writer } from '../lists/letters.ts';
import { type PlannedSeries, writePatchMails } from '../lists/tellMail.ts';
import { takeTurn, type Turn } from '../tickets/turns.ts';

/** The first look at a forge is over when the client rests this long. Only later events are news to a client. */
const restMs = 4000;

const longestLookMs = 20_000;

/** After the news. */
const newVersionMs = 60_000;

const commentMs = 8000;

const replyMs = 10_000;

/** Runs `happens` after `afterMs`, unless the result is called before. */
export type Later = (afterMs: number, happens: () => void) => () => void;

/** In real time. */
export const setLater: Later = (afterMs, happens) => {
	const timer = setTimeout(happens, afterMs);
	return () => clearTimeout(timer);
};

/** People who bring news after the guest's first look, and answer the guest's first comment and mail. */
export function createColleagues(
	{ todo, lists }: Areas,
	guest: User,
	writer: (name: string) => Writer,
	series: readonly PlannedSeries[],
	setTimer: Later,
): Tale {
	const { context } = todo.room;
	const pending = new Set<() => void>();
	/** The next process repeats unfinished acts. */
	const told = context.state.part('colleagues', { comment: false, mail: false, news: false, newVersion: false });
	const first = { comment: !told.comment, mail: !told.mail, look: !told.news };
	let stopLook = (): void => undefined;
	let stopRest = (): void => undefined;

	const later: Later = (afterMs, happens) => {
		const cancel = setTimer(afterMs, () => {
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
		told.news = true;
		const tracker = todo.room.store.trackers.find(({ name }) => name === 'pebble');
		for (const { ticket: number, turn } of words.news) {
			const ticket = tracker === undefined ? undefined : findTicket(tracker, number);
			if (ticket !== undefined) {
				happen(ticket, turn);
			}
		}
		send('log-json');
		send('range-v2');
		bringNewVersion();
	}

	function bringNewVersion(): void {
		later(newVersionMs, () => {
			told.newVersion = true;
			send('gzip-v2');
		});
	}

	/** As if through the API, so that webhooks report it. */
	function happen(ticket: Ticket, turn: Turn): void {
		const { store, hooks } = todo.room;
		const before = ticket.events.length;
		takeTurn(store, context.users, ticket, turn, context.nowMs());
		hooks.events(ticket.events.slice(before));
		hooks.ticketUpdated(ticket);
	}

	function send(key: string): void {
		const { plan, made } = series.find((each) => each.plan.key === key) ?? {};
		const list = findOwned(lists.room.store.lists, guest, plan?.list ?? '');
		if (plan === undefined || made === undefined || list === undefined) {
			return;
		}
		const to = [addressOf(list), ...(plan.to ?? []).map((name) => mailbox(writer(name)))].join(', ');
		const sentS = Math.floor(context.nowMs() / 1000);
		const mails = writePatchMails({ plan, made }, writer(plan.author), sentS, to, undefined);
		mails.forEach(({ raw }) => void receiveMail(lists.room, list, raw));
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
			told.comment = true;
			if (ticket.tracker.tickets.includes(ticket)) {
				happen(ticket, { who: partnerIn(ticket), says: replyTo(ticket) });
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
			told.mail = true;
			const { list, message, parent, root, messageId } = email;
			const partner = parent?.sender ?? null;
			const who = partner === null || partner === guest ? 'carol' : partner.name;
			const isReview = root !== null && [root, ...root.answers].some(({ patchset }) => patchset !== null);
			const text = [quoteSpeech(message.text), words.answersToMails[isReview ? 'review' : 'other']].filter(
				(part) => part !== '',
			);
			const { raw } = writeReply(
				{
					from: writer(who),
					to: addressOf(list),
					text: text.join('\n\n'),
					atMs: context.nowMs(),
					seed: messageId,
				},
				{ messageId, subject: message.subject, from: writer(guest.name), atMs: email.createdMs },
			);
			if (lists.room.store.lists.includes(list)) {
				receiveMail(lists.room, list, raw);
			}
		});
	}

	if (told.news && !told.newVersion) {
		bringNewVersion();
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

/** Fits every ticket of its kind. */
function replyTo({ status, labels }: Ticket): string {
	const names = [...labels].map(({ name }) => name);
	const { resolved, bug, enhancement, other } = words.answersToComments;
	if (status === 'resolved') {
		return resolved;
	}
	return names.includes('bug') ? bug : names.includes('enhancement') ? enhancement : other;
}
