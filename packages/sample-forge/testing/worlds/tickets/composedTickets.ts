import type { Random } from '../../../../../test/support/random.ts';
import { worldEndMs, worldStartMs } from '../worldTime.ts';
import type { Resolution, Status, Ticket, Tracker } from '../../../src/tickets/ticketModel.ts';
import { asPerson } from '../../../src/tickets/ticketModel.ts';
import { move, type Step } from '../../../src/worlds/tickets/turns.ts';
import type { TicketStore } from '../../../src/tickets/ticketStore.ts';
import type { Cast } from './cast.ts';
import type { Some } from '../phrases.ts';
import type { Story } from '../../../src/worlds/story.ts';
import { closingText, commentText, type Topic } from './ticketTexts.ts';

export interface Telling {
	readonly store: TicketStore;
	readonly story: Story;
	readonly cast: Cast;
	readonly random: Random;
}

export interface Batch {
	readonly tracker: Tracker;
	readonly count: number;
	/** `n` counts from 0. */
	readonly topic: (random: Random, n: number) => Topic;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Creates everyday tickets with their histories, spread over the world's time. */
export function composeTickets(telling: Telling, { tracker, count, topic }: Batch): void {
	const spanMs = worldEndMs - worldStartMs - 4 * dayMs;
	for (let n = 0; n < count; n++) {
		const wobbleMs = telling.random.below(2 * dayMs);
		const bornMs = worldStartMs + dayMs + Math.floor((n * spanMs) / count) + wobbleMs;
		composeTicket(telling, { tracker, topic: topic(telling.random, n), bornMs });
	}
}

interface Birth {
	readonly tracker: Tracker;
	readonly topic: Topic;
	readonly bornMs: number;
}

/** The steps of one life are drawn now and happen later, in order of time. */
function composeTicket(telling: Telling, { tracker, topic, bornMs }: Birth): void {
	const { store, story, cast, random } = telling;
	const submitter = cast.reporter(random);
	const maintainer = asPerson(tracker.owner);
	const life: { ticket?: Ticket } = {};
	let clockMs = bornMs;
	const later = (hours: number, happens: (ticket: Ticket, atMs: number) => void): void => {
		clockMs = Math.min(clockMs + Math.floor((hours * hourMs) / 2) + random.below(hours * hourMs), worldEndMs - 60_000);
		story.at(clockMs, (atMs) => {
			if (life.ticket !== undefined) {
				happens(life.ticket, atMs);
			}
		});
	};
	story.at(bornMs, (atMs) => {
		life.ticket = store.addTicket(tracker, { title: topic.title, description: topic.description, submitter }, atMs);
	});
	for (const name of topic.labels) {
		const label = tracker.labels.find((each) => each.name === name);
		if (label !== undefined && random.chance(80)) {
			later(6, (ticket, atMs) => store.setLabel(ticket, label, true, { person: maintainer, atMs }));
		}
	}
	if (random.chance(40)) {
		const assignee = random.pick(cast.developers);
		later(20, (ticket, atMs) => store.setAssignee(ticket, assignee, true, { person: maintainer, atMs }));
	}
	const comments = random.pick([0, 0, 1, 1, 2, 2, 3, 4, 6]);
	for (let n = 0; n < comments; n++) {
		const by = n === 1 ? submitter : cast.commenter(random);
		const text = withMention(random, commentText(random, topic, n));
		later(30, (ticket, atMs) => store.update(ticket, by, { comment: text }, atMs));
	}
	for (const step of drawFate(random, topic)) {
		const text = step.status === 'resolved' ? closingText(random, step.resolution) : undefined;
		later(60, (ticket, atMs) => move(store, ticket, { ...step, by: maintainer, text, atMs }));
	}
}

/** Four in ten stay open; the others end in one of the resolutions, and a few reopen. */
function drawFate(random: Random, topic: Topic): readonly Step[] {
	const open: Some<readonly Status[]> = [
		[],
		[],
		['confirmed'],
		['confirmed', 'in_progress'],
		['pending'],
		['confirmed', 'pending'],
	];
	const steps = random.pick(open).map((status): Step => ({ status, resolution: 'unresolved' }));
	if (random.chance(42)) {
		return steps;
	}
	const bugEnds: Some<Resolution> = [
		'fixed',
		'fixed',
		'fixed',
		'fixed',
		'duplicate',
		'invalid',
		'not_our_bug',
		'by_design',
		'wont_fix',
	];
	const wishEnds: Some<Resolution> = [
		'implemented',
		'implemented',
		'implemented',
		'wont_fix',
		'duplicate',
		'by_design',
	];
	const resolution = random.pick(topic.labels.includes('bug') ? bugEnds : wishEnds);
	const end: Step = { status: 'resolved', resolution };
	return random.chance(6) ? [...steps, end, { status: 'reported', resolution }] : [...steps, end];
}

function withMention(random: Random, text: string): string {
	if (random.chance(9)) {
		return `${text}\n\nSee also #${1 + random.below(25)}.`;
	}
	return random.chance(7) ? `~${random.pick(['alice', 'bob', 'dave'])}: ${text}` : text;
}
