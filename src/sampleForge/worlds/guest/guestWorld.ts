import type { WorldPlan } from '../../areas.ts';
import type { Context, User } from '../../shared/area.ts';
import { asPerson, type Ticket } from '../../tickets/ticketModel.ts';
import type { TicketStore } from '../../tickets/ticketStore.ts';
import type { MailingList } from '../../lists/mailModel.ts';
import type { MailStore } from '../../lists/mailStore.ts';
import { loadPatches } from '../lists/patchCache.ts';
import type { MadeSeries } from '../lists/patchMaker.ts';
import { tellSeries, tellThread, type MailTelling } from '../lists/tellMail.ts';
import { createWriters, type Writer } from '../lists/writers.ts';
import { createStory, type Story } from '../story.ts';
import { takeTurn } from '../tickets/turns.ts';
import { createColleagues, type Later } from './colleagues.ts';
import { guestRepositories, guestSeries, laterSeries, turnOf, type GuestTurn } from './guestData.ts';
import { replay, tellRepositories } from './guestHistory.ts';
import lists from './lists.json' with { type: 'json' };
import people from './people.json' with { type: 'json' };
import threads from './threads.json' with { type: 'json' };
import tickets from './tickets.json' with { type: 'json' };

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
