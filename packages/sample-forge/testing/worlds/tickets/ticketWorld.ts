import type { User, Users } from '../../../src/shared/area.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { worldEndMs, worldStartMs } from '../worldTime.ts';
import { asPerson, type Tracker } from '../../../src/tickets/ticketModel.ts';
import type { TicketStore } from '../../../src/tickets/ticketStore.ts';
import { createCast } from './cast.ts';
import { composeTickets, type Telling } from './composedTickets.ts';
import { longDescription, longDiscussion, longTitle } from './longDiscussion.ts';
import { takeTurn } from '../../../src/worlds/tickets/turns.ts';
import { editorParts, libraryParts } from '../parts.ts';
import { createStory } from '../../../src/worlds/story.ts';
import { bugTopic, docTopic, wishTopic } from './ticketTexts.ts';

/** Titles and descriptions that broke other programs. */
export type OddTickets = readonly (readonly [title: string, description: string])[];

const dayMs = 86_400_000;

/** Fills the trackers of Lantern, a text editor for the terminal, and its neighbours. Identical at every start. */
export function tellTicketWorld(store: TicketStore, users: Users, oddTickets: OddTickets): void {
	const cast = createCast(users);
	const story = createStory();
	const telling: Telling = { store, story, cast, random: createRandom(20_240_301) };
	const lantern = addTracker(
		store,
		cast.alice,
		'lantern',
		'The **Lantern** text editor: bugs and wishes.\n\nPlease search before you report, and say which version you use.',
	);
	const plugins = addTracker(store, cast.alice, 'lantern-plugins', 'Plugins that live in the tree of *Lantern*.');
	const website = addTracker(
		store,
		cast.alice,
		'website',
		'lantern.example, the pages and the machine behind them — ünicode included',
	);
	const wick = addTracker(store, cast.bob, 'wick', 'The syntax library under Lantern.');
	const docs = addTracker(store, cast.carol, 'lantern-docs', null);
	const notes = addTracker(store, cast.bob, 'private-notes', 'Nobody else sees this.');
	const announce = addTracker(store, cast.alice, 'announce', 'Read only for everybody else.');
	closeToOthers(notes);
	readOnlyForOthers(announce);

	tellOpening(telling, lantern);
	composeTickets(telling, { tracker: lantern, count: 190, topic: (random) => bugOrWish(telling, random.chance(68)) });
	composeTickets(telling, { tracker: plugins, count: 60, topic: (random) => bugOrWish(telling, random.chance(50)) });
	composeTickets(telling, { tracker: wick, count: 75, topic: (random) => bugTopic(random, libraryParts) });
	composeTickets(telling, { tracker: website, count: 34, topic: docTopic });
	composeTickets(telling, { tracker: docs, count: 52, topic: docTopic });
	composeTickets(telling, { tracker: notes, count: 3, topic: wishTopic });
	composeTickets(telling, { tracker: announce, count: 4, topic: docTopic });
	tellOdd(telling, lantern, oddTickets);
	tellLong(telling, users, lantern);
	story.tell();
}

function bugOrWish({ random }: Telling, bug: boolean): ReturnType<typeof wishTopic> {
	return bug ? bugTopic(random, editorParts) : wishTopic(random);
}

const labelColours: readonly (readonly [name: string, background: string])[] = [
	['bug', '#cc0000'],
	['enhancement', '#84b6eb'],
	['documentation', '#0075ca'],
	['good first issue', '#7057ff'],
	['regression', '#b60205'],
	['accessibility', '#fbca04'],
	['undo', '#006b75'],
	['search', '#1d76db'],
	['ui', '#c5def5'],
	['clipboard', '#d4c5f9'],
	['folding', '#bfdadc'],
	['picker', '#0e8a16'],
	['files', '#5319e7'],
	['macros', '#f9d0c4'],
	['input', '#e99695'],
	['syntax', '#000000'],
	['diff', '#ffffff'],
	['spelling', '#fef2c0'],
	['themes', '#808080'],
	['grammar', '#2b6cb0'],
	['scanner', '#9b2c2c'],
	['compiler', '#276749'],
	['ümlaut 🐛', '#123456'],
];

/** A tracker with the standard labels of the sample world. */
export function addTracker(store: TicketStore, owner: User, name: string, description: string | null): Tracker {
	const tracker = store.addTracker(owner, name, description, worldStartMs);
	for (const [label, background] of labelColours) {
		store.addLabel(tracker, { name: label, background }, worldStartMs);
	}
	return tracker;
}

function closeToOthers(tracker: Tracker): void {
	tracker.visibility = 'private';
	Object.assign(tracker.permissions, { anonymous: [], submitter: [], user: [] });
}

function readOnlyForOthers(tracker: Tracker): void {
	Object.assign(tracker.permissions, { anonymous: ['browse'], submitter: ['browse'], user: ['browse'] });
}

/** The first tickets of the main tracker, independent of the random ones. */
function tellOpening({ store, story, cast }: Telling, tracker: Tracker): void {
	const first: readonly (readonly [title: string, description: string])[] = [
		[
			'Welcome: how this tracker works',
			'Plain *markdown* with `code`\n\n- [ ] report a bug\n- [x] read this\n\nUnicode: 日本語 🚀',
		],
		[
			'Symbolic links are saved as plain files',
			'Saving through a link replaces the link.\n\n```console\n$ ln -s real.txt link.txt\n$ lantern link.txt   # change something, save\n$ ls -l link.txt\n-rw-r--r-- 1 me me 12 link.txt\n```',
		],
		['abc', ''],
	];
	for (const [at, [title, description]] of first.entries()) {
		story.at(worldStartMs + (at + 1) * 60_000, (atMs) => {
			store.addTicket(tracker, { title, description, submitter: asPerson(cast.alice) }, atMs);
		});
	}
}

function tellOdd({ store, story, cast, random }: Telling, tracker: Tracker, oddTickets: OddTickets): void {
	for (const [at, [title, description]] of oddTickets.entries()) {
		const submitter = cast.reporter(random);
		story.at(worldEndMs - 40 * dayMs + at * dayMs, (atMs) => {
			store.addTicket(tracker, { title, description, submitter }, atMs);
		});
	}
}

/** The newest ticket of the main tracker, with a long discussion. A ticket in wick mentions it. */
function tellLong(telling: Telling, users: Users, tracker: Tracker): void {
	const { store, story, cast } = telling;
	const bornMs = worldEndMs - dayMs;
	const submitter = { kind: 'email' as const, address: 'm.tanaka@outside.test', name: '田中 美咲' };
	story.at(bornMs, (atMs) => {
		const ticket = store.addTicket(tracker, { title: longTitle, description: longDescription, submitter }, atMs);
		for (const [at, turn] of longDiscussion.entries()) {
			takeTurn(store, users, ticket, turn, bornMs + (at + 1) * 25 * 60_000);
		}
		const other = store.trackers.find(({ name }) => name === 'wick')?.tickets[0];
		if (other !== undefined) {
			const comment = `This is needed for ~alice/lantern#${ticket.number}, too.`;
			store.update(other, asPerson(cast.bob), { comment }, bornMs + 47 * 25 * 60_000);
		}
	});
}
