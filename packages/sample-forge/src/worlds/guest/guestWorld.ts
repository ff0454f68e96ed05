import { join } from 'node:path';
import type { Areas, WorldPlan } from '../../areas/areas.ts';
import { isPatchsetStatus } from '../../lists/mailModel.ts';
import type { RepositoryRoom } from '../../repositories/repositoryRoom.ts';
import { readData } from '../../sampleData.ts';
import lists from '../../sampleData/guest/lists.json' with { type: 'json' };
import people from '../../sampleData/guest/people.json' with { type: 'json' };
import project from '../../sampleData/guest/project.json' with { type: 'json' };
import series from '../../sampleData/guest/series.json' with { type: 'json' };
import threads from '../../sampleData/guest/threads.json' with { type: 'json' };
import tickets from '../../sampleData/guest/tickets.json' with { type: 'json' };
import type { User } from '../../shared/area.ts';
import { asPerson, type Ticket } from '../../tickets/ticketModel.ts';
import {
	readMailbox,
	type PlannedSeries,
	type ReplyPlan,
	tellSeries,
	tellThread,
	type MailTelling,
} from '../lists/tellMail.ts';
import { createWriters, type Writer } from '../lists/letters.ts';
import { createStory, type Story } from '../story.ts';
import { takeTurn, type Turn } from '../tickets/turns.ts';
import { createColleagues, type Later } from './colleagues.ts';
import { check, need } from '../../shared/checks.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A small web server. The guest is its maintainer Alice. The history ends at `endMs`. */
export function guestWorld(endMs: number, later: Later): WorldPlan {
	return {
		people,
		projects: project.projects,
		endMs,
		async tell(areas, context) {
			const { users, mailDomain } = context;
			const guest = need(users.byName('alice'), () => new Error('The guest world has no ~alice'));
			const writer = createWriters(users);
			if (context.state.isNew) {
				await tellRepositories(areas.git.room, guest, writer, endMs);
				const story = createStory();
				tellTickets(areas, story, guest, endMs);
				const store = areas.lists.room.store;
				const mails = { store, story, startMs: endMs, writer, domain: `lists.${mailDomain}` };
				tellMails({ ...mails, lists: addLists(areas, guest, endMs) });
				story.tell();
			}
			return createColleagues(areas, guest, writer, series.later.map(readSeries), later);
		},
	};
}

/** Fills the repositories from streams of `git fast-import`, with user names and days in place of addresses and times. */
async function tellRepositories(
	{ create, git, root }: RepositoryRoom,
	owner: User,
	writer: (name: string) => Writer,
	endMs: number,
): Promise<void> {
	await Promise.all(
		project.repositories.map(async ({ name, description }) => {
			const times: number[] = [];
			const input = readData(`guest/${name}.import`).replaceAll(
				/^(committer|tagger) (\w+) (-?[\d.]+)$/gm,
				(_line, role: string, who: string, day: string) => {
					const timeMs = endMs + Number(day) * dayMs;
					times.push(timeMs);
					return `${role} ${writer(who).name} <${writer(who).email}> ${Math.floor(timeMs / 1000)} +0000`;
				},
			);
			const [createdMs, updatedMs] = [
				times.reduce((one, other) => Math.min(one, other)),
				times.reduce((one, other) => Math.max(one, other)),
			];
			const { folder } = await create({ owner, name, description, visibility: 'public', createdMs, updatedMs });
			await git.run(['--git-dir', join(root, folder), 'fast-import', '--quiet'], { input });
		}),
	);
}

function tellTickets({ todo }: Areas, story: Story, owner: User, endMs: number): void {
	const { store, context } = todo.room;
	const openedMs = endMs - 421 * dayMs;
	const tracker = store.addTracker(owner, 'pebble', 'Bugs and wishes of **pebble**.', openedMs);
	tickets.labels.forEach((label) => store.addLabel(tracker, label, openedMs));
	for (const { day, who, title, description, turns } of tickets.tickets) {
		const bornMs = endMs + day * dayMs;
		const submitter = asPerson(context.users.byName(who) ?? owner);
		const life: { ticket?: Ticket } = {};
		story.at(bornMs, (atMs) => {
			life.ticket = store.addTicket(tracker, { title, description, submitter }, atMs);
		});
		const all: readonly (Turn & { readonly hours: number })[] = turns;
		for (const turn of all) {
			story.at(bornMs + turn.hours * hourMs, (atMs) => {
				if (life.ticket !== undefined) {
					takeTurn(store, context.users, life.ticket, turn, atMs);
				}
			});
		}
	}
}

function addLists({ lists: { room } }: Areas, owner: User, endMs: number): MailTelling['lists'] {
	const { store, context } = room;
	const openedMs = endMs - 419 * dayMs;
	return new Map(
		lists.map(({ name, description, isReadOnly, subscribers }) => {
			const list = store.addList(owner, name, description, openedMs);
			if (isReadOnly) {
				Object.assign(list.permissions, { nonsubscriber: ['browse'], subscriber: ['browse'], account: ['browse'] });
			}
			for (const user of subscribers.flatMap((each) => context.users.byName(each) ?? [])) {
				store.subscribe(user, list, openedMs);
			}
			return [name, list];
		}),
	);
}

function tellMails(mails: MailTelling): void {
	threads.forEach((thread) => tellThread(mails, thread));
	for (const { plan, made } of series.sent.map(readSeries)) {
		tellSeries(mails, plan, made, new Map());
	}
}

interface StoredSeries {
	readonly key: string;
	readonly author: string;
	readonly day: number;
	readonly to?: readonly string[];
	readonly moves: readonly { readonly status: string; readonly hours: number }[];
	readonly talk: readonly ReplyPlan[];
}

function readSeries({ moves, ...stored }: StoredSeries): PlannedSeries {
	return {
		plan: {
			...stored,
			list: 'pebble-devel',
			moves: moves.map(({ status, hours }) => {
				check(isPatchsetStatus(status), () => new Error(`The guest world uses an unknown status: ${status}`));
				return [status, hours];
			}),
		},
		made: readMailbox(Buffer.from(readData(`guest/patches/${stored.key}.mbox`))),
	};
}
