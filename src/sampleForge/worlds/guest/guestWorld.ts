import type { WorldPlan, Areas, Tale } from '../../areas.ts';
import type { MailingList, Email } from '../../lists/mailModel.ts';
import type { MailStore } from '../../lists/mailStore.ts';
import { receiveMail } from '../../lists/postOffice.ts';
import type { Context, User } from '../../shared/area.ts';
import { asPerson, type Ticket, findTicket, type TicketEvent } from '../../tickets/ticketModel.ts';
import type { TicketStore } from '../../tickets/ticketStore.ts';
import { mailbox } from '../lists/letter.ts';
import { loadPatches } from '../lists/patchCache.ts';
import { writePatchMails } from '../lists/patchMails.ts';
import type { MadeSeries } from '../lists/patchMaker.ts';
import { quoteSpeech } from '../lists/quoting.ts';
import { writeReply } from '../lists/replies.ts';
import { tellSeries, tellThread, type MailTelling } from '../lists/tellMail.ts';
import { createWriters, type Writer } from '../lists/writers.ts';
import { createStory, type Story } from '../story.ts';
import { takeTurn, type Turn } from '../tickets/turns.ts';
import { guestRepositories, guestSeries, laterSeries, turnOf, type GuestTurn } from './guestData.ts';
import { replay, tellRepositories } from './guestHistory.ts';
import lists from './lists.json' with { type: 'json' };
import people from './people.json' with { type: 'json' };
import threads from './threads.json' with { type: 'json' };
import tickets from './tickets.json' with { type: 'json' };

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

const reviewWords = 'Thanks for looking at it! I will go through this and send a new version\nif it needs one.';

const mailWords = 'Thanks for writing. I have read it, and I agree. Let me know if I can\nhelp.';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Fixed, so that the patches of all starts have one cache entry. Mails get the times of the start. */
const patchStartMs = Date.UTC(2026, 0, 1);

/** Runs `happens` after a while, in real time. */
export const setLater: Later = (afterMs, happens) => {
	const timer = setTimeout(happens, afterMs);
	return () => clearTimeout(timer);
};

/** A small web server with its maintainer Alice, who is the guest. The history ends at `endMs`. */
export function guestWorld(endMs: number, later: Later): WorldPlan {
	return {
		people,
		projects: [
			{
				owner: 'alice',
				name: 'pebble',
				description: 'A small web server for static files',
				repositories: ['pebble', 'pebble-site'],
				trackers: ['pebble'],
				lists: ['pebble-devel', 'pebble-announce'],
			},
		],
		endMs,
		async tell(areas, context) {
			const owner = context.users.byName('alice');
			if (owner === undefined) {
				throw new Error('The guest world has no ~alice');
			}
			const writer = createWriters(context.users);
			const [made] = await Promise.all([
				makePatches(context, writer),
				tellRepositories(areas.git.room, { owner, writer, endMs }),
			]);
			const story = createStory();
			tellTickets(areas.todo.room.store, { story, context, owner, endMs });
			const mails = addLists(areas.lists.room.store, { story, context, owner, endMs, writer });
			tellMails(mails, made);
			story.tell();
			return createColleagues({ areas, context, guest: owner, writer, made, later });
		},
	};
}

type MadePatches = Readonly<Record<string, MadeSeries>>;

async function makePatches(context: Context, writer: (name: string) => Writer): Promise<MadePatches> {
	const trees = new Map(
		replay(guestRepositories[0]?.commits ?? []).map(({ commit, files }) => [commit.subject, files]),
	);
	const bases = new Map([...guestSeries, ...laterSeries].map(({ key, base }) => [key, trees.get(base)]));
	const stop = new AbortController();
	return await loadPatches([...guestSeries, ...laterSeries], {
		startMs: patchStartMs,
		writer,
		baseOf({ key }) {
			const tree = bases.get(key);
			if (tree === undefined) {
				throw new Error(`The series ${key} starts from an unknown commit`);
			}
			return tree;
		},
		cacheDir: context.cacheDir,
		tempDir: context.tempDir,
		environment: process.env,
		signal: stop.signal,
	});
}

interface Telling {
	readonly story: Story;
	readonly context: Context;
	readonly owner: User;
	readonly endMs: number;
}

function tellTickets(store: TicketStore, { story, context: { users }, owner, endMs }: Telling): void {
	const openedMs = endMs - 421 * dayMs;
	const tracker = store.addTracker(owner, 'pebble', 'Bugs and wishes of **pebble**.', openedMs);
	tickets.labels.forEach((label) => store.addLabel(tracker, label, openedMs));
	for (const { day, who, title, description, turns } of tickets.tickets) {
		const bornMs = endMs + day * dayMs;
		const submitter = asPerson(users.byName(who) ?? owner);
		const life: { ticket?: Ticket } = {};
		story.at(bornMs, (atMs) => {
			life.ticket = store.addTicket(tracker, { title, description, submitter }, atMs);
		});
		const all: readonly GuestTurn[] = turns;
		for (const turn of all) {
			story.at(bornMs + turn.hours * hourMs, (atMs) => {
				if (life.ticket !== undefined) {
					takeTurn({ store, users }, { ticket: life.ticket, turn: turnOf(turn), atMs });
				}
			});
		}
	}
}

function addLists(store: MailStore, parts: Telling & Pick<MailTelling, 'writer'>): MailTelling {
	const { story, context, owner, endMs, writer } = parts;
	const openedMs = endMs - 419 * dayMs;
	const added = lists.map(({ name, description, isReadOnly, subscribers }): [string, MailingList] => {
		const list = store.addList(owner, name, description, openedMs);
		if (isReadOnly) {
			Object.assign(list.permissions, { nonsubscriber: ['browse'], subscriber: ['browse'], account: ['browse'] });
		}
		subscribers
			.flatMap((each) => context.users.byName(each) ?? [])
			.forEach((user) => {
				store.subscribe(user, list, openedMs);
			});
		return [name, list];
	});
	return { store, story, startMs: endMs, lists: new Map(added), writer, domain: `lists.${context.mailDomain}` };
}

function tellMails(mails: MailTelling, made: MadePatches): void {
	threads.forEach((thread) => tellThread(mails, thread));
	for (const plan of guestSeries) {
		const series = made[plan.key];
		if (series !== undefined) {
			tellSeries(mails, { plan, made: series, firstIds: new Map() });
		}
	}
}

/** Runs `happens` after `afterMs`, unless the result is called before. */
export type Later = (afterMs: number, happens: () => void) => () => void;

interface ColleagueParts {
	readonly areas: Pick<Areas, 'todo' | 'lists'>;
	readonly context: Pick<Context, 'users' | 'nowMs' | 'mailDomain'>;
	readonly guest: User;
	readonly writer: (name: string) => Writer;
	readonly made: Readonly<Record<string, MadeSeries>>;
	readonly later: Later;
}

/** People who bring news after the guest's first look, and answer the guest's first comment and mail. */
function createColleagues(parts: ColleagueParts): Tale {
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
